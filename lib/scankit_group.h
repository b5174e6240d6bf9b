/* scankit_group.h - the primitives over several devices: all GPUs of a host, or the ranks of a cluster.
 *
 * SPDX-License-Identifier: MIT
 *
 * A group has members, numbered from 0. Each is a context with its own part of an array: the array is part 0, then part
 * 1, and so on. Parts have any length, and may be empty. Results equal the results of one context with the whole array,
 * byte for byte, except sums and products of floats, which are added in the order of the parts.
 *
 *     scankit_group *group;
 *     if (scankit_group_open(&group, "cuda:all") != SCANKIT_OK) ...
 *     for (size_t i = 0; i < scankit_group_local(group); i++)
 *         scankit_allocate(scankit_group_context(group, i), &keys[i], n[i] * sizeof(uint32_t)), ...
 *     scankit_group_sort(group, SCANKIT_U32, keys, keys, n, n, NULL);
 *     scankit_group_close(group);
 *
 * Conventions, in addition to scankit.h:
 *
 * - Some or all members are in this process: the local members. Arrays of pointers and of counts have an entry for each
 *   local member, in order. in[i] is memory of local member i's device, and n[i] its number of elements. Where a
 *   comment says "out as in", out[i] may be in[i].
 * - Every process with members makes the same calls in the same order, with the same arguments but for its parts.
 *   Scalar results are the same everywhere.
 * - A call returns when the work of the local members is complete. If a member fails, the call fails on all members,
 *   with the same error.
 * - A group, and the contexts of its members, may be used by one thread at a time.
 * - The workspace of a primitive is, for each member, that of the primitive in scankit.h on its part, and what the
 *   comment says in addition.
 */
#ifndef SCANKIT_GROUP_H
#define SCANKIT_GROUP_H

#include "scankit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. Groups ----------------------------------------------------------------------------------------------------
 */

typedef struct scankit_group scankit_group;

/* Opens a context for each device of a list, and a group of them, all in this process: "cuda:all", every GPU;
 * "cuda:0,1,3", these GPUs, where a GPU may appear more than once; "cpu:2,2", two members with two threads each;
 * otherwise a device of scankit_open(), for a group of one. GPUs copy from each other directly where they can, else
 * through the host. Errors as scankit_open(). */
SCANKIT_API scankit_error scankit_group_open(scankit_group **group, const char *devices);

/* A group of 1 or more open contexts, all of CPUs or all of GPUs, that stay the caller's. */
SCANKIT_API scankit_error scankit_group_of(scankit_group **group, scankit_context *const *contexts, size_t members);

/* Closes the group, and the contexts that scankit_group_open() opened. NULL is allowed. */
SCANKIT_API void scankit_group_close(scankit_group *group);

/* The number of members, and of local members. */
SCANKIT_API size_t scankit_group_members(const scankit_group *group);
SCANKIT_API size_t scankit_group_local(const scankit_group *group);

/* The number of the first local member. The others follow it. */
SCANKIT_API size_t scankit_group_rank(const scankit_group *group);

/* Local member i's context, or NULL. */
SCANKIT_API scankit_context *scankit_group_context(const scankit_group *group, size_t i);

/* One line about the last error: the function, the member, what was wrong. Valid until the next call. */
SCANKIT_API const char *scankit_group_error_detail(const scankit_group *group);

/* Bounds the bytes that a member receives before it merges them, in sorts and merges: these work in as many rounds as
 * that takes. In a round, the exchange of the next one goes on beside the merge. 0, the default: what is fastest.
 * All processes of a group set the same bound. */
SCANKIT_API scankit_error scankit_group_set_memory(scankit_group *group, size_t bytes);

/* ---- 2. Transports: how members of different processes meet ---------------------------------------------------------
 */

/* Memory of a member's device that goes to, or comes from, another member. */
typedef struct scankit_range {
    size_t member;
    void *data; /* of a range to send, only read */
    size_t bytes;
} scankit_range;

