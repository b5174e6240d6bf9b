/* calls-sort.c - sorts, segmented sorts, top-k, sorts of records. */
#include "calls.h"

/* ---- sorts ---- */

static scankit_error sort_by(place *p, scankit_sort_options options)
{
    return place_has(p, p->n * p->size, 0, scankit_sort(p->context, p->type, p->in, p->out, p->n, &options));
}

static scankit_error sort(place *p)
{
    return sort_by(p, (scankit_sort_options){0});
}

static scankit_error sort_descending(place *p)
{
    return sort_by(p, (scankit_sort_options){.descending = 1});
}

static scankit_error sort_hybrid(place *p)
{
    return sort_by(p, (scankit_sort_options){.algorithm = SCANKIT_HYBRID});
}

static scankit_error sort_radix(place *p)
{
    return sort_by(p, (scankit_sort_options){.algorithm = SCANKIT_RADIX});
}

static scankit_error sort_chunk_merge(place *p)
{
    return sort_by(p, (scankit_sort_options){.algorithm = SCANKIT_CHUNK_MERGE});
}

static scankit_error in_place(place *p, const scankit_sort_options *options)
{
    scankit_error error = scankit_copy(p->context, p->out, p->in, p->n * p->size);
    if (error == SCANKIT_OK)
        error = scankit_sort(p->context, p->type, p->out, p->out, p->n, options);
    return place_has(p, p->n * p->size, 0, error);
}

static scankit_error sort_in_place(place *p)
{
    return in_place(p, NULL);
}

static scankit_error sort_lean(place *p)
{
    const scankit_sort_options options = {.overwrite_input = 1};
    return in_place(p, &options);
}

static scankit_error sort_overwriting(place *p)
{
    const scankit_sort_options options = {.overwrite_input = 1};
    scankit_error error = scankit_copy(p->context, p->more, p->in, p->n * p->size);
    if (error == SCANKIT_OK)
        error = scankit_sort(p->context, p->type, p->more, p->out, p->n, &options);
    return place_has(p, p->n * p->size, 0, error);
}

static scankit_error pairs(place *p, size_t value_size)
{
    return place_has(
        p, p->n * p->size, p->n * value_size,
        scankit_sort_pairs(p->context, p->type, p->in, p->out, value_size, p->values, p->more, p->n, NULL));
}

static scankit_error sort_pairs_4(place *p)
{
    return pairs(p, 4);
}

static scankit_error sort_pairs_8(place *p)
{
    return pairs(p, 8);
}

static scankit_error sort_pairs_odd(place *p)
{
    return pairs(p, 3);
}

static scankit_error sort_pairs_in_place(place *p)
{
    scankit_error error = scankit_copy(p->context, p->out, p->in, p->n * p->size);
    if (error == SCANKIT_OK)
        error = scankit_copy(p->context, p->more, p->values, p->n * 3);
    if (error == SCANKIT_OK)
        error = scankit_sort_pairs(p->context, p->type, p->out, p->out, 3, p->more, p->more, p->n, NULL);
    return place_has(p, p->n * p->size, p->n * 3, error);
}

static scankit_error argsort(place *p)
{
    return place_has(p, p->n * 8, 0, scankit_argsort(p->context, p->type, p->in, p->out, p->n, NULL));
}

static scankit_error is_sorted(place *p)
{
    const scankit_sort_options options = {.descending = 1};
    size_t first = 0;
    scankit_error error = scankit_is_sorted(p->context, p->type, p->in, p->n, &options, &first);
    p->host[0] = first;
    return place_has(p, 0, 0, error);
}

static scankit_error sort_columns(place *p)
{
    const scankit_column columns[] = {{p->in, p->type, 0, 0}, {p->values, SCANKIT_U64, 0, 1}};
    return place_has(p, p->n * 8, 0, scankit_sort_columns(p->context, columns, 2, p->out, p->n, NULL));
}

/* ---- segments ---- */

static scankit_error segmented_sort(place *p)
{
    return place_has(p, p->n * p->size, 0,
                     scankit_segmented_sort(p->context, p->type, p->in, p->out, p->n, p->offsets, p->segments, NULL));
}

