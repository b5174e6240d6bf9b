/* table_keys.c - see table_keys.h. */
#include "table_keys.h"

#include <stdlib.h>
#include <string.h>

#include "dictionary_ranks.h"
#include "text_ranks.h"
#include "threads/crew.h"

/* ---- which columns ---- */

static size_t find_column(const struct arrow_table *table, const char *name)
{
    size_t found = table->column_count;
    for (size_t i = 0; i < table->column_count; i++) {
        if (strcmp(table->columns[i].name, name) != 0)
            continue;
        if (found < table->column_count)
            fail(table->name, "has two columns of the name '%s'", name);
        found = i;
    }
    if (found == table->column_count)
        fail(table->name, "has no column '%s'", name);
    return found;
}

/* Cuts the direction off. */
static bool is_descending(char *key)
{
    char *colon = strrchr(key, ':');
    bool descending = colon != NULL && strcmp(colon, ":desc") == 0;
    if (descending || (colon != NULL && strcmp(colon, ":asc") == 0))
        *colon = '\0';
    return descending;
}

static struct table_key parse_key(const struct arrow_table *table, char *text)
{
    struct table_key key = {.descending = is_descending(text)};
    key.index = find_column(table, text);
    key.column = &table->columns[key.index];
    if (key.column->order == ORDER_NONE)
        fail(table->name, "column '%s' holds type %s, by which tables are not sorted", text, key.column->type);
    return key;
}

void table_keys_parse(const struct arrow_table *table, const char *text, struct table_key *keys, size_t *count)
{
    char *copy = copy_text(text), *rest = copy;
    for (char *key; (key = strsep(&rest, ",")) != NULL;) {
        if (*count == KEYS_MAX)
            fail_usage("--by: more than %d columns", KEYS_MAX);
        keys[(*count)++] = parse_key(table, key);
    }
    free(copy);
}

/* ---- parts ---- */

/* Numbers of 64 bits that a decimal consists of; 1 for shorter ones. */
static unsigned words_of(const struct arrow_column *column)
{
    return column->order == ORDER_DECIMAL && column->size > 8 ? (unsigned)(column->size / 8) : 1;
}

/* Texts and indices become ranks. */
static bool has_ranks(const struct arrow_column *column)
{
    return column->order == ORDER_TEXT || column->order == ORDER_DICTIONARY;
}

static size_t size_of(const struct arrow_column *column)
{
    if (has_ranks(column))
        return sizeof(uint64_t);
    return column->order == ORDER_TRUTH ? 1 : column->order == ORDER_DECIMAL && column->size > 8 ? 8 : column->size;
}

uint64_t table_keys_cost(const struct table_key *keys, size_t count)
{
    uint64_t cost = 0, texts = 0;
    for (size_t i = 0; i < count; i++) {
        const struct arrow_column *column = keys[i].column;
        cost += column->nulls + words_of(column) * size_of(column);
        texts = column->order == ORDER_TEXT ? TEXT_RANKS_COST : texts;
    }
    return cost + texts;
}

static struct key_part *add_part(struct key_parts *parts, scankit_type type, size_t size, bool descending)
{
    if (parts->count == KEYS_MAX)
        fail_usage("--by: more than %d keys; a column with nulls counts as two, and a long decimal as its words",
                   KEYS_MAX);
    struct key_part *part = &parts->part[parts->count++];
    *part = (struct key_part){.column = {.type = type, .size = size, .descending = descending}, .size = size};
    return part;
}

/* Memory for n values, which fill() sets batch by batch. */
struct filling {
    const struct arrow_table *table;
    const struct table_key *key;
    struct key_part *part;
    bool nulls_first;
    unsigned word; /* of a decimal */
    void (*fill)(const struct filling *filling, const struct arrow_batch *batch, unsigned char *to);
};

static void fill_batch(void *state, size_t i, unsigned thread)
{
    const struct filling *filling = state;
    const struct arrow_batch *batch = &filling->table->batches[i];
    (void)thread;
    filling->fill(filling, batch, (unsigned char *)filling->part->memory + batch->first * filling->part->size);
}

