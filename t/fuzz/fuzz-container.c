/* fuzz-container.c - files of gpurle, read as gpurle -d reads them. An independent reader (rle-expand.c)
 * must agree with its verdict and content.
 *
 * Input: a byte that says whether CRCs and totals are repaired first, so that damage behind them is reached; the file.
 */
#include <string.h>

#include "fuzz.h"
#include "rle-file.h"
#include "rle/container.h"
#include "survive.h"

#define CONTENT_LIMIT ((size_t)1 << 18)
#define COUNTS 64

size_t fuzz_seed(uint8_t *data, size_t room, random_state *random)
{
    byte_string file = {0};
    size_t containers = 1 + random_size(random, 3);
    for (size_t k = 0; k < containers; k++)
        rle_draw(&file, random);
    size_t size = file.size < room - 1 ? file.size : room - 1;
    data[0] = (uint8_t)random_next(random);
    memcpy(data + 1, file.bytes, size);
    bytes_free(&file);
    return 1 + size;
}

/* What was decoded, up to the limit. */
static struct {
    uint8_t bytes[CONTENT_LIMIT];
    size_t size;
} content;

static void give(const void *bytes, size_t size)
{
    size_t room = CONTENT_LIMIT - content.size;
    if (size > 0)
        memcpy(content.bytes + content.size, bytes, size < room ? size : room);
    content.size += size < room ? size : room;
}

static void expand_runs(const struct container_block *block, size_t element)
{
    const char *values = block->payload.data, *stored = values + block->runs * element;
    uint64_t counts[COUNTS];
    for (uint64_t begin = 0; begin < block->runs; begin += COUNTS) {
        size_t n = block->runs - begin < COUNTS ? (size_t)(block->runs - begin) : COUNTS;
        container_widen(counts, stored + begin * block->width, block->width, n);
        for (size_t k = 0; k < n; k++)
            for (; counts[k] > 0 && content.size < CONTENT_LIMIT; counts[k]--)
                give(values + (begin + k) * element, element);
    }
}

static void decode(void *state)
{
    (void)state;
    static char name[] = "-";
    char *paths[] = {name};
    struct common common = COMMON_DEFAULTS;
    struct container_block block = {0};
    common.parallel = 1;
    struct input *input = inputs_open_bytes(paths, 1, &common);
    struct container container = {.input = input};
    while (container_next(&container)) {
        give(container.prefix.data, container.prefix.used);
        while (container_next_block(&container, &block))
            if (block.kind == CONTAINER_RUNS)
                expand_runs(&block, container.element);
            else
                give(block.payload.data, (size_t)(block.elements * container.element));
    }
    container_free_bytes(&block.payload);
    container_free(&container);
    inputs_close(input, 1);
}

static bool is_content(const byte_string *expected)
{
    size_t size = expected->size < CONTENT_LIMIT ? expected->size : CONTENT_LIMIT;
    return content.size == size && (size == 0 || memcmp(content.bytes, expected->bytes, size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    unsigned choice = (unsigned)fuzz_number(&in, 1);
    rle_field fields[RLE_FIELDS];
    byte_string file = {0}, expected = {0};
    bool more;
    bytes_add(&file, in.at, in.left);
    if (choice & 1)
        rle_walk(&file, true, choice & 2, fields);
    rle_verdict verdict = rle_expand(&file, false, CONTENT_LIMIT, &expected, &more);
    survive_input(file.bytes, file.size);
    content.size = 0;
    bool taken = survive(decode, NULL);
    FUZZ_CHECK(taken ? verdict != RLE_DAMAGED : verdict != RLE_WHOLE);
    FUZZ_CHECK(verdict != RLE_WHOLE || is_content(&expected));
    bytes_free(&file);
    bytes_free(&expected);
    return 0;
}
