/* merge_tree.c - merge of many sorted arrays by one thread: see merge_tree.h. */
#include "merge_tree.h"

#define BUFFER_BYTES ((size_t)192 << 10) /* of all nodes: stays in L2 */
#define BLOCK_MAX ((size_t)1024)
#define BLOCK_MIN ((size_t)4 * SK_MERGE_STEP)
#define LEAF_BYTES \
    ((size_t)512 << 10) /* read ahead of records, all leaves together: stays in L2 until they are copied */

/* ---- memory ---- */

static size_t clamp_block(size_t block)
{
    block = block < BLOCK_MIN ? BLOCK_MIN : sk_min(block, BLOCK_MAX);
    return block / SK_MERGE_STEP * SK_MERGE_STEP;
}

bool sk_merge_tree_open(sk_device *device, const sk_merge_form *form, size_t k, size_t n, sk_merge_tree *tree)
{
    *tree = (sk_merge_tree){.form = form};
    if (k > SIZE_MAX / 4096)
        return false;
    tree->block = clamp_block(sk_min(BUFFER_BYTES / (k * sk_element_size(form->shape)), n));
    if (form->load != NULL)
        tree->leaf_block = sk_min(tree->block, clamp_block(LEAF_BYTES / (k * form->stride)));
    tree->nodes = sk_arena_take(&device->workspace, 2 * k * sizeof *tree->nodes);
    tree->before = sk_arena_take(&device->workspace, (k + 1) * sizeof *tree->before);
    return tree->nodes != NULL && tree->before != NULL &&
           sk_take_columns(device, form->shape, k * (tree->block + tree->leaf_block), &tree->buffers);
}

static void take_buffer(sk_merge_tree *tree, sk_merge_node *node, size_t room)
{
    node->buffer = sk_at(tree->form->shape, tree->buffers, tree->used);
    node->at = sk_read(node->buffer);
    node->room = room;
    tree->used += room;
}

/* ---- the tree: each node's children have about as many elements ---- */

static size_t build_leaf(sk_merge_tree *tree, const sk_merge_leaf *leaf)
{
    sk_merge_node *node = &tree->nodes[tree->node_count];
    if (tree->form->load == NULL) {
        *node = (sk_merge_node){.at = leaf->in, .left = leaf->n, .finished = true};
    } else {
        *node = (sk_merge_node){.in = leaf->in.keys, .rest = leaf->n};
        take_buffer(tree, node, tree->leaf_block);
    }
    return tree->node_count++;
}

/* The first leaf of the right half, of leaves [first, end). */
static size_t find_half(const sk_merge_tree *tree, size_t first, size_t end)
{
    const size_t *before = tree->before, half = before[first] + (before[end] - before[first]) / 2;
    size_t low = first + 1, high = end - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (before[middle] < half)
            low = middle + 1;
        else
            high = middle;
    }
    return low > first + 1 && half - before[low - 1] < before[low] - half ? low - 1 : low;
}

static size_t build(sk_merge_tree *tree, const sk_merge_leaf *leaves, size_t first, size_t end)
{
    if (end - first == 1)
        return build_leaf(tree, &leaves[first]);
    size_t half = find_half(tree, first, end), left = build(tree, leaves, first, half);
    size_t right = build(tree, leaves, half, end);
    sk_merge_node *node = &tree->nodes[tree->node_count];
    *node = (sk_merge_node){.child = {left, right}};
    take_buffer(tree, node, tree->block);
    return tree->node_count++;
}

void sk_merge_tree_begin(sk_merge_tree *tree, const sk_merge_leaf *leaves, size_t k)
{
    tree->node_count = tree->used = 0;
    tree->before[0] = 0;
    for (size_t i = 0; i < k; i++)
        tree->before[i + 1] = tree->before[i] + leaves[i].n;
    tree->root = build(tree, leaves, 0, k);
}

/* ---- merging ---- */

static void skip(const sk_merge_form *form, sk_merge_node *node, size_t n)
{
    node->at = sk_read_at(form->shape, node->at, n);
    node->left -= n;
}

static void copy_columns(sk_shape shape, sk_const_columns from, sk_columns to, size_t n)
{
    memmove(to.keys, from.keys, n * shape.key_size);
    if (shape.value_size > 0)
        memmove(to.values, from.values, n * shape.value_size);
}

static size_t move_to(const sk_merge_form *form, sk_merge_node *node, sk_columns out, size_t n)
{
    copy_columns(form->shape, node->at, out, n);
    skip(form, node, n);
    return n;
}