static void fill_all(struct filling *filling)
{
    const struct arrow_table *table = filling->table;
    filling->part->memory = get_memory(table->rows * filling->part->size);
    filling->part->column.data = filling->part->memory;
    crew_run(table->threads, table->batch_count, fill_batch, filling);
}

static const struct arrow_part *part_of(const struct filling *filling, const struct arrow_batch *batch)
{
    return &batch->parts[filling->key->index];
}

static void fill_nulls(const struct filling *filling, const struct arrow_batch *batch, unsigned char *to)
{
    const struct arrow_part *part = part_of(filling, batch);
    for (uint64_t i = 0; i < batch->rows; i++)
        to[i] = arrow_is_null(part, i) != filling->nulls_first;
}

static void fill_truths(const struct filling *filling, const struct arrow_batch *batch, unsigned char *to)
{
    const struct arrow_part *part = part_of(filling, batch);
    for (uint64_t i = 0; i < batch->rows; i++)
        to[i] = arrow_bit(part->buffers[1].data, i) && !arrow_is_null(part, i);
}

/* Nulls are equal: what their places hold does not count. */
static void fill_values(const struct filling *filling, const struct arrow_batch *batch, unsigned char *to)
{
    const struct arrow_part *part = part_of(filling, batch);
    size_t size = filling->part->size, step = filling->key->column->size;
    const unsigned char *from = part->buffers[1].data + filling->word * size;
    if (size == step)
        memcpy(to, from, batch->rows * size);
    for (uint64_t i = 0; i < batch->rows && size != step; i++)
        memcpy(to + i * size, from + i * step, size);
    for (uint64_t i = 0; i < batch->rows && part->buffers[0].data != NULL; i++)
        if (arrow_is_null(part, i))
            memset(to + i * size, 0, size);
}

/* A column of a single batch is an array already, unless it lies at an odd address. */
static bool is_array(const struct arrow_table *table, const struct table_key *key)
{
    if (table->batch_count != 1 || key->column->nulls || key->column->order != ORDER_NUMBER)
        return false;
    return (uintptr_t)table->batches[0].parts[key->index].buffers[1].data % key->column->size == 0;
}

static scankit_type type_of(const struct arrow_column *column, unsigned word)
{
    if (column->order == ORDER_DECIMAL)
        return column->size == 4 ? SCANKIT_I32 : word + 1 == words_of(column) ? SCANKIT_I64 : SCANKIT_U64;
    return column->order == ORDER_NUMBER ? column->number : column->order == ORDER_TRUTH ? SCANKIT_U8 : SCANKIT_BYTES;
}

static void make_values(struct filling *filling, struct key_parts *parts)
{
    const struct table_key *key = filling->key;
    const struct arrow_column *column = key->column;
    filling->fill = column->order == ORDER_TRUTH ? fill_truths : fill_values;
    for (unsigned word = words_of(column); word-- > 0;) {
        filling->word = word;
        filling->part = add_part(parts, type_of(column, word), size_of(column), key->descending);
        if (is_array(filling->table, key))
            filling->part->column.data = filling->table->batches[0].parts[key->index].buffers[1].data;
        else
            fill_all(filling);
    }
}

static void make_ranks(const struct filling *filling, scankit_context *context, struct key_parts *parts)
{
    struct key_part *part = add_part(parts, SCANKIT_U64, sizeof(uint64_t), filling->key->descending);
    bool is_text = filling->key->column->order == ORDER_TEXT;
    part->memory = (is_text ? text_ranks : dictionary_ranks)(filling->table, filling->key->index, context);
    part->column.data = part->memory;
}

void table_keys_make(const struct arrow_table *table, const struct table_key *keys, size_t count, bool nulls_first,
                     scankit_context *context, struct key_parts *parts)
{
    *parts = (struct key_parts){.n = table->rows};
    for (size_t i = 0; i < count; i++) {
        struct filling filling = {.table = table, .key = &keys[i], .nulls_first = nulls_first};
        if (keys[i].column->nulls) {
            filling.part = add_part(parts, SCANKIT_U8, 1, false);
            filling.fill = fill_nulls;
            fill_all(&filling);
        }
        if (has_ranks(keys[i].column))
            make_ranks(&filling, context, parts);
        else
            make_values(&filling, parts);
    }
}

void table_keys_free(struct key_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        free(parts->part[i].memory);
}
