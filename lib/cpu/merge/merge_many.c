/* merge_many.c - merge of k sorted arrays by many threads: exact splitters cut the output into parts, and each thread
 * merges the next part by a tree. */
#include "merge_cuts.h"
#include "merge_tree.h"

#define PARTS_PER_THREAD 4            /* where there is much, so that no thread waits for one that is held up */
#define MUCH_BYTES ((size_t)2 << 20)  /* of a part: with less, the cuts take longer than that wait */
#define PART_BYTES ((size_t)64 << 10) /* of a part, at least */

/* A merge: of columns, of values that are ordered by a piece, or of records. */
typedef struct many_merge {
    sk_device *device;
    sk_merge_form form;
    size_t k, n;         /* arrays, elements in all */
    size_t key_stride;   /* bytes from key to key of an array */
    const char **keys;   /* of each array; begin of the records */
    const void **values; /* NULL: none */
    const size_t *counts;
    sk_columns out; /* records: keys */
    const sk_record_order *records;
    size_t parts, *ranks, *cuts;
    struct worker *workers; /* one a thread */
    bool stream;            /* writes around the caches */
} many_merge;

/* ---- parts ---- */

static int compare_keys(const void *context, const void *x, const void *y)
{
    const many_merge *m = context;
    uint64_t left = 0, right = 0;
    memcpy(&left, x, m->form.shape.key_size);
    memcpy(&right, y, m->form.shape.key_size);
    if (m->form.piece != NULL) {
        m->form.encode->order(m->form.piece, &left, 1);
        m->form.encode->order(m->form.piece, &right, 1);
    }
    left &= m->form.order.mask;
    right &= m->form.order.mask;
    return (left > right) - (left < right);
}

static int compare_records(const void *context, const void *x, const void *y)
{
    const sk_record_order *records = ((const many_merge *)context)->records;
    return records->compare(records->keys, records->key_count, x, y);
}

static size_t count_parts(const many_merge *m)
{
    size_t bytes = m->n * m->key_stride, team = (size_t)sk_cpu_team(m->device, bytes), parts = 1;
    while (parts < team && bytes / (2 * parts) >= PART_BYTES)
        parts *= 2;
    while (team > 1 && parts < PARTS_PER_THREAD * team && bytes / (2 * parts) >= MUCH_BYTES)
        parts *= 2;
    return parts;
}

static bool cut_into_parts(many_merge *m)
{
    m->parts = count_parts(m);
    m->ranks = sk_arena_take(&m->device->workspace, (m->parts + 1) * sizeof *m->ranks);
    m->cuts = sk_arena_take(&m->device->workspace, SK_CUTS_ROOM(m->parts) * m->k * sizeof *m->cuts);
    if (m->ranks == NULL || m->cuts == NULL)
        return false;
    if (sk_rehearses(m->device))
        return true;
    for (size_t p = 0; p <= m->parts; p++)
        m->ranks[p] = p < m->parts ? m->n / m->parts * p / 64 * 64 : m->n;
    const sk_sequences sequences = {
        m->k, m->key_stride, m->keys, m->counts, m->records != NULL ? compare_records : compare_keys, m};
    sk_merge_cut(m->device, &sequences, m->parts, m->ranks, m->cuts);
    return true;
}

/* ---- one part ---- */

typedef struct worker {
    sk_merge_tree tree;
    sk_merge_leaf *leaves;
    sk_columns block; /* of the tree's output, where it is not the merge's */
} worker;

#define OUT_BLOCK ((size_t)1024)

/* The part's pieces that are not empty; returns their number. */
static size_t collect(const many_merge *m, size_t part, sk_merge_leaf *leaves)
{
    const size_t *cuts = m->cuts + part * m->k;
    size_t value_size = m->form.shape.value_size, k = 0;
    for (size_t i = 0; i < m->k; i++) {
        size_t from = cuts[i], to = cuts[m->k + i];
        if (from == to)
            continue;
        leaves[k].in.keys = m->keys[i] + from * m->key_stride;
        leaves[k].in.values = m->values != NULL ? (const char *)m->values[i] + from * value_size : NULL;
        leaves[k++].n = to - from;
    }
    return k;
}

