/* arguments.h - what the files of arguments.t share: a device with arrays, and calls that must be refused. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

#define N 64
#define TOO_MANY (SIZE_MAX / 2)

extern scankit_context *ctx;
extern char *a, *b, *v, *w; /* device arrays of N elements of up to 16 bytes */
extern const char *device_name;

/* Checks that the call returned `wanted`, with a line of detail that names the function. */
void refused(scankit_error error, scankit_error wanted, const char *call);
#define REFUSED(call) refused(call, SCANKIT_E_ARGUMENT, #call)

/* arguments-choice.c */
void refused_compactions(void);
void refused_encodings(void);
void refused_decodings(void);

/* arguments-none.c */
void no_elements(void);
void no_context(void);

#endif
