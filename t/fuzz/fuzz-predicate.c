/* fuzz-predicate.c - texts of predicates, for elements of any type or layout. What compiles is run over some elements.
 *
 * Input: a byte that chooses the elements, then the text. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "predicate/draw-predicate.h"
#include "support/oracle.h"

#define ELEMENTS 21
#define DEPTH 6
#define FIRST 12345

static subject chosen_subject(unsigned choice, random_state *random)
{
    *random = random_seeded(choice);
    return choice < ORACLE_TYPES ? subject_of_type((scankit_type)choice) : subject_random(random);
}

size_t fuzz_seed(uint8_t *data, size_t room, random_state *random)
{
    random_state of_subject;
    unsigned choice = (unsigned)random_below(random, 256);
    subject s = chosen_subject(choice, &of_subject);
    char *elements = data_allocate(ELEMENTS, s.element_size);
    subject_fill(&s, elements, ELEMENTS, random);
    expression *tree = draw_predicate(&s, elements, ELEMENTS, FIRST, (unsigned)random_below(random, DEPTH), random);
    char *text = expression_print(tree, random_next(random) & 1, random);
    size_t length = strlen(text) < room - 1 ? strlen(text) : room - 1;
    data[0] = (uint8_t)choice;
    memcpy(data + 1, text, length);
    free(text);
    expression_free(tree);
    free(elements);
    subject_release(&s);
    return 1 + length;
}

/* The elements that match and the others must add up, and positions must rise. */
static void run(scankit_context *ctx, const scankit_predicate *predicate, const subject *s, random_state *random)
{
    char *elements = data_allocate(ELEMENTS, s->element_size);
    uint64_t *positions = data_allocate(ELEMENTS, sizeof *positions);
    scankit_compact_options options = {.first = FIRST}, inverted = {.first = FIRST, .invert = 1};
    size_t count, others;
    subject_fill(s, elements, ELEMENTS, random);
    FUZZ_CHECK(scankit_predicate_element_size(predicate) == s->element_size);
    FUZZ_CHECK(scankit_compact_positions(ctx, predicate, elements, positions, ELEMENTS, &options, &count) ==
               SCANKIT_OK);
    FUZZ_CHECK(scankit_compact(ctx, predicate, elements, elements, ELEMENTS, &inverted, &others) == SCANKIT_OK);
    FUZZ_CHECK(count + others == ELEMENTS);
    for (size_t k = 0; k < count; k++)
        FUZZ_CHECK(positions[k] - FIRST < ELEMENTS && (k == 0 || positions[k] > positions[k - 1]));
    free(positions);
    free(elements);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static scankit_context *ctx;
    fuzz_bytes in = {data, size};
    random_state random;
    scankit_predicate *predicate = NULL;
    const char *reason = NULL;
    size_t where = SIZE_MAX;
    FUZZ_CHECK(ctx != NULL || scankit_open(&ctx, "cpu:1") == SCANKIT_OK);
    subject s = chosen_subject((unsigned)fuzz_number(&in, 1), &random);
    char *text = fuzz_text(&in);
    scankit_error error = subject_compile(&s, text, &predicate, &where, &reason);
    if (error == SCANKIT_OK)
        run(ctx, predicate, &s, &random);
    else
        FUZZ_CHECK(error == SCANKIT_E_SYNTAX && where <= strlen(text) && reason != NULL && *reason != '\0');
    scankit_predicate_destroy(predicate);
    free(text);
    subject_release(&s);
    return 0;
}
