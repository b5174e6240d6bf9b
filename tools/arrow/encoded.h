/* encoded.h - schemas with dictionary-encoded columns, which nanoarrow does not decode. */
#ifndef ENCODED_H
#define ENCODED_H

#include <stdbool.h>
#include <stddef.h>

/* Changes a verified schema message so that dictionary-encoded fields have the type of their indices, and no
 * dictionary. Returns a flag for each column, which says whether it is encoded; get_memory()'d. input: for messages. */
bool *encoded_hide(const char *input, unsigned char *message);

/* The same, but columns get the type of the dictionary's values. The second returns the number of a column's dictionary,
 * of a message as it was read. */
void encoded_show(unsigned char *message);
unsigned long long encoded_of(unsigned char *message, size_t column);

/* Changes a verified dictionary batch to a record batch of its values. Returns false if it has none. */
bool encoded_to_batch(unsigned char *message);

/* The fields of a verified dictionary batch: its dictionary's number, and whether it only adds values. */
unsigned long long encoded_number(unsigned char *message);
bool encoded_adds(unsigned char *message);

#endif
