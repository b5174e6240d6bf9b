/* top_k.c - the first k elements in order. A sample gives a threshold that a few more than k elements pass; one
 * compaction finds these; they are sorted. If too few pass, all are sorted. So the sample decides the time alone. A
 * GPU does all of it by top_first(), without waiting for the host between the steps.
 *
 * Related: Alabi and others, Fast k-selection algorithms for graphics processing units, 2012, who narrow buckets
 * instead; Floyd and Rivest, Expected time bounds for selection, 1975, for the sample. */
#include "internal.h"

/* Elements of the sample: an n / SPARSE-th part between these. More would take longer to sort than it saves, as fewer
 * elements pass its threshold. top_first() sorts a part of it alone. */
#define SAMPLE_LEAST ((size_t)8192)
#define SAMPLE_MOST ((size_t)32768)
#define SAMPLE_MOST_FEW ((size_t)65536)
#define SPARSE 4096
#define LEAST ((size_t)1 << 17) /* elements; fewer are sorted */
#define PART 4                  /* so is the n / PART-th part or more */
#define LOOKED 1024             /* keys from the threshold on that are compared with it, at most */
#define SCATTERED 256           /* an n / SCATTERED-th part of positions is sorted, if they are found in any order */

/* For more than SK_TOP_FEW of them, the sample of top_first() has SAMPLED_MANY of the first k on average. It is at most
 * an n / SPARSE_MANY-th part. */
#define SAMPLED_MANY 512
#define SPARSE_MANY 16
#define SAMPLE_MOST_MANY ((size_t)1 << 18)

/* On a CPU, which does not wait between the steps, of fewer than LEAST elements. */
#define HOST_LEAST ((size_t)1 << 11)
#define HOST_SPARSE 16
#define HOST_PART 8

typedef struct top_k {
    scankit_context *context;
    const sk_backend *backend;
    sk_device *device;
    scankit_key key;
    sk_piece piece;
    size_t size; /* bytes of an element */
    const void *in;
    size_t n, k;
    size_t sample; /* elements of it */
    sk_bits bits;
    scankit_algorithm algorithm;
    bool captures; /* into a CUDA graph */
} top_k;

static size_t sample_of(const scankit_context *context, size_t n, size_t most)
{
    if (context->backend->is_host && n < LEAST)
        return n / HOST_SPARSE;
    size_t sample = n / SPARSE < SAMPLE_LEAST ? SAMPLE_LEAST : n / SPARSE;
    return sample < most ? sample : most;
}

/* A capture into a graph has no sample, as it cannot wait. */
static bool is_sampled(const top_k *top)
{
    size_t least = top->backend->is_host ? HOST_LEAST : LEAST, part = top->n < LEAST ? HOST_PART : PART;
    return !top->captures && top->n >= least && top->k <= top->n / part &&
           top->bits.end - top->bits.begin == 8 * top->size;
}

/* Where the result goes: elements, or their positions. One of them is NULL. */
typedef struct top_place {
    char *elements;
    uint64_t *positions;
} top_place;

/* What the sample says, in keys. */
typedef struct threshold {
    uint64_t key;
    size_t sample;   /* its elements */
    size_t equal;    /* those that are the key, if it is a frequent one; else 0 */
    bool is_counted; /* there are no more of these */
} threshold;

/* ---- sorting ---- */

/* The first k of n elements, by a sort of all of them. In sorted order, without positions, or with. */
static scankit_error sort_elements(const top_k *top, const void *in, size_t n, size_t k, void *out)
{
    void *sorted;
    SK_TRY(sk_take(top->context, n, top->size, &sorted));
    SK_TRY(sk_sort_plain(top->context, &top->piece, in, sorted, NULL, n, top->bits, top->algorithm));
    return top->backend->copy(top->device, out, sorted, k * top->size);
}

