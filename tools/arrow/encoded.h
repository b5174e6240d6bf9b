/* encoded.h - schemas with dictionary-encoded columns, which nanoarrow does not decode. */
#ifndef ENCODED_H
#define ENCODED_H

#include <stdbool.h>
#include <stddef.h>

/* Changes a verified schema message so that dictionary-encoded fields have the type of their indices, and no
 * dictionary. Returns a flag for each column, which says whether it is encoded; get_memory()'d. input: for messages. */
bool *encoded_hide(const char *input, unsigned char *message);

/* The fields of a verified dictionary batch: its dictionary's number, and whether it only adds values. */
unsigned long long encoded_number(unsigned char *message);
bool encoded_adds(unsigned char *message);

#endif
