/* pivots.c - a sort by pivots with several threads, in the place of its output.
 *
 * A sample gives splitters for parts that fit a core's L2. They are the pivots of a tree of partitions: the array is
 * parted by the middle one, its halves by those in the middle of theirs, and so on. All threads share the first
 * partition: each parts a slice, then they exchange what lies on the wrong side (Heidelberger, Norton and Robinson
 * 1990, "Parallel quicksort using fetch-and-add"). Each half of the threads then shares a half, until a thread is
 * alone. From there on, whoever is free takes the leftmost part that is left: so no thread waits for another's large
 * part, and the beginning of the output is final first. */
#include "cpu/cpu.h"
#include "cpu/turn.h"

#define LOG2_LEAVES_MAX 10
#define LEAVES_MAX (1 << LOG2_LEAVES_MAX)
#define LOG2_OVERSAMPLING 4 /* keys of the sample for each leaf, at least */
#define LOG2_SAMPLE_MIN 8   /* two threads wait for the greater one of two leaves */
#define LEAF_KEYS ((size_t)1 << 16)
#define THREADS_MAX 64

/* Leaves [first, end) of the tree, and their keys. */
typedef struct node {
    unsigned first, end;
} node;

typedef struct pivots {
    const sk_sort_task *task;
    const sk_encode_kernels *encode;
    sk_pivot_function *partition;
    sk_pivot_values_function *partition_values;
    sk_local_values *local_values;
    unsigned size, leaves;
    char *out;
    const uint64_t *splitters; /* words of `size` bytes; number i - 1: the least word of leaf i */
    sk_columns scratch[THREADS_MAX];
    size_t offsets[LEAVES_MAX + 1]; /* of leaves, as far as partitions have found them */
    size_t less[THREADS_MAX];       /* by thread: keys of its slice that are less than the pivot */
    sk_front *front;
    /* Nodes that are left. The leftmost is the last one. */
    _Alignas(64) atomic_flag busy;
    unsigned count;
    atomic_uint unsorted; /* leaves */
    node stack[LEAVES_MAX];
} pivots;

/* ---- the sample ---- */

static unsigned log2_leaves(size_t n)
{
    unsigned log2 = 1;
    while (log2 < LOG2_LEAVES_MAX && n >> log2 > LEAF_KEYS)
        log2++;
    return log2;
}

/* Of a sample for 2^log2 leaves. */
static unsigned log2_sample(unsigned log2)
{
    log2 += LOG2_OVERSAMPLING;
    return log2 > LOG2_SAMPLE_MIN ? log2 : LOG2_SAMPLE_MIN;
}

/* Sorts a sample and moves the splitters to its beginning. */
static void find_splitters(pivots *p, uint64_t *sample, sk_columns scratch, unsigned log2)
{
    const sk_sort_task *task = p->task;
    size_t n = (size_t)1 << log2_sample(log2), each = n / p->leaves;
    sk_take_sample(task, task->piece, task->in.keys, task->n, log2_sample(log2), sample);
    p->local_values(NULL, NULL, sample, sample, scratch.keys, n);
    for (size_t i = 1; i < p->leaves; i++)
        memmove((char *)sample + (i - 1) * p->size, (char *)sample + i * each * p->size, p->size);
    p->splitters = sample;
}

/* ---- partitions ---- */

static unsigned middle_of(node all)
{
    return (all.first + all.end) / 2;
}

static uint64_t pivot_of(const pivots *p, node all)
{
    return sk_word_at(p->splitters, p->size, middle_of(all) - 1);
}

/* The first partition of all: encodes on its way. */
static size_t part_input(const pivots *p, sk_range keys, uint64_t pivot)
{
    const sk_piece *piece = p->task->piece;
    const char *in = (const char *)p->task->in.keys + keys.begin * p->size;
    char *out = p->out + keys.begin * p->size;
    size_t n = keys.end - keys.begin;
    if (piece == NULL)
        return p->partition(in, out, n, pivot);
    if (!piece->swap)
        return p->partition_values(piece, in, out, n, pivot);
    if (in != out)
        memcpy(out, in, n * p->size);
    p->encode->order(piece, out, n);
    return p->partition(out, out, n, pivot);
}