static scankit_error sort_all(const top_k *top, top_place to)
{
    if (to.elements != NULL)
        return sort_elements(top, top->in, top->n, top->k, to.elements);
    sk_elements elements = {top->in, top->size, top->n};
    uint64_t *positions;
    SK_TRY(sk_take(top->context, top->n, sizeof *positions, &positions));
    SK_TRY(sk_positions(top->context, &elements, &top->key, 1, top->bits, top->algorithm, positions));
    return top->backend->copy(top->device, to.positions, positions, top->k * sizeof *positions);
}

/* The first k of the elements at n positions, which ascend. */
static scankit_error sort_positions(const top_k *top, const uint64_t *positions, size_t n, size_t k, uint64_t *out)
{
    const sk_backend *backend = top->backend;
    unsigned index_size = sk_index_size(n);
    void *elements, *index;
    SK_TRY(sk_take(top->context, n, top->size, &elements));
    SK_TRY(sk_take(top->context, n, index_size, &index));
    SK_TRY(
        backend->gather(top->device, top->size, top->in, top->n, top->in, sizeof *positions, positions, elements, n));
    sk_elements from = {elements, top->size, n};
    SK_TRY(sk_sort_index(top->context, &from, &top->key, 1, top->bits, top->algorithm, index_size, index));
    return backend->gather(top->device, sizeof *positions, positions, n, positions, index_size, index, out, k);
}

static scankit_error sort_numbers(const top_k *top, unsigned size, const void *in, void *out, size_t n)
{
    const scankit_key key = sk_plain_key(size == 1   ? SCANKIT_U8
                                         : size == 2 ? SCANKIT_U16
                                         : size == 4 ? SCANKIT_U32
                                                     : SCANKIT_U64,
                                         NULL);
    const sk_piece piece = sk_piece_of_key(&key);
    return sk_sort_plain(top->context, &piece, in, out, NULL, n, (sk_bits){0, 0}, SCANKIT_AUTO);
}

/* The first k of n keys that lie above their positions. */
static scankit_error sort_entries(const top_k *top, const uint64_t *entries, size_t n, size_t k, uint64_t *out)
{
    const sk_word position = {.count = 1, .piece = {{.mask = UINT32_MAX, .size = sizeof *entries}}};
    void *sorted;
    SK_TRY(sk_take(top->context, n, sizeof *entries, &sorted));
    SK_TRY(sort_numbers(top, sizeof *entries, entries, sorted, n));
    return top->backend->encode(top->device, &position, sizeof *entries, sorted, sizeof *out, out, k);
}

static scankit_error sort_found(const top_k *top, top_place found, size_t n, size_t k, top_place to)
{
    return to.elements != NULL ? sort_elements(top, found.elements, n, k, to.elements)
                               : sort_positions(top, found.positions, n, k, to.positions);
}

/* What top_first() has found but not sorted: elements, or keys above their positions. */
static scankit_error sort_taken(const top_k *top, top_place found, size_t n, top_place to)
{
    return to.elements != NULL ? sort_elements(top, found.elements, n, top->k, to.elements)
                               : sort_entries(top, found.positions, n, top->k, to.positions);
}

/* ---- the threshold ---- */

/* The place in the sorted sample of a key that k of the n elements or more pass. Of the first k, `expected` are sampled
 * on average, and `place` or more with a chance below expected^place / place!, which counts where few are expected. It
 * is also at most the expected place and four standard deviations. */
static size_t place_in_sample(const top_k *top)
{
    double expected = (double)top->k / (double)top->n * (double)top->sample, deviation = 1, chance = 1;
    while (deviation * deviation < expected)
        deviation++;
    size_t most = (size_t)(expected + 4 * deviation) + 4, place = 0;
    while (place < most && chance > 1e-7)
        chance *= expected / (double)++place;
    return place;
}

/* Where the sample of the threshold ends that says if it is frequent. */
static size_t end_in_sample(const top_k *top, size_t place)
{
    size_t end = 2 * place + 16;
    end = end < top->sample ? end : top->sample;
    return end - place < LOOKED ? end : place + LOOKED;
}

/* Between sampled elements. It is odd: data often have a period that is a power of two. */
static size_t stride_of_sample(const top_k *top)
{
    size_t stride = (top->n - 1) / top->sample;
    return stride - (stride % 2 == 0);
}

