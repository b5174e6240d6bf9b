/* sieve.c - see sieve.h. */
#include "sieve.h"

size_t sk_sieve_bytes(const sk_selection *what, size_t n)
{
    return what->program != NULL ? sk_evaluator_bytes(what->program, n) : 0;
}

void sk_sieve_open(sk_sieve *sieve, const sk_kernels *kernels, const sk_selection *what, size_t n, void *memory)
{
    *sieve = (sk_sieve){.what = what, .kernels = kernels, .block = sk_min(SK_STEP_VALUES, n)};
    if (what->program == NULL)
        return;
    sk_evaluator_open(&sieve->evaluator, kernels, what->program, n, memory);
    sieve->block = sk_min(sieve->block, sieve->evaluator.block);
    sieve->pick = sk_evaluator_without_test(&sieve->evaluator, kernels, &sieve->test);
    sieve->test.outside ^= what->invert;
    if (sieve->evaluator.as_is)
        sieve->block = n;
}

static size_t pick_block(sk_sieve *sieve, size_t begin, size_t n, sk_sieved to)
{
    const sk_selection *what = sieve->what;
    const uint64_t first = what->first + begin;
    const char *in = (const char *)what->in + begin * what->element_size;
    const void *numbers = sk_evaluate_numbers(&sieve->evaluator, in, first, n);
    return sieve->pick(&sieve->test, numbers, in, n,
                       &(sk_picked){to.matching, to.others, (uint64_t *)(void *)to.positions, first});
}

/* Of a block at most. */
static size_t sieve_block(sk_sieve *sieve, size_t begin, size_t n, sk_sieved to)
{
    const sk_selection *what = sieve->what;
    const sk_compress_kernels *kernels = sieve->kernels->compress;
    const uint64_t first = what->first + begin;
    const size_t size = what->element_size;
    const char *in = what->in != NULL ? (const char *)what->in + begin * size : NULL;
    uint64_t flags[SK_STEP_VALUES / 64], mask[SK_STEP_VALUES / 64];
    const uint64_t *all = flags;
    if (sieve->pick != NULL)
        return pick_block(sieve, begin, n, to);
    if (what->program != NULL)
        all = sk_evaluate(&sieve->evaluator, in, first, n);
    else
        kernels->masks(what->flags + begin, n, flags);
    if (to.others != NULL) {
        (void)kernels->choose(all, n, !what->invert, mask);
        kernels->move(in, size, mask, n, to.others);
    }
    size_t matched = kernels->choose(all, n, what->invert, mask);
    if (to.matching != NULL)
        kernels->move(in, size, mask, n, to.matching);
    if (to.positions != NULL)
        kernels->positions(mask, n, first, (uint64_t *)(void *)to.positions);
    return matched;
}

static char *behind(char *to, size_t bytes)
{
    return to != NULL ? to + bytes : NULL;
}

size_t sk_sieve_elements(sk_sieve *sieve, size_t begin, size_t n, sk_sieved to)
{
    const size_t size = sieve->what->element_size;
    size_t matched = 0;
    for (size_t done = 0, some, more; done < n; done += some, matched += more) {
        some = sk_min(sieve->block, n - done);
        more = sieve_block(sieve, begin + done, some, to);
        to.matching = behind(to.matching, more * size);
        to.others = behind(to.others, (some - more) * size);
        to.positions = behind(to.positions, more * sizeof(uint64_t));
    }
    return matched;
}
