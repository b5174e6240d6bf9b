/* gallery.h - the classic algorithms: the rows of the gallery's table, for whoever lists, checks or runs them.
 *
 * A row is X(function, name, operators, work, steps, passes, source), and of a sort X(function, name, takes, order,
 * work, steps, passes, source).
 *
 * function: what the device calls, a function of lib/cpu/gallery.c or a template of its own file in cuda/.
 * operators: few, the list SK_GALLERY_OPERATORS; commutative, the commutative ones in that list; all, every type and
 * operator; sizes, elements of every type, moved as words of their size; any, the same as all, for a function that is
 * no template.
 * takes: words, keys and values of 4 or 8 bytes; keys, keys alone; any, what production's sort takes.
 * order: stable or unstable.
 * Work and steps of a block scan count its tile. Passes: how often the whole array is read or written. In the costs of
 * sorts, b is the bits of a key, and c the elements of a chunk that fits on chip. */
#ifndef SK_GALLERY_H
#define SK_GALLERY_H

#include "operators.h"

/* Which operators the textbook algorithms are compiled for: X(type, operator). */
#define SK_GALLERY_OPERATORS(X) X(u32, sum) X(u32, max) X(u32, affine) X(f32, sum) X(f32, max)

#define SK_LIMITS_any ""
#define SK_LIMITS_all ""
#define SK_LIMITS_sizes ""
#define SK_LIMITS_words "keys of 4 or 8 bytes"
#define SK_LIMITS_keys "keys of 4 or 8 bytes, without values"
#define SK_LIMITS_few "u32, f32; sum, max, affine"
#define SK_LIMITS_commutative "commutative operators; u32, f32; sum, max"

/* Each scans the tile of one block; hierarchical_scan() makes of it a scan of any length. */
#define SK_BLOCK_SCANS(X)                                                                                           \
    X(double_buffered, "double-buffered", few, "n log n", "log n", "4", "Hillis and Steele 1986")                   \
    X(work_efficient, "work-efficient", few, "n", "2 log n", "4", "Blelloch 1990")                                  \
    X(conflict_free, "conflict-free", few, "n", "2 log n", "4", "Harris, Sengupta and Owens 2007 (GPU Gems 3, 39)") \
    X(vectorised, "vectorised", few, "n", "2 log n", "4", "Lichterman 2007 (GPU Gems 3, 39)")                       \
    X(kogge_stone, "kogge-stone", few, "n log n", "log n", "4", "Kogge and Stone 1973")                             \
    X(kogge_stone_double_buffered, "kogge-stone-double-buffered", few, "n log n", "log n", "4",                     \
      "Kirk, Hwu and El Hajj 2022 (PMPP, 11.2)")                                                                    \
    X(brent_kung, "brent-kung", few, "n", "2 log n", "4", "Brent and Kung 1982")                                    \
    X(coarsened, "coarsened", few, "n", "n/p + log p", "4", "Kirk, Hwu and El Hajj 2022 (PMPP, 11.5)")              \
    X(warp_shuffle, "warp-shuffle", few, "n log 32", "log n", "4", "Sengupta, Harris and Garland 2008")

#define SK_GRID_SCANS(X)                                                                                        \
    X(naive, "naive", few, "n log n", "log n", "2 log n", "Hillis and Steele 1986; Horn 2005 (GPU Gems 2, 36)") \
    X(sengupta_hybrid, "sengupta-hybrid", few, "n", "2 log n", "7", "Sengupta, Lefohn and Owens 2006")          \
    X(three_kernel, "three-kernel", few, "n", "log n", "4", "Sengupta, Harris, Zhang and Owens 2007")           \
    X(chained, "chained", few, "n", "n/tile", "2", "Yan, Long and Zhang 2013 (StreamScan)")                     \
    X(lookback_thread, "lookback-thread", all, "n", "n/tile", "2", "Merrill and Garland 2016")                  \
    X(cuda_scan_tiles, "lookback-warp", any, "n", "n/(32 tile)", "2", "Merrill and Garland 2016, parallel look-back")

#define SK_REDUCTIONS(X)                                                                                   \
    X(reduce_divergent, "interleaved-divergent", few, "n", "log n", "1", "Harris 2007, kernel 1")          \
    X(reduce_strided, "interleaved-strided", few, "n", "log n", "1", "Harris 2007, kernel 2")              \
    X(reduce_sequential, "sequential-addressing", commutative, "n", "log n", "1", "Harris 2007, kernel 3") \
    X(reduce_shuffle, "warp-shuffle", few, "n", "log n", "1", "Luitjens 2014")                             \
    X(cuda_reduce, "single-pass", any, "n", "n/p + log p", "1", "CUDA programming guide, memory fences")

#define SK_COMPACTIONS(X)                                                                                       \
    X(scan_scatter, "scan-scatter", sizes, "n", "log n", "8", "Blelloch 1990; Harris, Sengupta and Owens 2007") \
    X(gather_search, "gather-search", sizes, "n log n", "log n", "6 + log n", "Horn 2005 (GPU Gems 2, 36)")     \
    X(cuda_compact, "single-pass", any, "n", "n/(32 tile)", "2", "Merrill and Garland 2016")

