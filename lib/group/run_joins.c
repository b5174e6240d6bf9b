/* run_joins.c - see run_joins.h. */
#include "run_joins.h"

#include <stdlib.h>
#include <string.h>

/* ---- does a run come in from before? ---- */

static bool are_equal(const sk_run_part *part, const char *a, const char *b)
{
    const scankit_run_options *options = part->options;
    if (options == NULL || options->key_count == 0)
        return memcmp(a, b, part->element_size) == 0;
    for (size_t i = 0; i < options->key_count; i++) {
        const scankit_key *key = &options->keys[i];
        if (memcmp(a + key->offset, b + key->offset, sk_keys_size(key, 1)) != 0)
            return false;
    }
    return true;
}

/* The ends of a part, as they are gathered: n, the first element, the last one. */
static size_t ends_size(const sk_run_part *part)
{
    return sizeof part->n + 2 * part->element_size;
}

static scankit_error download_ends(sk_member *member, const sk_run_part *part, char *ends)
{
    const size_t size = part->element_size;
    memset(ends, 0, ends_size(part));
    memcpy(ends, &part->n, sizeof part->n);
    if (part->n == 0)
        return SCANKIT_OK;
    ends += sizeof part->n;
    SK_TRY(scankit_download(member->context, ends, part->in, size));
    return scankit_download(member->context, ends + size, part->in + (part->n - 1) * size, size);
}

/* The part begins as the last part before it that has elements ends. */
static bool begins_as_before(const sk_member *member, const sk_run_part *part, const char *ends)
{
    const size_t size = ends_size(part);
    const char *mine = ends + member->rank * size + sizeof part->n;
    for (size_t m = member->rank; part->n > 0 && m-- > 0;) {
        const char *other = ends + m * size;
        size_t n;
        memcpy(&n, other, sizeof n);
        if (n > 0)
            return are_equal(part, other + sizeof n + part->element_size, mine);
    }
    return false;
}

/* ---- how long is the first run? ---- */

#define FIRST_LOOK 4096 /* elements */

static scankit_error is_one_run(sk_member *member, const sk_run_part *part, size_t begin, size_t end, bool *one)
{
    size_t runs;
    SK_TRY(scankit_run_length_encode(member->context, part->element_size, part->in + begin * part->element_size, NULL,
                                     NULL, end - begin, part->options, &runs));
    *one = runs == 1;
    return SCANKIT_OK;
}

/* Looks ahead over twice as many elements each time, then halves the stretch where the run ends. */
static scankit_error first_run(sk_member *member, const sk_run_part *part, size_t *length)
{
    size_t equal = 1, end = 1;
    bool one = true;
    for (size_t step = FIRST_LOOK; one && equal < part->n; step *= 2) {
        end = part->n - equal > step ? equal + step : part->n;
        SK_TRY(is_one_run(member, part, equal - 1, end, &one));
        if (one)
            equal = end;
    }
    while (!one && end - equal > 1) {
        size_t middle = equal + (end - equal) / 2;
        bool until_middle;
        SK_TRY(is_one_run(member, part, equal - 1, middle, &until_middle));
        *(until_middle ? &equal : &end) = middle;
    }
    *length = equal;
    return SCANKIT_OK;
}

scankit_error sk_find_run_from_before(sk_member *member, const sk_run_part *part, size_t *skip)
{
    char *mine = sk_host_array(member->members + 1, ends_size(part));
    if (mine == NULL)
        return SCANKIT_E_MEMORY;
    char *ends = mine + ends_size(part);
    scankit_error error;
    *skip = 0;
    SK_TRY_GOTO(download_ends(member, part, mine));
    SK_TRY_GOTO(sk_gather(member, mine, ends, ends_size(part)));
    if (begins_as_before(member, part, ends))
        error = first_run(member, part, skip);
done:
    free(mine);
    return error;
}

/* ---- where does the last run end? ---- */

scankit_error sk_gather_run_shares(sk_member *member, const sk_run_share *mine, sk_run_share **shares)
{
    *shares = sk_host_array(member->members, sizeof **shares);
    return *shares == NULL ? SCANKIT_E_MEMORY : sk_gather(member, mine, *shares, sizeof *mine);
}

size_t sk_end_of_run(const sk_member *member, const sk_run_share *shares)
{
    size_t m = member->rank + 1;
    while (m < member->members && shares[m].skip == shares[m].n)
        m++;
    return m < member->members && shares[m].skip > 0 ? m + 1 : m;
}