static void copy_part(const many_merge *m, const sk_merge_leaf *leaf, size_t begin)
{
    const sk_kernels *kernels = sk_kernels_of(m->device);
    size_t value_size = m->form.shape.value_size;
    sk_write(kernels, (char *)m->out.keys + begin * m->key_stride, leaf->in.keys, leaf->n * m->key_stride, m->stream);
    if (m->values != NULL)
        sk_write(kernels, (char *)m->out.values + begin * value_size, leaf->in.values, leaf->n * value_size, m->stream);
}

/* Words become values where they are written. */
static void merge_values(const many_merge *m, worker *w, size_t begin)
{
    size_t n;
    for (sk_columns to; to = sk_at(m->form.shape, m->out, begin), (n = sk_merge_tree_pull(&w->tree, to, OUT_BLOCK)) > 0;
         begin += n)
        m->form.encode->value(m->form.piece, to.keys, n);
}

static void merge_records(const many_merge *m, worker *w, size_t begin)
{
    size_t size = m->key_stride, n;
    char *out = (char *)m->out.keys + begin * size;
    const char *const *from = w->block.values;
    while ((n = sk_merge_tree_pull(&w->tree, w->block, OUT_BLOCK)) > 0)
        for (size_t i = 0; i < n; i++, out += size)
            memcpy(out, from[i], size);
}

static void merge_part(void *state, size_t part, int thread)
{
    const many_merge *m = state;
    worker *w = &m->workers[thread];
    size_t begin = m->ranks[part], end = m->ranks[part + 1], k = collect(m, part, w->leaves);
    if (k == 0)
        return;
    if (k == 1) {
        copy_part(m, &w->leaves[0], begin);
        return;
    }
    sk_merge_tree_begin(&w->tree, w->leaves, k);
    if (m->records != NULL)
        merge_records(m, w, begin);
    else if (m->form.piece != NULL)
        merge_values(m, w, begin);
    else
        sk_merge_tree_pull(&w->tree, sk_at(m->form.shape, m->out, begin), end - begin);
}

/* ---- all parts ---- */

static bool open_worker(const many_merge *m, worker *w)
{
    w->leaves = sk_arena_take(&m->device->workspace, m->k * sizeof *w->leaves);
    w->block = (sk_columns){NULL, NULL};
    return w->leaves != NULL && sk_merge_tree_open(m->device, &m->form, m->k, m->n, &w->tree) &&
           (m->records == NULL || sk_take_columns(m->device, m->form.shape, OUT_BLOCK, &w->block));
}

/* The first worker shows how much memory each takes. */
static bool open_workers(many_merge *m, size_t team)
{
    sk_arena *workspace = &m->device->workspace;
    m->workers = sk_arena_take(workspace, team * sizeof *m->workers);
    size_t before = sk_arena_mark(workspace);
    worker first = {0};
    bool opened = m->workers != NULL && open_worker(m, &first);
    size_t each = sk_arena_mark(workspace) - before;
    opened = opened && (team == 1 || sk_arena_reserve(workspace, (team - 1) * each));
    if (!opened || sk_rehearses(m->device))
        return opened;
    m->workers[0] = first;
    for (size_t i = 1; i < team && opened; i++)
        opened = open_worker(m, &m->workers[i]);
    return opened;
}

static scankit_error run(many_merge *m)
{
    sk_arena *workspace = &m->device->workspace;
    size_t mark = sk_arena_mark(workspace);
    scankit_error error = SCANKIT_E_MEMORY;
    m->stream = m->n * m->key_stride >= SK_AROUND_CACHES_BYTES;
    if (!cut_into_parts(m))
        goto done;
    size_t team = sk_min((size_t)sk_cpu_team(m->device, m->n * m->key_stride), m->parts);
    if (!open_workers(m, team))
        goto done;
    if (!sk_rehearses(m->device))
        sk_cpu_each((int)team, m->parts, merge_part, m);
    error = SCANKIT_OK;
done:
    sk_arena_reset(workspace, mark);
    return error;
}

static bool open_arrays(many_merge *m)
{
    m->keys = sk_arena_take(&m->device->workspace, m->k * sizeof *m->keys);
    for (size_t i = 0; i < m->k; i++)
        m->n += m->counts[i];
    return m->keys != NULL;
}

