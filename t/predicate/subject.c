/* subject.c - elements that predicates are asked about: see draw-predicate.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw-predicate.h"
#include "support/oracle.h"
#include "support/tap.h"

subject subject_of_type(scankit_type type)
{
    size_t size = oracle_size(type);
    return (subject){.x = {.name = "x", .type = type, .size = size}, .element_size = size};
}

subject subject_of_layout(scankit_layout *layout)
{
    return (subject){.layout = layout, .element_size = scankit_layout_size(layout)};
}

subject subject_random(random_state *random)
{
    static const char *const names[] = {"a",  "b",  "price", "x",    "x-1", "_", "B.y", "Total_2",
                                        "in", "id", "e1",    "minn", "u",   "f", "",    "i"};
    scankit_layout *layout;
    size_t count = 1 + random_below(random, 8);
    if (scankit_layout_create(&layout) != SCANKIT_OK)
        tap_bail_out("no memory for a layout");
    for (size_t k = 0; k < count || scankit_layout_size(layout) == 0;) {
        const char *name = names[random_below(random, sizeof names / sizeof *names)];
        scankit_type type = (scankit_type)random_below(random, SCANKIT_BYTES + 1);
        size_t size = 1 + random_size(random, 24);
        if (random_below(random, 3) != 0 && strcmp(name, "i") == 0)
            continue; /* it hides the position */
        k += scankit_layout_append(layout, name, type, size, (int)random_below(random, 2)) == SCANKIT_OK;
        k += random_below(random, 50) == 0; /* in case that names run out */
    }
    return subject_of_layout(layout);
}

void subject_release(subject *s)
{
    scankit_layout_destroy(s->layout);
    s->layout = NULL;
}

size_t subject_count(const subject *s)
{
    return s->layout == NULL ? 1 : scankit_layout_count(s->layout);
}

const scankit_field *subject_field(const subject *s, size_t index)
{
    return s->layout == NULL ? &s->x : scankit_layout_field(s->layout, index);
}

void subject_describe(const subject *s, char *text, size_t room)
{
    size_t used = 0;
    *text = '\0';
    for (size_t f = 0; f < subject_count(s) && used < room; f++) {
        const scankit_field *field = subject_field(s, f);
        used += (size_t)snprintf(text + used, room - used, "%s%s%s%s", f > 0 ? "," : "",
                                 s->layout != NULL ? field->name : "", s->layout != NULL ? ":" : "",
                                 scankit_type_name(field->type));
        if (field->type == SCANKIT_BYTES && used < room)
            used += (size_t)snprintf(text + used, room - used, "%zu", field->size);
        if (field->big_endian && used < room)
            used += (size_t)snprintf(text + used, room - used, " big");
    }
}

/* Short texts of few letters, so that equals and prefixes are frequent; now and then other bytes. */
static void fill_text(unsigned char *bytes, size_t size, random_state *random)
{
    size_t length = random_below(random, size < 3 ? size + 1 : 4);
    memset(bytes, 0, size);
    for (size_t b = 0; b < length; b++)
        bytes[b] = (unsigned char)("abA ~"[random_below(random, 5)]);
    if (random_below(random, 8) == 0)
        bytes[random_below(random, size)] = (unsigned char)random_next(random);
}

static void fill_field(const scankit_field *field, unsigned char *out, size_t stride, size_t n, random_state *random)
{
    size_t size = field->size;
    if (field->type == SCANKIT_BYTES) {
        for (size_t i = 0; i < n; i++)
            fill_text(out + i * stride + field->offset, size, random);
        return;
    }
    unsigned char *column = data_allocate(n, size);
    data_fill(column, field->type, (data_shape)random_below(random, DATA_SHAPE_COUNT), n, random_next(random));
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < size; b++)
            out[i * stride + field->offset + b] = column[i * size + (field->big_endian ? size - 1 - b : b)];
    free(column);
}

void subject_fill(const subject *s, void *out, size_t n, random_state *random)
{
    for (size_t f = 0; f < subject_count(s); f++)
        fill_field(subject_field(s, f), out, s->element_size, n, random);
}

scankit_error subject_compile(const subject *s, const char *text, scankit_predicate **predicate, size_t *where,
                              const char **reason)
{
    if (s->layout == NULL)
        return scankit_predicate_compile(predicate, s->x.type, text, where, reason);
    return scankit_predicate_compile_records(predicate, s->layout, text, where, reason);
}