static uint64_t key_at(const void *keys, size_t size, size_t i)
{
    switch (size) {
    case 1: return ((const uint8_t *)keys)[i];
    case 2: return ((const uint16_t *)keys)[i];
    case 4: return ((const uint32_t *)keys)[i];
    default: return ((const uint64_t *)keys)[i];
    }
}

/* Every stride-th element, as sorted keys. */
static scankit_error sort_sample(const top_k *top, void **sorted)
{
    const sk_word word = {.count = 1, .piece = {top->piece}};
    size_t stride = stride_of_sample(top);
    unsigned size = (unsigned)top->size;
    void *sample;
    SK_TRY(sk_take(top->context, top->sample, top->size, &sample));
    SK_TRY(sk_take(top->context, top->sample, top->size, sorted));
    SK_TRY(top->backend->encode(top->device, &word, stride * top->size, top->in, size, sample, top->sample));
    return sort_numbers(top, size, sample, *sorted, top->sample);
}

/* A key is frequent if the sample has it from the threshold's place to twice that far, or LOOKED times. */
static scankit_error find_threshold(const top_k *top, threshold *found)
{
    uint64_t host[LOOKED];
    size_t place = place_in_sample(top), end = end_in_sample(top, place);
    void *sorted;
    SK_TRY(sort_sample(top, &sorted));
    SK_TRY(
        top->backend->download(top->device, host, (const char *)sorted + place * top->size, (end - place) * top->size));
    if (sk_rehearses(top->device))
        return SCANKIT_OK;
    *found = (threshold){.key = key_at(host, top->size, 0), .sample = top->sample};
    if (key_at(host, top->size, end - place - 1) == found->key)
        found->equal = end - place;
    return SCANKIT_OK;
}

/* ---- selecting ---- */

/* Finds the elements from `begin` on, n of them, whose keys are in [low, high]. */
static scankit_error select(const top_k *top, size_t begin, size_t n, uint64_t low, uint64_t high, bool any_order,
                            top_place to, size_t *count)
{
    sk_bound bound = sk_bound_of(&top->piece, low, high);
    sk_bound_steps steps;
    sk_bound_program(&bound, top->size, &steps);
    const sk_selection selection = {.program = &steps.program,
                                    .bound = &bound,
                                    .any_order = any_order,
                                    .evaluation = SCANKIT_INTERPRET,
                                    .first = begin,
                                    .element_size = top->size,
                                    .n = n,
                                    .in = (const char *)top->in + begin * top->size,
                                    .matching = to.elements,
                                    .positions = to.positions};
    return top->backend->compact(top->device, &selection, count);
}

static scankit_error take_place(const top_k *top, size_t n, top_place to, top_place *room)
{
    *room = (top_place){NULL, NULL};
    return to.elements != NULL ? sk_take(top->context, n, top->size, &room->elements)
                               : sk_take(top->context, n, sizeof *room->positions, &room->positions);
}

static scankit_error copy_found(const top_k *top, top_place found, size_t n, top_place to)
{
    return to.elements != NULL ? top->backend->copy(top->device, to.elements, found.elements, n * top->size)
                               : top->backend->copy(top->device, to.positions, found.positions, n * sizeof(uint64_t));
}

/* The first part of the input that is searched for `wanted` elements that are the threshold. If the sample has
 * at->equal of them or more, a fourth of the part that they say may be enough. A count of them has a standard deviation
 * of its square root. */
static size_t first_part(const top_k *top, const threshold *at, size_t wanted)
{
    double part = (double)wanted / (double)at->equal * (double)at->sample, equal = (double)at->equal, deviation = 1;
    while (deviation * deviation < equal)
        deviation++;
    part = at->is_counted ? part * (1 + 3 * deviation / equal) : part / 4;
    return (part < (double)top->n ? (size_t)part : top->n) + 2 * (top->n / at->sample);
}

