/* encoded.c - see encoded.h. Formats: Schema.fbs and Message.fbs of Arrow. */
#include "encoded.h"

#include <string.h>

#include "common/cli.h"
#include "flat.h"

/* ---- schemas ---- */

static unsigned char *dictionary_of(unsigned char *field)
{
    return flat_reference(field, FIELD_DICTIONARY);
}

static uint32_t length_of(const unsigned char *vector)
{
    return vector == NULL ? 0 : little_u32(vector);
}

static unsigned char *item(unsigned char *vector, uint32_t i)
{
    return flat_follow(vector + 4 + 4 * (size_t)i);
}

/* Offsets of a flatbuffer point forward, so the indices' type lies behind the field that refers to it now. */
static void take_type_of_indices(const char *input, unsigned char *field)
{
    unsigned char *dictionary = dictionary_of(field), *kind = flat_value(field, FIELD_TYPE_TYPE),
                  *type = flat_value(field, FIELD_TYPE);
    if (dictionary == NULL)
        return;
    unsigned char *indices = flat_reference(dictionary, ENCODING_INDEX_TYPE);
    if (kind == NULL || type == NULL || indices == NULL || indices < type)
        fail(input, "damaged, or not supported, Arrow data: a dictionary without the type of its indices");
    *kind = TYPE_INT;
    little_put(type, (uint32_t)(indices - type), 4);
}

/* Fields share vtables. All that share this one are encoded too. */
static void remove_dictionary(const char *input, unsigned char *field)
{
    unsigned char *entry = flat_entry(field, FIELD_DICTIONARY);
    (void)input;
    if (entry != NULL)
        little_put(entry, 0, 2);
}

static void for_each(const char *input, unsigned char *fields, void (*change)(const char *input, unsigned char *field))
{
    for (uint32_t i = 0; i < length_of(fields); i++) {
        unsigned char *field = item(fields, i);
        change(input, field);
        for_each(input, flat_reference(field, FIELD_CHILDREN), change);
    }
}

static unsigned char *header_of(unsigned char *message)
{
    return flat_reference(flat_follow(message), MESSAGE_HEADER);
}

static unsigned char *fields_of(unsigned char *message)
{
    return flat_reference(header_of(message), SCHEMA_FIELDS);
}

bool *encoded_hide(const char *input, unsigned char *message)
{
    unsigned char *fields = fields_of(message);
    uint32_t count = length_of(fields);
    bool *encoded = get_memory(count * sizeof *encoded);
    for (uint32_t i = 0; i < count; i++)
        encoded[i] = dictionary_of(item(fields, i)) != NULL;
    for_each(input, fields, take_type_of_indices);
    for_each(input, fields, remove_dictionary);
    return encoded;
}

void encoded_show(unsigned char *message)
{
    for_each(NULL, fields_of(message), remove_dictionary);
}

static unsigned long long number_at(const unsigned char *number)
{
    return number == NULL ? 0 : little_u32(number) | (unsigned long long)little_u32(number + 4) << 32;
}

unsigned long long encoded_of(unsigned char *message, size_t column)
{
    unsigned char *field = item(fields_of(message), (uint32_t)column);
    return number_at(flat_value(dictionary_of(field), ENCODING_ID));
}

/* ---- dictionary batches ---- */

unsigned long long encoded_number(unsigned char *message)
{
    return number_at(flat_value(header_of(message), DICTIONARY_ID));
}

/* The values are a record batch within the dictionary batch, to which the message can refer as well. */
bool encoded_to_batch(unsigned char *message)
{
    unsigned char *root = flat_follow(message), *kind = flat_value(root, MESSAGE_HEADER_TYPE),
                  *header = flat_value(root, MESSAGE_HEADER),
                  *values = flat_reference(header_of(message), DICTIONARY_DATA);
    if (kind == NULL || header == NULL || values == NULL)
        return false;
    *kind = HEADER_RECORD_BATCH;
    little_put(header, (uint32_t)(values - header), 4);
    return true;
}

bool encoded_adds(unsigned char *message)
{
    const unsigned char *flag = flat_value(header_of(message), DICTIONARY_IS_DELTA);
    return flag != NULL && *flag != 0;
}
