/* intake.c - see intake.h. */
#include "intake.h"

#include <stdlib.h>
#include <string.h>

#define STAGE_BYTES ((size_t)1 << 20)
#define STEP_BYTES ((size_t)16 << 20) /* a read; enough for several threads */

void intake_open(struct intake *intake, struct input *inputs, size_t count, const struct schema *schema,
                 const struct items *items, size_t most)
{
    size_t room = schema->size < STAGE_BYTES ? STAGE_BYTES / schema->size : 1;
    *intake = (struct intake){.inputs = inputs, .count = count, .schema = schema, .items = items, .left = UINT64_MAX};
    intake->stage_room = room < most ? room : most;
    if (items->positions)
        intake->stage = get_memory(intake->stage_room * schema->size);
}

void intake_take_from(struct intake *intake, intake_source *source, void *state)
{
    intake->source = source;
    intake->state = state;
}

void intake_close(struct intake *intake)
{
    free(intake->stage);
    free(intake->last);
}

/* ---- the order of inputs that are sorted already ---- */

void intake_check_order(struct intake *intake)
{
    intake->last = get_memory(intake->schema->size);
}

void refuse_order(const struct input *input, uint64_t element)
{
    fail(input->name, "is not sorted: element %llu (%s, counting %s from 0) is out of order",
         (unsigned long long)element, input_place(input, element), input->text != NULL ? "elements" : "both");
}

static void check_order(struct intake *intake, const char *elements, size_t n)
{
    const struct schema *schema = intake->schema;
    const char *before = intake->checked > 0 ? intake->last : elements;
    for (size_t i = 0; i < n; i++) {
        const char *element = elements + i * schema->size;
        if (scankit_compare(schema->keys, schema->key_count, before, element) > 0)
            refuse_order(intake->inputs, intake->checked + i);
        before = element;
    }
    if (n > 0)
        memcpy(intake->last, before, schema->size);
    intake->checked += n;
}

/* ---- reading ---- */

static void next_input(struct intake *intake)
{
    intake->inputs++;
    intake->count--;
    intake->checked = 0;
}

static size_t read_inputs(struct intake *intake, char *memory, size_t n)
{
    size_t size = intake->schema->size, bytes = n * size, done = 0;
    size_t step = STEP_BYTES < size ? size : STEP_BYTES / size * size;
    while (intake->count > 0 && done < bytes) {
        size_t part = bytes - done < step ? bytes - done : step;
        size_t got = input_read(intake->inputs, memory + done, part);
        if (intake->last != NULL)
            check_order(intake, memory + done, got / size);
        done += got;
        if (got < part)
            next_input(intake);
    }
    return done / size;
}

/* Reads up to n elements; fewer only at the end. */
static size_t read_elements(struct intake *intake, char *memory, size_t n)
{
    size_t size = intake->schema->size;
    n = n < intake->left ? n : (size_t)intake->left;
    if (intake->source != NULL)
        n = intake->source(intake->state, memory, n * size) / size;
    else
        n = read_inputs(intake, memory, n);
    intake->position += n;
    intake->left -= n;
    return n;
}

size_t intake_fill(struct intake *intake, char *memory, size_t n)
{
    if (!intake->items->positions)
        return read_elements(intake, memory, n);
    size_t done = 0;
    while (done < n) {
        size_t part = n - done < intake->stage_room ? n - done : intake->stage_room;
        uint64_t position = intake->position;
        size_t got = read_elements(intake, intake->stage, part);
        items_tag(intake->items, intake->schema, intake->stage, got, position, memory + done * intake->items->size);
        done += got;
        if (got < part)
            break;
    }
    return done;
}

/* Passes over elements of a stream: reads them. */
static void read_over(struct intake *intake, uint64_t n)
{
    size_t room = intake->schema->size < STAGE_BYTES ? STAGE_BYTES / intake->schema->size : 1;
    char *memory = get_memory(room * intake->schema->size);
    for (size_t got = room; n > 0 && got > 0; n -= got)
        got = read_elements(intake, memory, n < room ? (size_t)n : room);
    free(memory);
}

void intake_skip(struct intake *intake, uint64_t n)
{
    size_t size = intake->schema->size;
    while (intake->count > 0 && n > 0) {
        struct input *input = intake->inputs;
        if (input->size == SIZE_UNKNOWN) {
            read_over(intake, n);
            return;
        }
        uint64_t left = (input->size - input->taken) / size, part = n < left ? n : left;
        input_skip(input, part * size);
        intake->position += part;
        n -= part;
        if (part == left)
            next_input(intake);
    }
}