/* The first `wanted` elements that are the threshold, from a first part of the input, then from the next, and so on.
 * Each part tells how long the next must be. *taken: how many there were. */
static scankit_error take_equal(const top_k *top, const threshold *at, size_t wanted, top_place room, top_place to,
                                size_t *taken)
{
    size_t each = top->n / at->sample, part = first_part(top, at, wanted);
    *taken = 0;
    for (size_t begin = 0; wanted > 0 && begin < top->n;) {
        size_t n = top->n - begin < part ? top->n - begin : part, found, count;
        SK_TRY(select(top, begin, n, at->key, at->key, false, room, &found));
        count = found < wanted ? found : wanted;
        SK_TRY(copy_found(top, room, count, to));
        begin += n;
        wanted -= count;
        *taken += count;
        part = found / 2 < wanted ? 2 * part : part / 2 + 2 * each;
        if (to.elements != NULL)
            to.elements += count * top->size;
        else
            to.positions += count;
    }
    return SCANKIT_OK;
}

static scankit_error sort_ascending(const top_k *top, uint64_t **positions, size_t n)
{
    uint64_t *sorted;
    SK_TRY(sk_take(top->context, n, sizeof *sorted, &sorted));
    SK_TRY(sort_numbers(top, sizeof *sorted, *positions, sorted, n));
    *positions = sorted;
    return SCANKIT_OK;
}

/* Finds the elements whose keys are up to `high`, to be sorted. So they may have any order; but not their positions,
 * which are found in any order and sorted (to another place) if few are expected, and found again if there are many. */
static scankit_error select_first(const top_k *top, uint64_t high, top_place *to, size_t *count)
{
    size_t few = top->n / SCATTERED;
    bool any_order = to->elements != NULL || top->k <= few / 4;
    SK_TRY(select(top, 0, top->n, 0, high, any_order, *to, count));
    if (to->elements != NULL || !any_order)
        return SCANKIT_OK;
    if (sk_rehearses(top->device))
        return sort_ascending(top, &to->positions, few);
    if (*count > few)
        return select(top, 0, top->n, 0, high, false, *to, count);
    return *count > 0 ? sort_ascending(top, &to->positions, *count) : SCANKIT_OK;
}

/* A frequent threshold: the elements before it are sorted, and the first ones that equal it follow. *taken is less than
 * k if the threshold is frequent in the sample alone. */
static scankit_error take_around(const top_k *top, const threshold *at, top_place room, top_place to, size_t *taken)
{
    size_t before = 0, equal = 0;
    top_place found = room;
    if (at->key > 0)
        SK_TRY(select_first(top, at->key - 1, &found, &before));
    size_t k = before < top->k ? before : top->k;
    if (k > 0)
        SK_TRY(sort_found(top, found, before, k, to));
    if (to.elements != NULL)
        to.elements += k * top->size;
    else
        to.positions += k;
    if (k < top->k)
        SK_TRY(take_equal(top, at, top->k - k, room, to, &equal));
    *taken = k + equal;
    return SCANKIT_OK;
}

/* The sample may be misleading: then all elements are found, or so few that all are sorted. */
static scankit_error rehearse(const top_k *top, top_place room, top_place to)
{
    size_t mark = sk_arena_mark(&top->device->workspace), found;
    SK_TRY(select_first(top, 0, &room, &found));
    SK_TRY(sort_found(top, room, top->n, top->k, to));
    sk_arena_reset(&top->device->workspace, mark);
    return sort_all(top, to);
}

/* Elements of the sample of top_first(). */
static size_t sample_of_first(const top_k *top)
{
    if (top->k <= SK_TOP_FEW)
        return sample_of(top->context, top->n, SAMPLE_MOST_FEW);
    size_t sample = top->n / top->k * SAMPLED_MANY, most = top->n / SPARSE_MANY;
    most = most < SAMPLE_MOST_MANY ? most : SAMPLE_MOST_MANY;
    return sample < most ? sample : most;
}