/* What a member needs of the others. All members call the same function at the same time. */
typedef struct scankit_transport {
    /* all[m * bytes] gets the `bytes` bytes that member m has at `mine`. Host memory. */
    scankit_error (*allgather)(void *state, const void *mine, void *all, size_t bytes);
    /* Each range to send arrives in a range to receive: for each pair of members the ranges from one to the other match
     * in their order, and have the same size, which is never 0. A member may send to itself. Device memory of the
     * context; its work is complete before the call. On return, ranges to receive are complete and ranges to send may
     * be changed. */
    scankit_error (*exchange)(void *state, scankit_context *context, const scankit_range *send, size_t sends,
                              const scankit_range *receive, size_t receives);
    /* Frees the state. NULL: nothing to free. */
    void (*close)(void *state);
    /* The exchange in two halves, between which the members work: start() returns at once, and finish() when what was
     * started is complete. The lists may be changed after the start, ranges to send after the end. One is under way at
     * a time, and no other function is called meanwhile but allgather. NULL, both: an exchange is done at once. */
    scankit_error (*start)(void *state, scankit_context *context, const scankit_range *send, size_t sends,
                           const scankit_range *receive, size_t receives);
    scankit_error (*finish)(void *state, scankit_context *context);
} scankit_transport;

/* A group with one local member, number `rank` of `members`, that meets the others by a transport. The context stays
 * the caller's. The state belongs to the group if the call succeeds. The table must exist as long as the group. */
SCANKIT_API scankit_error scankit_group_join(scankit_group **group, scankit_context *context, size_t rank,
                                             size_t members, const scankit_transport *transport, void *state);

/* ---- 3. Primitives ------------------------------------------------------------------------------------------------
 */

/* Moves elements of any size between members, in order: part i of the result has out_n[i] elements. These add up to
 * the number of all elements, or less: then the last ones are left out. out overlaps no input. */
SCANKIT_API scankit_error scankit_group_redistribute(scankit_group *group, size_t element_size, const void *const *in,
                                                     const size_t *n, void *const *out, const size_t *out_n);

/* As scankit_scan(). out as in. Each part is read twice: once to reduce it, once to scan it. */
SCANKIT_API scankit_error scankit_group_scan(scankit_group *group, scankit_type type, scankit_operator op,
                                             scankit_scan_kind kind, const void *initial, const void *const *in,
                                             void *const *out, const size_t *n);

/* As scankit_reduce(): *result is the same on all members. */
SCANKIT_API scankit_error scankit_group_reduce(scankit_group *group, scankit_type type, scankit_operator op,
                                               const void *const *in, void *result, const size_t *n);

/* As scankit_segmented_scan(). out as in. Of each part, the elements behind its last head are read twice. */
SCANKIT_API scankit_error scankit_group_segmented_scan(scankit_group *group, scankit_type type, scankit_operator op,
                                                       scankit_scan_kind kind, const void *initial,
                                                       const void *const *in, const uint8_t *const *heads,
                                                       void *const *out, const size_t *n);

/* As scankit_split_predicate(): what matches stays with its member, in matching[i], and so do the others. matching as
 * in. matching or others may be NULL, as may their entries. counts[i], unless counts is NULL, is the number of matches
 * of local member i. options->first is the position of the first element of part 0. */
SCANKIT_API scankit_error scankit_group_compact(scankit_group *group, const scankit_predicate *predicate,
                                                const void *const *in, void *const *matching, void *const *others,
                                                const size_t *n, const scankit_compact_options *options,
                                                size_t *counts);

/* As scankit_compact_positions(): positions[i][...] are positions in the whole array. */
SCANKIT_API scankit_error scankit_group_compact_positions(scankit_group *group, const scankit_predicate *predicate,
                                                          const void *const *in, uint64_t *const *positions,
                                                          const size_t *n, const scankit_compact_options *options,
                                                          size_t *counts);

/* As scankit_split(): the result's part i has out_n[i] elements. offsets are positions in the whole result. out
 * overlaps no input. Workspace: n elements more. */
SCANKIT_API scankit_error scankit_group_split(scankit_group *group, scankit_type type, const void *const *in,
                                              const size_t *n, void *const *out, const size_t *out_n, unsigned bit,
                                              unsigned bits, size_t *offsets);

/* As scankit_run_length_encode(). A run that crosses parts belongs to the member where it begins. runs[i], unless runs
 * is NULL, is the number of runs of local member i; values[i] and counts[i] have room for n[i] each. values and counts
 * may be NULL, and overlap no input. */
SCANKIT_API scankit_error scankit_group_run_length_encode(scankit_group *group, size_t element_size,
                                                          const void *const *in, void *const *values,
                                                          uint64_t *const *counts, const size_t *n,
                                                          const scankit_run_options *options, size_t *runs);

