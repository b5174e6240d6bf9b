/* flat.h - fields of a flatbuffer, for what nanoarrow does not decode. The buffer must have been verified: nothing is
 * checked here. Format: "FlatBuffers Internals", section "Tables". */
#ifndef FLAT_H
#define FLAT_H

#include <stddef.h>

#include "codec/little.h"

static inline unsigned char *flat_follow(unsigned char *offset)
{
    return offset + little_u32(offset);
}

/* The place of the table's field in its vtable, or NULL if the table has none, or is NULL. */
static inline unsigned char *flat_entry(unsigned char *table, unsigned field)
{
    if (table == NULL)
        return NULL;
    unsigned char *vtable = table - (int32_t)little_u32(table);
    unsigned at = 4 + 2 * field;
    return at < little_u16(vtable) && little_u16(vtable + at) > 0 ? vtable + at : NULL;
}

/* The value of the field, or NULL if the table has none. */
static inline unsigned char *flat_value(unsigned char *table, unsigned field)
{
    const unsigned char *entry = flat_entry(table, field);
    return entry == NULL ? NULL : table + little_u16(entry);
}

/* What the field refers to: a table, or a vector, which begins with its length. NULL if the table has none. */
static inline unsigned char *flat_reference(unsigned char *table, unsigned field)
{
    unsigned char *value = flat_value(table, field);
    return value == NULL ? NULL : flat_follow(value);
}

/* Fields of the tables of Arrow's Message.fbs and Schema.fbs. */
enum { MESSAGE_VERSION, MESSAGE_HEADER_TYPE, MESSAGE_HEADER };
enum { SCHEMA_ENDIANNESS, SCHEMA_FIELDS };
enum { FIELD_NAME, FIELD_NULLABLE, FIELD_TYPE_TYPE, FIELD_TYPE, FIELD_DICTIONARY, FIELD_CHILDREN };
enum { ENCODING_ID, ENCODING_INDEX_TYPE };
enum { DICTIONARY_ID, DICTIONARY_DATA, DICTIONARY_IS_DELTA };

#define TYPE_INT 2
#define HEADER_RECORD_BATCH 3
#define VERSION_V5 4

#endif