/* What top_first() finds may need to be sorted. */
static scankit_error rehearse_taken(const top_k *top, top_place found, size_t room, top_place to)
{
    size_t mark = sk_arena_mark(&top->device->workspace);
    if (sk_rehearses(top->device) && room > 0)
        SK_TRY(sort_taken(top, found, room, to));
    sk_arena_reset(&top->device->workspace, mark);
    return SCANKIT_OK;
}

/* By the backend alone, if it can. Otherwise end says what it knows. found: room for twice as many elements as are
 * likely to pass the threshold, if top_first() uses it. */
static scankit_error take_at_once(const top_k *top, size_t sample, top_place to, top_place *found, sk_top_end *end)
{
    sk_bound order = sk_bound_of(&top->piece, 0, 0);
    top_k own = *top;
    own.sample = sample;
    size_t place = place_in_sample(&own), stride = stride_of_sample(&own), room = 2 * place * stride;
    room = own.k <= SK_TOP_FEW ? 0 : room < own.n ? room : own.n;
    *found = (top_place){NULL, NULL};
    if (room > 0)
        SK_TRY(take_place(top, room, to, found));
    sk_top_first what = {.order = &order,
                         .element_size = own.size,
                         .n = own.n,
                         .k = own.k,
                         .in = own.in,
                         .samples = own.sample,
                         .stride = stride,
                         .place = place,
                         .end = end_in_sample(&own, place),
                         .elements = to.elements,
                         .positions = to.positions,
                         .found = to.elements != NULL ? (void *)found->elements : (void *)found->positions,
                         .found_room = room};
    *end = (sk_top_end){.done = false};
    SK_TRY(own.backend->top_first(own.device, &what, end));
    return rehearse_taken(top, *found, room, to);
}

/* By a threshold that elements pass in a pass of its own. */
static scankit_error take_passing(const top_k *top, const threshold *at, top_place to)
{
    top_place room;
    size_t found;
    SK_TRY(take_place(top, top->n, to, &room));
    if (sk_rehearses(top->device))
        return rehearse(top, room, to);
    size_t mark = sk_arena_mark(&top->device->workspace);
    if (at->equal > 0)
        SK_TRY(take_around(top, at, room, to, &found));
    else
        SK_TRY(select_first(top, at->key, &room, &found));
    if (found >= top->k)
        return at->equal > 0 ? SCANKIT_OK : sort_found(top, room, found, top->k, to);
    sk_arena_reset(&top->device->workspace, mark);
    return sort_all(top, to);
}

/* *is_over: the backend has waited for all of it. */
static scankit_error take_first(const top_k *top, top_place to, bool *is_over)
{
    size_t sample = sample_of_first(top);
    top_place found;
    sk_top_end end;
    *is_over = false;
    if (!is_sampled(top))
        return sort_all(top, to);
    SK_TRY(take_at_once(top, sample, to, &found, &end));
    *is_over = end.done;
    if (end.done)
        return SCANKIT_OK;
    if (end.found > 0)
        return sort_taken(top, found, end.found, to);
    threshold at = {.key = end.key, .sample = end.counted, .equal = end.equal, .is_counted = true};
    if (!end.has_key)
        SK_TRY(find_threshold(top, &at));
    return take_passing(top, &at, to);
}

/* ---- the functions ---- */

/* Fills in all but the input. Returns what is wrong, or NULL. */
static const char *prepare(top_k *top, scankit_context *context, scankit_type type, size_t n, size_t k,
                           const scankit_sort_options *options)
{
    if (context == NULL)
        return "no context";
    if (scankit_type_size(type) == 0)
        return "no such type";
    scankit_algorithm algorithm = options == NULL ? SCANKIT_AUTO : options->algorithm;
    *top = (top_k){.context = context,
                   .backend = context->backend,
                   .device = context->device,
                   .key = sk_plain_key(type, options),
                   .size = scankit_type_size(type),
                   .n = n,
                   .k = k,
                   .sample = sample_of(context, n, SAMPLE_MOST),
                   .algorithm = algorithm,
                   .captures = context->backend->captures(context->device)};
    top->piece = sk_piece_of_key(&top->key);
    if (!sk_options_bits(type, options, &top->bits))
        return "the range of key bits is not one that the type has";
    if (scankit_algorithm_name(algorithm) == NULL)
        return "no such algorithm";
    return k <= n ? NULL : "there are not k elements";
}