static void swap_keys(char *restrict a, char *restrict b, size_t bytes)
{
    uint32_t *x = (uint32_t *)(void *)a, *y = (uint32_t *)(void *)b;
    for (size_t i = 0; i < bytes / sizeof *x; i++) {
        uint32_t key = x[i];
        x[i] = y[i];
        y[i] = key;
    }
}

/* Threads [first, first + count) and the keys of a node, of which each has a slice. */
typedef struct sharing {
    unsigned first, count;
    sk_range keys;
} sharing;

static sk_range slice_of(const sharing *s, unsigned member)
{
    sk_range slice = sk_slice(s->keys.end - s->keys.begin, (int)member, (int)s->count);
    return (sk_range){s->keys.begin + slice.begin, s->keys.begin + slice.end};
}

/* Keys on the wrong side of the border, as segments of slices in their order. */
typedef struct walk {
    unsigned member;
    size_t at, end; /* of the segment that is left */
} walk;

/* The part of a member's slice that lies on the wrong side. greater: of keys before the border that belong behind it.
 */
static sk_range wrong_part(const pivots *p, const sharing *s, unsigned member, size_t border, bool greater)
{
    sk_range slice = slice_of(s, member), wrong = slice;
    size_t less_end = slice.begin + p->less[s->first + member];
    if (greater) {
        wrong.begin = less_end;
        wrong.end = sk_min(slice.end, border);
    } else {
        wrong.begin = slice.begin > border ? slice.begin : border;
        wrong.end = less_end;
    }
    wrong.end = wrong.end > wrong.begin ? wrong.end : wrong.begin;
    return wrong;
}

/* Goes on to the next segment, past `skip` keys. False at the end. */
static bool advance(const pivots *p, const sharing *s, walk *w, size_t border, bool greater, size_t skip)
{
    while (w->end - w->at <= skip) {
        skip -= w->end - w->at;
        if (w->member == s->count)
            return false;
        sk_range wrong = wrong_part(p, s, w->member++, border, greater);
        w->at = wrong.begin;
        w->end = wrong.end;
    }
    w->at += skip;
    return true;
}

/* Exchanges a member's share of the keys on the wrong sides. */
static void exchange(const pivots *p, const sharing *s, unsigned member, size_t border)
{
    size_t wrong = 0;
    for (unsigned i = 0; i < s->count; i++) {
        sk_range part = wrong_part(p, s, i, border, true);
        wrong += part.end - part.begin;
    }
    sk_range share = sk_slice(wrong, (int)member, (int)s->count);
    size_t left = share.end - share.begin;
    walk greater = {0, 0, 0}, less = {0, 0, 0};
    advance(p, s, &greater, border, true, share.begin);
    advance(p, s, &less, border, false, share.begin);
    while (left > 0) {
        size_t some = sk_min(left, sk_min(greater.end - greater.at, less.end - less.at));
        swap_keys(p->out + greater.at * p->size, p->out + less.at * p->size, some * p->size);
        left -= some;
        advance(p, s, &greater, border, true, some);
        advance(p, s, &less, border, false, some);
    }
}

/* One thread's part in the partition of a node by several. */
static void part_together(pivots *p, node all, const sharing *s, unsigned member, bool first, int team)
{
    sk_range mine = slice_of(s, member);
    char *keys = p->out + mine.begin * p->size;
    size_t *less = &p->less[s->first + member];
    if (first)
        *less = part_input(p, mine, pivot_of(p, all));
    else
        *less = p->partition(keys, keys, mine.end - mine.begin, pivot_of(p, all));
    sk_cpu_wait(team);
    size_t border = s->keys.begin;
    for (unsigned i = 0; i < s->count; i++)
        border += p->less[s->first + i];
    exchange(p, s, member, border);
    if (member == 0)
        p->offsets[middle_of(all)] = border;
    sk_cpu_wait(team);
}

/* ---- parts, each by one thread ---- */

static void push(pivots *p, node part)
{
    sk_spin_lock(&p->busy);
    p->stack[p->count++] = part;
    sk_spin_unlock(&p->busy);
}

/* The leftmost node that is left. Waits while others may still leave some; false if all leaves are taken. */
static bool pop(pivots *p, node *part)
{
    for (unsigned spins = 0; atomic_load_explicit(&p->unsorted, memory_order_acquire) > 0; spins++) {
        sk_spin_lock(&p->busy);
        bool some = p->count > 0;
        if (some)
            *part = p->stack[--p->count];
        sk_spin_unlock(&p->busy);
        if (some)
            return true;
        sk_before_next_look(spins);
    }
    return false;
}