/* Of values or records, in `in`. */
static scankit_error merge_arrays(many_merge *m, const void *const *in)
{
    const size_t mark = sk_arena_mark(&m->device->workspace);
    scankit_error error = SCANKIT_E_MEMORY;
    sk_cpu_ran(m->device, SK_CPU_MERGE_TREE);
    if (open_arrays(m)) {
        if (!sk_rehearses(m->device))
            memcpy(m->keys, in, m->k * sizeof *m->keys);
        error = run(m);
    }
    sk_arena_reset(&m->device->workspace, mark);
    return error;
}

scankit_error sk_merge_columns(sk_device *device, sk_shape shape, uint64_t mask, size_t k, const sk_const_columns *in,
                               const size_t *n, sk_columns out)
{
    size_t mark = sk_arena_mark(&device->workspace);
    many_merge m = {.device = device, .k = k, .key_stride = shape.key_size, .counts = n, .out = out};
    m.form.shape = shape;
    m.form.kernels = sk_merge_choose(device, shape, mask == sk_low_mask(8 * shape.key_size));
    m.form.order.mask = mask;
    scankit_error error = SCANKIT_E_MEMORY;
    if (shape.value_size > 0)
        m.values = sk_arena_take(&device->workspace, k * sizeof *m.values);
    if (open_arrays(&m) && (shape.value_size == 0 || m.values != NULL)) {
        for (size_t i = 0; i < k && !sk_rehearses(device); i++) {
            m.keys[i] = in[i].keys;
            if (m.values != NULL)
                m.values[i] = in[i].values;
        }
        error = run(&m);
    }
    sk_arena_reset(&device->workspace, mark);
    return error;
}

scankit_error sk_cpu_merge_many(sk_device *device, sk_shape shape, size_t k, const sk_const_columns *in,
                                const size_t *n, sk_columns out)
{
    sk_cpu_ran(device, SK_CPU_MERGE_TREE);
    return sk_merge_columns(device, shape, sk_low_mask(8 * shape.key_size), k, in, n, out);
}

/* ---- keys that are not unsigned: encoded as they are read, decoded as they are written ---- */

static void load_values(const sk_merge_form *form, const char *in, sk_columns to, size_t n)
{
    memcpy(to.keys, in, n * form->shape.key_size);
    form->encode->order(form->piece, to.keys, n);
}

scankit_error sk_cpu_merge_many_values(sk_device *device, const sk_piece *piece, size_t k, const void *const *in,
                                       const size_t *n, void *out, bool *done)
{
    const sk_shape shape = {piece->size, 0};
    *done = piece->kind != SK_PIECE_BYTES && (piece->kind != SK_PIECE_UNSIGNED || piece->descending || piece->swap);
    if (!*done)
        return SCANKIT_OK;
    many_merge m = {.device = device, .k = k, .key_stride = piece->size, .counts = n, .out = {out, NULL}};
    m.form = (sk_merge_form){.shape = shape,
                             .kernels = sk_merge_choose(device, shape, true),
                             .order = {UINT64_MAX, NULL},
                             .load = load_values,
                             .stride = piece->size,
                             .encode = sk_kernels_of(device)->encode,
                             .piece = piece};
    return merge_arrays(&m, in);
}

/* ---- records: words and addresses are merged; records are read for their words, and copied while still in a cache
 * ----
 */

static void load_records(const sk_merge_form *form, const char *in, sk_columns to, size_t n)
{
    const char **addresses = to.values;
    form->encode->encode(form->word, form->stride, in, sizeof(uint64_t), to.keys, n);
    for (size_t i = 0; i < n; i++)
        addresses[i] = in + i * form->stride;
}

scankit_error sk_cpu_merge_many_records(sk_device *device, const sk_record_order *order, size_t k,
                                        const void *const *in, const size_t *n, void *out, bool *done)
{
    const sk_shape shape = {8, 8};
    many_merge m = {.device = device, .k = k, .key_stride = order->record_size, .counts = n, .out = {out, NULL}};
    m.records = order;
    m.form = (sk_merge_form){.shape = shape,
                             .kernels = sk_merge_choose(device, shape, true),
                             .order = {UINT64_MAX, order->words == 1 ? NULL : order},
                             .load = load_records,
                             .stride = order->record_size,
                             .encode = sk_kernels_of(device)->encode,
                             .word = &order->word[0]};
    if (order->words > 1)
        m.form.kernels.some = sk_kernels_of(device)->merge_records;
    *done = true;
    return merge_arrays(&m, in);
}