static size_t pull(sk_merge_tree *tree, sk_merge_node *node, sk_columns out, size_t room);

/* Asks memory for what will be loaded next, so that it comes while others are merged. */
static void prefetch(const sk_merge_node *node, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 64)
        __builtin_prefetch(node->in + at, 0, 2);
}

static size_t load(sk_merge_tree *tree, sk_merge_node *node, sk_columns out, size_t room)
{
    size_t n = sk_min(room, node->rest);
    tree->form->load(tree->form, node->in, out, n);
    node->in += n * tree->form->stride;
    node->rest -= n;
    node->finished = node->rest == 0;
    prefetch(node, sk_min(node->rest, node->room) * tree->form->stride);
    return n;
}

/* Fills the node's buffer if few elements are left in it: then all nodes but finished ones have a step's. */
static void refill(sk_merge_tree *tree, sk_merge_node *node)
{
    const sk_merge_form *form = tree->form;
    if (node->finished || node->left >= SK_MERGE_STEP)
        return;
    copy_columns(form->shape, node->at, node->buffer, node->left);
    node->at = sk_read(node->buffer);
    sk_columns to = sk_at(form->shape, node->buffer, node->left);
    node->left += (node->in != NULL ? load : pull)(tree, node, to, node->room - node->left);
}

static uint64_t key_at(const sk_merge_form *form, const sk_merge_node *node, size_t i)
{
    uint64_t key = 0;
    memcpy(&key, (const char *)node->at.keys + i * form->shape.key_size, form->shape.key_size);
    return key & form->order.mask;
}

/* True if element i of x is less than element j of y. */
static bool is_less(const sk_merge_form *form, const sk_merge_node *x, size_t i, const sk_merge_node *y, size_t j)
{
    uint64_t left = key_at(form, x, i), right = key_at(form, y, j);
    const sk_record_order *records = form->order.records;
    if (left != right || records == NULL)
        return left < right;
    const void *const *x_records = x->at.values, *const *y_records = y->at.values;
    return records->compare(records->keys, records->key_count, x_records[i], y_records[j]) < 0;
}

/* One side has less than a step's elements left and gets no more. Copies the other side's elements that come before its
 * first one, then that one. */
static size_t merge_few(const sk_merge_form *form, sk_merge_node *few, sk_merge_node *many, bool few_first,
                        sk_columns out, size_t room)
{
    size_t low = 0, high = sk_min(many->left, room);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool is_before = few_first ? is_less(form, many, middle, few, 0) : !is_less(form, few, 0, many, middle);
        if (is_before)
            low = middle + 1;
        else
            high = middle;
    }
    size_t n = move_to(form, many, out, low);
    if (n < room && (many->left > 0 || many->finished))
        n += move_to(form, few, sk_at(form->shape, out, n), 1);
    return n;
}

/* Merges the children's elements into out. The node ends when both children have. */
static size_t pull(sk_merge_tree *tree, sk_merge_node *node, sk_columns out, size_t room)
{
    const sk_merge_form *form = tree->form;
    sk_merge_node *a = &tree->nodes[node->child[0]], *b = &tree->nodes[node->child[1]];
    for (size_t done = 0;;) {
        refill(tree, a);
        refill(tree, b);
        sk_columns to = sk_at(form->shape, out, done);
        size_t few = sk_min(a->left, b->left), m = sk_min(few, room - done) / SK_MERGE_STEP * SK_MERGE_STEP;
        node->finished = a->left == 0 && b->left == 0;
        if (node->finished || done == room || (done > 0 && m == 0 && few >= SK_MERGE_STEP)) {
            return done;
        } else if (m > 0) {
            size_t of_a = form->kernels.some(a->at, b->at, to, m, &form->order);
            skip(form, a, of_a);
            skip(form, b, m - of_a);
            done += m;
        } else if (few == 0) {
            sk_merge_node *other = a->left > 0 ? a : b;
            done += move_to(form, other, to, sk_min(other->left, room - done));
        } else if (few == a->left) {
            done += merge_few(form, a, b, true, to, room - done);
        } else {
            done += merge_few(form, b, a, false, to, room - done);
        }
    }
}

size_t sk_merge_tree_pull(sk_merge_tree *tree, sk_columns out, size_t room)
{
    sk_merge_node *root = &tree->nodes[tree->root];
    return root->finished ? 0 : pull(tree, root, out, room);
}
