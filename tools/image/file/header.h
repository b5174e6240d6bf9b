/* header.h - the text headers of the Netpbm formats: words and numbers between white space and comments. */
#ifndef IMAGE_HEADER_H
#define IMAGE_HEADER_H

#include "source.h"

/* Skips white space and comments, from # to the end of a line. Returns the byte behind them, or -1 at the end. */
int header_skip(struct source *source);

/* A number. The byte behind it, which must be white space or the end, is taken too. */
size_t header_number(struct source *source);

/* The next word, without comments in it; the white space behind it is taken. Returns its first room - 1 bytes. */
void header_word(struct source *source, char *word, size_t room);

/* Fails because the header is damaged. */
NO_RETURN void header_bad(const struct source *source);

#endif