static scankit_error finish(const top_k *top, const char *function, size_t mark, bool is_over, scankit_error error)
{
    if (error == SCANKIT_OK && is_sampled(top) && !is_over && !sk_rehearses(top->device))
        error = top->backend->synchronize(top->device);
    sk_arena_reset(&top->device->workspace, mark);
    return sk_finish(top->context, function, error);
}

scankit_error scankit_top_k(scankit_context *context, scankit_type type, const void *in, void *out, size_t n, size_t k,
                            const scankit_sort_options *options)
{
    top_k top;
    const char *wrong = prepare(&top, context, type, n, k, options);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(sk_is_array(in, n, top.size) && sk_is_array(out, k, top.size), "no arrays of n and k elements");
    SK_REQUIRE(k == 0 || in != out, "the result is the input");
    if (k == 0)
        return SCANKIT_OK;
    top.in = in;
    size_t mark = sk_arena_mark(&top.device->workspace);
    bool is_over;
    scankit_error error = take_first(&top, (top_place){.elements = out}, &is_over);
    return finish(&top, __func__, mark, is_over, error);
}

scankit_error scankit_top_k_positions(scankit_context *context, scankit_type type, const void *in, uint64_t *positions,
                                      size_t n, size_t k, const scankit_sort_options *options)
{
    top_k top;
    const char *wrong = prepare(&top, context, type, n, k, options);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(sk_is_array(in, n, top.size), "the input is no array of n elements");
    SK_REQUIRE(sk_is_array(positions, k, sizeof *positions), "the positions are no array of k elements");
    if (k == 0)
        return SCANKIT_OK;
    top.in = in;
    size_t mark = sk_arena_mark(&top.device->workspace);
    bool is_over;
    scankit_error error = take_first(&top, (top_place){.positions = positions}, &is_over);
    return finish(&top, __func__, mark, is_over, error);
}

/* Gathers keys and values by their positions. */
static scankit_error take_pairs(const top_k *top, void *keys_out, size_t value_size, const void *values_in,
                                void *values_out)
{
    const sk_backend *backend = top->backend;
    uint64_t *positions;
    bool is_over;
    SK_TRY(sk_take(top->context, top->k, sizeof *positions, &positions));
    SK_TRY(take_first(top, (top_place){.positions = positions}, &is_over));
    SK_TRY(backend->gather(top->device, top->size, top->in, top->n, top->in, sizeof *positions, positions, keys_out,
                           top->k));
    return backend->gather(top->device, value_size, values_in, top->n, values_in, sizeof *positions, positions,
                           values_out, top->k);
}

scankit_error scankit_top_k_pairs(scankit_context *context, scankit_type type, const void *keys_in, void *keys_out,
                                  size_t value_size, const void *values_in, void *values_out, size_t n, size_t k,
                                  const scankit_sort_options *options)
{
    top_k top;
    const char *wrong = prepare(&top, context, type, n, k, options);
    SK_REQUIRE(wrong == NULL, wrong);
    SK_REQUIRE(value_size > 0, "values of no bytes");
    SK_REQUIRE(sk_is_array(keys_in, n, top.size) && sk_is_array(keys_out, k, top.size), "no arrays of n and k keys");
    SK_REQUIRE(sk_is_array(values_in, n, value_size) && sk_is_array(values_out, k, value_size),
               "no arrays of n and k values");
    SK_REQUIRE(k == 0 || (keys_in != keys_out && values_in != values_out), "a result is an input");
    if (k == 0)
        return SCANKIT_OK;
    top.in = keys_in;
    size_t mark = sk_arena_mark(&top.device->workspace);
    return finish(&top, __func__, mark, false, take_pairs(&top, keys_out, value_size, values_in, values_out));
}
