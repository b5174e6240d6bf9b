/* division.c - see division.h. Blocks say how long they are, so one rank finds all of them without reading them. */
#include "division.h"

#include <stdlib.h>

#include "container.h"
#include "io/npy.h"

/* ---- finding ---- */

static void add(struct division *division, const struct container_part *part)
{
    if (division->count == division->room) {
        division->room = 2 * division->room + 64;
        division->parts = realloc(division->parts, division->room * sizeof *division->parts);
        if (division->parts == NULL)
            fail(NULL, "out of memory");
    }
    division->parts[division->count++] = *part;
}

/* A .npy file begins with its header, so nothing can be joined to it. */
static void add_header(struct division *division, const struct container *container, uint32_t input, bool raw)
{
    const struct container_bytes *prefix = &container->prefix;
    bool npy = npy_ends(prefix->data, prefix->used) && !raw;
    if (division->count > 0 && (npy || division->npy))
        fail(container->input->name, "the content of one container cannot follow that of another in a .npy file; --raw "
                                     "leaves the .npy header out");
    division->npy = npy;
    const struct container_part part = {.offset = container->begin,
                                        .stored = container->input->taken - container->begin,
                                        .bytes = raw ? 0 : prefix->used,
                                        .input = input,
                                        .header = 1,
                                        .element = container->element};
    add(division, &part);
}

static void add_blocks(struct division *division, struct container *container, uint32_t input)
{
    struct container_block block = {.runs = 0};
    while (container_pass_block(container, &block)) {
        const struct container_part part = {.offset = container->part,
                                            .stored = container->input->taken - container->part,
                                            .bytes = block.elements * container->element,
                                            .elements = block.elements,
                                            .input = input,
                                            .element = container->element};
        add(division, &part);
    }
}

void division_find(struct division *division, char *const *paths, size_t count, const struct common *common)
{
    struct input *inputs = inputs_open_bytes(paths, count, common);
    for (size_t i = 0; i < count; i++) {
        struct container container = {.input = &inputs[i]};
        if (!rank_divides(&inputs[i]))
            fail(paths[i], "is compressed or no regular file: ranks of MPI cannot divide such a container");
        while (container_next(&container)) {
            add_header(division, &container, (uint32_t)i, common->raw);
            add_blocks(division, &container, (uint32_t)i);
        }
        container_free(&container);
    }
    inputs_close(inputs, count);
    division->end = division->count;
}

/* ---- dividing ---- */

#define GIVEN_PARTS ((size_t)1 << 20)

static void give(struct division *division)
{
    ranks_give(&division->count, sizeof division->count);
    if (rank_number() > 0)
        division->parts = get_memory(division->count * sizeof *division->parts + 1);
    for (size_t done = 0, n; done < division->count; done += n) {
        n = division->count - done < GIVEN_PARTS ? division->count - done : GIVEN_PARTS;
        ranks_give(division->parts + done, n * sizeof *division->parts);
    }
}

/* Floats, for the bytes of all parts may exceed 64 bits. */
static double work(const struct container_part *part)
{
    return (double)part->stored + (double)part->bytes;
}

/* A part is this rank's if the work before it lies in the rank's even share. */
void division_share(struct division *division)
{
    double all = 0, before = 0, ranks = (double)rank_count(), rank = (double)rank_number();
    bool last = rank_number() + 1 == rank_count();
    give(division);
    for (size_t i = 0; i < division->count; i++)
        all += work(&division->parts[i]);
    division->begin = division->end = 0;
    for (size_t i = 0; i < division->count; i++) {
        division->begin += before < all * rank / ranks;
        division->end += last || before < all * (rank + 1) / ranks;
        before += work(&division->parts[i]);
    }
}

void division_free(struct division *division)
{
    free(division->parts);
}