static scankit_error segmented_sort_pairs(place *p)
{
    return place_has(p, p->n * p->size, p->n * 4,
                     scankit_segmented_sort_pairs(p->context, p->type, p->in, p->out, 4, p->values, p->more, p->n,
                                                  p->offsets, p->segments, NULL));
}

static scankit_error segmented_argsort(place *p)
{
    return place_has(
        p, p->n * 8, 0,
        scankit_segmented_argsort(p->context, p->type, p->in, p->out, p->n, p->offsets, p->segments, NULL));
}

/* ---- top-k ---- */

static scankit_error top_k_of(place *p, size_t k)
{
    return place_has(p, k * p->size, 0, scankit_top_k(p->context, p->type, p->in, p->out, p->n, k, NULL));
}

static scankit_error top_k(place *p)
{
    return top_k_of(p, p->n / 100 + 1);
}

static scankit_error top_half(place *p)
{
    return top_k_of(p, p->n / 2 + 1);
}

static scankit_error top_k_pairs(place *p)
{
    size_t k = p->n / 100 + 1;
    return place_has(p, k * p->size, k * 5,
                     scankit_top_k_pairs(p->context, p->type, p->in, p->out, 5, p->values, p->more, p->n, k, NULL));
}

static scankit_error top_k_positions(place *p)
{
    size_t k = p->n / 100 + 1;
    return place_has(p, k * 8, 0, scankit_top_k_positions(p->context, p->type, p->in, p->out, p->n, k, NULL));
}

/* ---- records ---- */

static const scankit_key short_keys[] = {{.offset = 2, .type = SCANKIT_U32}};
static const scankit_key long_keys[] = {{.offset = 0, .type = SCANKIT_U64}, {.offset = 8, .type = SCANKIT_I32}};

static scankit_error sort_records(place *p)
{
    return place_has(p, p->n * 12, 0, scankit_sort_records(p->context, 12, long_keys, 2, p->in, p->out, p->n, NULL));
}

static scankit_error sort_records_in_place(place *p)
{
    scankit_error error = scankit_copy(p->context, p->out, p->in, p->n * 7);
    if (error == SCANKIT_OK)
        error = scankit_sort_records(p->context, 7, short_keys, 1, p->out, p->out, p->n, NULL);
    return place_has(p, p->n * 7, 0, error);
}

static scankit_error argsort_records(place *p)
{
    return place_has(p, p->n * 8, 0, scankit_argsort_records(p->context, 7, short_keys, 1, p->in, p->out, p->n, NULL));
}

static scankit_error is_sorted_records(place *p)
{
    size_t first = 0;
    scankit_error error = scankit_is_sorted_records(p->context, 12, long_keys, 2, p->in, p->n, &first);
    p->host[0] = first;
    return place_has(p, 0, 0, error);
}

const workspace_call sort_calls[] = {
    {"sort", sort, false, false},
    {"sort, descending", sort_descending, false, false},
    {"sort by hybrid", sort_hybrid, false, false},
    {"sort by radix", sort_radix, false, false},
    {"sort by chunk-merge", sort_chunk_merge, false, false},
    {"sort in place", sort_in_place, false, false},
    {"sort in place, lean", sort_lean, false, false},
    {"sort, overwriting", sort_overwriting, false, false},
    {"sort of pairs with 4 bytes", sort_pairs_4, false, false},
    {"sort of pairs with 8 bytes", sort_pairs_8, false, false},
    {"sort of pairs with 3 bytes", sort_pairs_odd, false, false},
    {"sort of pairs in place", sort_pairs_in_place, false, false},
    {"argsort", argsort, false, false},
    {"is_sorted", is_sorted, true, false},
    {"sort of columns", sort_columns, false, false},
    {"segmented sort", segmented_sort, false, true},
    {"segmented sort of pairs", segmented_sort_pairs, false, true},
    {"segmented argsort", segmented_argsort, false, true},
    {"top-k", top_k, false, true},
    {"top half", top_half, false, false},
    {"top-k of pairs", top_k_pairs, false, true},
    {"top-k positions", top_k_positions, false, true},
    {"sort of records", sort_records, false, false},
    {"sort of records in place", sort_records_in_place, false, false},
    {"argsort of records", argsort_records, false, true},
    {"is_sorted of records", is_sorted_records, true, false},
    {NULL, NULL, false, false},
};