/* As scankit_run_length_decode(): each member decodes its runs. room[i] is that of out[i]; out may be NULL, to count.
 * n[i], unless n is NULL, is the number of elements of local member i. */
SCANKIT_API scankit_error scankit_group_run_length_decode(scankit_group *group, size_t element_size,
                                                          const void *const *values, const uint64_t *const *counts,
                                                          const size_t *runs, void *const *out, const size_t *room,
                                                          size_t *n);

/* As scankit_unique(), for runs as above. */
SCANKIT_API scankit_error scankit_group_unique(scankit_group *group, size_t element_size, const void *const *in,
                                               void *const *out, const size_t *n, const scankit_run_options *options,
                                               size_t *counts);

/* As scankit_reduce_by_key(), for runs as above. keys_out may be NULL; outputs overlap no input. */
SCANKIT_API scankit_error scankit_group_reduce_by_key(scankit_group *group, size_t key_size, const void *const *keys_in,
                                                      scankit_type type, scankit_operator op,
                                                      const void *const *values_in, void *const *keys_out,
                                                      void *const *values_out, const size_t *n,
                                                      const scankit_run_options *options, size_t *runs);

/* The sorts. Part i of the result has out_n[i] elements, whatever the data are: the parts are exact. If all out_n add
 * up to k, less than the number of elements, the result is the first k of them in order (top-k). out as in, where in[i]
 * has room for both. Stable, also across parts.
 *
 * Method: each member sorts its part. Exact splitters are found by selection in several sequences (Varman and others
 * 1991) from samples that narrow in a few rounds. The members exchange ranges, and each merges what it got. Related:
 * Maltenberger, Ilic, Tolovski and Rabl, Evaluating Multi-GPU Sorting with Modern Interconnects, 2022; Ilic and others,
 * RMG Sort, 2023. Workspace in one round: out_n elements more, and n where out_n is less; with overwrite_input and out
 * not in, none if the two are equal. In several rounds, and on GPUs with plenty of memory: n elements more, the
 * workspace of the fastest sort of n, and what the rounds receive, two at a time. */
SCANKIT_API scankit_error scankit_group_sort(scankit_group *group, scankit_type type, const void *const *in,
                                             void *const *out, const size_t *n, const size_t *out_n,
                                             const scankit_sort_options *options);

SCANKIT_API scankit_error scankit_group_sort_pairs(scankit_group *group, scankit_type type, const void *const *keys_in,
                                                   void *const *keys_out, size_t value_size,
                                                   const void *const *values_in, void *const *values_out,
                                                   const size_t *n, const size_t *out_n,
                                                   const scankit_sort_options *options);

/* Positions in the whole array. */
SCANKIT_API scankit_error scankit_group_argsort(scankit_group *group, scankit_type type, const void *const *in,
                                                uint64_t *const *positions, const size_t *n, const size_t *out_n,
                                                const scankit_sort_options *options);

SCANKIT_API scankit_error scankit_group_sort_records(scankit_group *group, size_t record_size, const scankit_key *keys,
                                                     size_t key_count, const void *const *in, void *const *out,
                                                     const size_t *n, const size_t *out_n,
                                                     const scankit_sort_options *options);

/* As scankit_is_sorted(): *first is a position in the whole array, or the number of all elements. */
SCANKIT_API scankit_error scankit_group_is_sorted(scankit_group *group, scankit_type type, const void *const *in,
                                                  const size_t *n, const scankit_sort_options *options, size_t *first);

SCANKIT_API scankit_error scankit_group_is_sorted_records(scankit_group *group, size_t record_size,
                                                          const scankit_key *keys, size_t key_count,
                                                          const void *const *in, const size_t *n, size_t *first);

/* As scankit_merge(), for two arrays over the members, each sorted as a whole. out overlaps no input. Workspace: out_n
 * elements more. */
SCANKIT_API scankit_error scankit_group_merge(scankit_group *group, scankit_type type, const void *const *a,
                                              const size_t *na, const void *const *b, const size_t *nb,
                                              void *const *out, const size_t *out_n,
                                              const scankit_sort_options *options);

SCANKIT_API scankit_error scankit_group_merge_records(scankit_group *group, size_t record_size, const scankit_key *keys,
                                                      size_t key_count, const void *const *a, const size_t *na,
                                                      const void *const *b, const size_t *nb, void *const *out,
                                                      const size_t *out_n);

#ifdef __cplusplus
}
#endif

#endif
