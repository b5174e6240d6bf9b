# Sort, merge, split, keys and records.
LIBRARY_TESTS += \
	t/sort/layout.t \
	t/sort/kernels.t \
	t/sort/keys.t \
	t/sort/split.t \
	t/sort/sort.t \
	t/sort/bits.t \
	t/sort/lean.t \
	t/sort/in-place.t \
	t/sort/progress.t \
	t/sort/rooms.t \
	t/sort/pairs.t \
	t/sort/large-passes.t \
	t/sort/argsort.t \
	t/sort/columns.t \
	t/sort/segmented-sort.t \
	t/sort/floats-order.t \
	t/sort/is-sorted.t \
	t/sort/merge.t \
	t/sort/merge-many.t \
	t/sort/records.t \
	t/sort/select.t \
	t/sort/top-k.t

t_sort_layout_t_SOURCES = t/sort/layout.c
t_sort_kernels_t_SOURCES = t/sort/kernels.c
t_sort_keys_t_SOURCES = t/sort/keys.c
t_sort_split_t_SOURCES = t/sort/split.c
t_sort_sort_t_SOURCES = t/sort/sort.c
t_sort_bits_t_SOURCES = t/sort/bits.c
t_sort_lean_t_SOURCES = t/sort/lean.c
t_sort_in_place_t_SOURCES = t/sort/in-place.c
t_sort_progress_t_SOURCES = t/sort/progress.c
t_sort_rooms_t_SOURCES = t/sort/rooms.c
t_sort_pairs_t_SOURCES = t/sort/pairs.c
t_sort_large_passes_t_SOURCES = t/sort/large-passes.c
t_sort_argsort_t_SOURCES = t/sort/argsort.c
t_sort_columns_t_SOURCES = t/sort/columns.c
t_sort_segmented_sort_t_SOURCES = t/sort/segmented-sort.c
t_sort_floats_order_t_SOURCES = t/sort/floats-order.c
t_sort_is_sorted_t_SOURCES = t/sort/is-sorted.c
t_sort_merge_t_SOURCES = t/sort/merge.c
t_sort_merge_many_t_SOURCES = t/sort/merge-many.c
t_sort_records_t_SOURCES = t/sort/records.c
t_sort_select_t_SOURCES = t/sort/select.c
t_sort_top_k_t_SOURCES = t/sort/top-k.c

# Sorts of data of certain shapes.
LIBRARY_TESTS += \
	t/sort/shapes/near-duplicates.t \
	t/sort/shapes/nearly-sorted.t \
	t/sort/shapes/falling.t \
	t/sort/shapes/copies.t \
	t/sort/shapes/runs.t \
	t/sort/shapes/dense.t \
	t/sort/shapes/pivots.t \
	t/sort/shapes/bins.t \
	t/sort/shapes/spread.t

t_sort_shapes_near_duplicates_t_SOURCES = t/sort/shapes/near-duplicates.c
t_sort_shapes_nearly_sorted_t_SOURCES = t/sort/shapes/nearly-sorted.c
t_sort_shapes_falling_t_SOURCES = t/sort/shapes/falling.c
t_sort_shapes_copies_t_SOURCES = t/sort/shapes/copies.c
t_sort_shapes_runs_t_SOURCES = t/sort/shapes/runs.c
t_sort_shapes_dense_t_SOURCES = t/sort/shapes/dense.c
t_sort_shapes_pivots_t_SOURCES = t/sort/shapes/pivots.c
t_sort_shapes_bins_t_SOURCES = t/sort/shapes/bins.c
t_sort_shapes_spread_t_SOURCES = t/sort/shapes/spread.c
