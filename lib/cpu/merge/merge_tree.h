/* merge_tree.h - merge of many sorted arrays by one thread: a tree of two-way merges over blocks that stay in the
 * caches, so that memory is read and written once (as the k-mergers of Brodal and Fagerberg 2002, but with buffers of
 * one size).
 */
#ifndef SK_MERGE_TREE_H
#define SK_MERGE_TREE_H

#include "cpu/cpu.h"

/* A sorted array or, where the tree loads, what becomes one. */
typedef struct sk_merge_leaf {
    sk_const_columns in;
    size_t n;
} sk_merge_leaf;

/* What all elements of a tree have in common. */
typedef struct sk_merge_form {
    sk_shape shape;
    sk_merge_kernels kernels;
    sk_merge_order order;
    /* Makes n elements of the shape from what begins at `in`; NULL if leaves are columns already. */
    void (*load)(const struct sk_merge_form *form, const char *in, sk_columns to, size_t n);
    size_t stride; /* of what is loaded */
    const sk_encode_kernels *encode;
    const sk_piece *piece; /* of values that are loaded, or NULL */
    const sk_word *word;   /* of records that are loaded */
} sk_merge_form;

/* A node's elements that the node above has not taken yet. */
typedef struct sk_merge_node {
    sk_const_columns at;
    size_t left;
    bool finished; /* no more will come after those */
    sk_columns buffer;
    size_t room;     /* of the buffer */
    size_t child[2]; /* of inner nodes */
    const char *in;  /* of leaves that load: what is to be loaded */
    size_t rest;
} sk_merge_node;

typedef struct sk_merge_tree {
    const sk_merge_form *form;
    size_t block, leaf_block; /* elements of a buffer */
    sk_merge_node *nodes;
    sk_columns buffers;
    size_t *before; /* before[i]: elements of the leaves before leaf i */
    size_t root, node_count, used;
} sk_merge_tree;

/* Takes memory for a tree of up to k leaves and n elements from the workspace; false where it is short. */
bool sk_merge_tree_open(sk_device *device, const sk_merge_form *form, size_t k, size_t n, sk_merge_tree *tree);

/* Begins a merge of these k arrays, none of them empty. */
void sk_merge_tree_begin(sk_merge_tree *tree, const sk_merge_leaf *leaves, size_t k);

/* Writes the next elements, `room` at most, and returns their number: 0 at the end. */
size_t sk_merge_tree_pull(sk_merge_tree *tree, sk_columns out, size_t room);

#endif