#define SK_CPU_SCANS(X)                                                                            \
    X(sequential_scan, "sequential", any, "n", "n", "2", "the definition")                         \
    X(two_pass_scan, "two-pass", any, "2 n", "2 n/p + p", "3", "Blelloch 1990, section 1.2")       \
    X(vectorised_scan, "vectorised-cpu", any, "2 n", "2 n/lanes", "2", "one thread of production") \
    X(sk_cpu_scan, "reduce-then-scan", any, "2 n", "2 n/(p lanes)", "2", "production")

#define SK_CPU_REDUCTIONS(X)                                                 \
    X(sequential_reduce, "sequential", any, "n", "n", "1", "the definition") \
    X(sk_cpu_reduce, "strips", any, "n", "n/(p lanes)", "1", "production")

#define SK_CPU_COMPACTIONS(X)                                                 \
    X(sequential_compact, "sequential", any, "n", "n", "2", "the definition") \
    X(sk_cpu_compact, "in-turns", any, "n", "n/p", "2", "production")

#define SK_GALLERY_CUDA_SORTS(X)                                                                                     \
    X(split_radix_sort, "split-radix", words, stable, "n (b + log n)", "b log c + log^2 n", "2 + 2 log(n/c)",        \
      "Harris, Sengupta and Owens 2007 (GPU Gems 3, 39)")                                                            \
    X(gems_sort, "gems", keys, unstable, "n (b + log n log c)", "b log c + n/c log c", "2 + 2 log(n/c)",             \
      "Harris, Sengupta and Owens 2007 (GPU Gems 3, 39)")                                                            \
    X(split_sort, "split", words, stable, "b n", "b log n", "9 b", "Blelloch 1990")                                  \
    X(bitonic_sort, "bitonic", keys, unstable, "n log^2 n", "log^2 n", "2 + log^2(n/c)",                             \
      "Batcher 1968; Govindaraju, Gray, Kumar and Manocha 2006")                                                     \
    X(odd_even_merge_sort, "odd-even-merge", keys, unstable, "n log^2 n", "log^2 n", "2 + log(n/c) log(n c)",        \
      "Batcher 1968")                                                                                                \
    X(digit_sort, "digit-sort", words, stable, "b n", "b log n", "b", "Satish, Harris and Garland 2009")             \
    X(merge_path_sort, "merge-path", words, stable, "n log n", "log^2 n", "2 + 2 log(n/c)",                          \
      "Green, McColl and Bader 2012")                                                                                \
    X(sample_sort, "sample", keys, unstable, "n log n", "log^2 n", "2 + 3 log(n/c)/7",                               \
      "Leischner, Osipov and Sanders 2010")                                                                          \
    X(hybrid_sort, "hybrid-radix", keys, unstable, "b n", "b log n", "2 + 3 log(n/c)/8", "Stehle and Jacobsen 2017") \
    X(onesweep_sort, "onesweep", words, stable, "b n", "b n/c", "1 + b/4", "Adinets and Merrill 2022")

#define SK_GALLERY_CPU_SORTS(X)                                                                                       \
    X(lsd_radix_sort, "lsd-radix", words, stable, "b n", "b n", "3 b/8", "Seward 1954; Knuth 1973 (TAOCP 3, 5.2.5)")  \
    X(american_flag_sort, "american-flag", keys, unstable, "b n", "b n", "3 b/8", "McIlroy, Bostic and McIlroy 1993") \
    X(merge_sort, "merge", words, stable, "n log n", "n/p log n", "2 log n",                                          \
      "von Neumann 1945; Knuth 1973 (TAOCP 3, 5.2.4)")                                                                \
    X(sample_sort_cpu, "sample", keys, unstable, "n log n", "n/p log n", "2 + 5 log(n/c)/7", "Frazer and McKellar 1970")

/* Each a scankit_algorithm, on both devices. */
#define SK_PRODUCTION_SORTS(X)                                                                                     \
    X(HYBRID, "hybrid", any, stable, "b n", "b log n", "2 + 3 log(n/c)/8", "production; Stehle and Jacobsen 2017") \
    X(RADIX, "radix", any, stable, "b n", "b n/c", "1 + b/4", "production; Adinets and Merrill 2022")              \
    X(CHUNK_MERGE, "chunk-merge", any, stable, "n (b + log n)", "log^2 n", "2 + log(n/c)",                         \
      "production; Satish, Harris and Garland 2009")

/* What a backend is asked for: SK_ROW_naive and so on. */
typedef enum sk_gallery_row {
#define X(function, ...) SK_ROW_##function,
    SK_BLOCK_SCANS(X) SK_GRID_SCANS(X) SK_REDUCTIONS(X) SK_COMPACTIONS(X) SK_GALLERY_CUDA_SORTS(X)
#undef X
#define X(function, ...) SK_ROW_cuda_##function,
        SK_PRODUCTION_SORTS(X)
#undef X
#define X(function, ...) SK_ROW_##function,
            SK_CPU_SCANS(X) SK_CPU_REDUCTIONS(X) SK_CPU_COMPACTIONS(X) SK_GALLERY_CPU_SORTS(X)
#undef X
#define X(function, ...) SK_ROW_cpu_##function,
                SK_PRODUCTION_SORTS(X)
#undef X
                    SK_GALLERY_ROWS
} sk_gallery_row;

#endif