static void sort_leaf(pivots *p, unsigned leaf, int thread)
{
    size_t begin = p->offsets[leaf], n = p->offsets[leaf + 1] - begin;
    char *keys = p->out + begin * p->size;
    if (n > 0)
        p->local_values(NULL, p->task->piece, keys, keys, p->scratch[thread].keys, n);
    sk_front_done(p->front, p->offsets, leaf);
    atomic_fetch_sub_explicit(&p->unsorted, 1, memory_order_acq_rel);
}

/* Parts a node, leaves its right side to others, and goes on with the left one. */
static void sort_node(pivots *p, node all, int thread)
{
    while (all.end - all.first > 1) {
        unsigned middle = middle_of(all);
        size_t begin = p->offsets[all.first], n = p->offsets[all.end] - begin;
        char *keys = p->out + begin * p->size;
        p->offsets[middle] = begin + (n > 0 ? p->partition(keys, keys, n, pivot_of(p, all)) : 0);
        push(p, (node){middle, all.end});
        all.end = middle;
    }
    sort_leaf(p, all.first, thread);
}

/* Node `number` of the level of the tree that has `nodes` nodes. */
static node node_of(const pivots *p, unsigned number, unsigned nodes)
{
    return (node){number * (p->leaves / nodes), (number + 1) * (p->leaves / nodes)};
}

static void sort_by_pivots(void *state, int thread, int team)
{
    pivots *p = state;
    unsigned nodes = 1, me = (unsigned)thread, all = (unsigned)team;
    for (; nodes == 1 || (2 * nodes <= all && nodes < p->leaves); nodes *= 2) {
        unsigned number = me * nodes / all, first = (number * all + nodes - 1) / nodes;
        unsigned end = ((number + 1) * all + nodes - 1) / nodes;
        node part = node_of(p, number, nodes);
        sharing s = {first, end - first, {p->offsets[part.first], p->offsets[part.end]}};
        part_together(p, part, &s, me - first, nodes == 1, team);
    }
    if (me == 0)
        for (unsigned i = nodes; i-- > 0;)
            push(p, node_of(p, i, nodes));
    node part;
    while (pop(p, &part))
        sort_node(p, part, thread);
}

/* ---- the sort ---- */

static bool take_scratch(pivots *p, int team, unsigned log2, uint64_t **sample)
{
    sk_columns words;
    for (int thread = 0; thread < team; thread++)
        if (!sk_take_columns(p->task->device, p->task->shape, SK_LOCAL_ROOM(SK_LOCAL_FEW), &p->scratch[thread]))
            return false;
    if (!sk_take_columns(p->task->device, p->task->shape, (size_t)1 << log2_sample(log2), &words))
        return false;
    *sample = words.keys;
    return true;
}

scankit_error sk_sort_pivots(const sk_sort_task *task)
{
    const sk_kernels *kernels = sk_kernels_of(task->device);
    sk_front front = {.progress = &task->device->progress};
    unsigned log2 = log2_leaves(task->n), size = task->shape.key_size;
    int team = sk_cpu_pivot_team(task->device, task->n, size);
    team = team < THREADS_MAX ? team : THREADS_MAX;
    uint64_t *sample;
    pivots p = {.task = task, .encode = kernels->encode, .size = size, .leaves = 1u << log2, .out = task->out.keys};
    p.partition = size == 4 ? kernels->pivot_32 : kernels->pivot_64;
    p.partition_values = size == 4 ? kernels->pivot_values_32 : kernels->pivot_values_64;
    p.local_values = kernels->local_values[__builtin_ctz(size)];
    p.front = front.progress->ready == NULL ? NULL : &front;
    p.offsets[p.leaves] = task->n;
    atomic_flag_clear(&p.busy);
    atomic_init(&p.unsorted, p.leaves);
    if (!take_scratch(&p, team, log2, &sample))
        return SCANKIT_E_MEMORY;
    if (sk_rehearses(task->device))
        return SCANKIT_OK;
    find_splitters(&p, sample, p.scratch[0], log2);
    sk_cpu_together(team, sort_by_pivots, &p);
    return SCANKIT_OK;
}
