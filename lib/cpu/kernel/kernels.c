/* kernels.c - the table of this instruction set's kernels. */
#include "lanes.h"

const sk_kernels SK_ISA_NAME(sk_kernels) = {
    .partition = SK_ISA_NAME(sk_partition_table),
    .move_blocks = SK_ISA_NAME(sk_move_blocks),
    .local = SK_ISA_NAME(sk_local_table),
    .in_registers = SK_NETWORK_ROWS > 0,
    .by_pivots = SK_HAS_PIVOTS,
#if SK_HAS_PIVOTS
    .pivot_32 = SK_ISA_NAME(sk_pivot_32),
    .pivot_64 = SK_ISA_NAME(sk_pivot_64),
    .pivot_values_32 = SK_ISA_NAME(sk_pivot_values_32),
    .pivot_values_64 = SK_ISA_NAME(sk_pivot_values_64),
#endif
    .sift_32 = SK_ISA_NAME(sk_sift_32),
    .sift_64 = SK_ISA_NAME(sk_sift_64),
    .fill_32 = SK_ISA_NAME(sk_fill_32),
    .fill_64 = SK_ISA_NAME(sk_fill_64),
    .merge = SK_ISA_NAME(sk_merge_table),
    .bitonic_32 = SK_ISA_NAME(sk_bitonic_32),
    .bitonic_64 = SK_ISA_NAME(sk_bitonic_64),
    .bitonic_some_32 = SK_ISA_NAME(sk_bitonic_some_32),
    .bitonic_some_64 = SK_ISA_NAME(sk_bitonic_some_64),
    .merge_values_32 = SK_ISA_NAME(sk_merge_values_32),
    .merge_values_64 = SK_ISA_NAME(sk_merge_values_64),
    .merge_records = SK_ISA_NAME(sk_merge_records),
    .keys = SK_ISA_NAME(sk_key_table),
    .encode = &SK_ISA_NAME(sk_encode_kernels),
    .reverse = SK_ISA_NAME(sk_reverse_table),
    .fold = SK_ISA_NAME(sk_fold),
    .running = SK_ISA_NAME(sk_running),
    .steps = &SK_ISA_NAME(sk_steps),
    .compress = &SK_ISA_NAME(sk_compress),
    .runs = &SK_ISA_NAME(sk_run_kernels),
    .expand = SK_ISA_NAME(sk_expand),
};
