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
}

size_t sk_sieve_block(sk_sieve *sieve, size_t begin, size_t n, sk_sieved to)
{
    const sk_selection *what = sieve->what;
    const sk_compress_kernels *kernels = sieve->kernels->compress;
    const uint64_t first = what->first + begin;
    const size_t size = what->element_size;
    const char *in = what->in != NULL ? (const char *)what->in + begin * size : NULL;
    uint64_t flags[SK_STEP_VALUES / 64], mask[SK_STEP_VALUES / 64];
    const uint64_t *all = flags;
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
