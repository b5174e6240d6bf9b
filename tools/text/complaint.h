/* complaint.h - what is wrong with a line, as a message. */
#ifndef COMPLAINT_H
#define COMPLAINT_H

#include "line.h"

/* Ends the tool. name: of the file. text: a place in front of the error where a line begins. */
NO_RETURN void line_refuse(const char *name, uint64_t line, const char *text, const struct line_error *error);

#endif
