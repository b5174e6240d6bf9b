# The library's tests: a program for each property. They see scankit.h and this folder alone.
LIBRARY_TESTS = \
	t/names.t t/layout.t t/keys.t t/compare.t t/arguments.t t/contexts.t \
	t/scan.t t/scan-noncommutative.t t/scan-floats.t t/reduce.t t/segmented-scan.t \
	t/segmented-reduce.t t/segmented-floats.t t/split.t t/sort.t t/sort-bits.t t/sort-lean.t t/sort-rooms.t \
	t/sort-pairs.t t/argsort.t t/floats-order.t t/is-sorted.t t/merge.t t/records.t \
	t/predicate.t t/predicate-precedence.t t/predicate-errors.t t/predicate-limits.t t/predicate-random.t \
	t/fuzz-predicate.t t/compact.t t/rle.t t/gallery.t \
	t/same-bytes.t t/random.t t/backends.t t/neighbour.t t/workspace.t
LIBRARY_SCRIPT_TESTS = t/layers.t t/call-circles.t

check_PROGRAMS += $(LIBRARY_TESTS)
check_LIBRARIES += t/libtest.a
t_libtest_a_SOURCES = \
	t/tap.c t/tap.h t/data.c t/data.h t/oracle.c t/oracle.h t/oracle-order.c t/oracle-rle.c t/oracle-sort.c t/device.c t/device.h \
	t/cases.h t/case-compact.c t/case-merge.c t/case-records.c t/case-rle.c t/case-scan.c t/case-sort.c \
	t/case-segments.c t/case-split.c t/fill-runs.c \
	t/oracle-predicate.c t/oracle-predicate.h t/expression.c t/print-predicate.c t/subject.c \
	t/draw-call.c t/draw-call.h t/draw-predicate.c t/draw-predicate.h t/draw-literal.c t/drawer.h \
	t/check-predicate.c t/check-predicate.h

LDADD = t/libtest.a lib/libscankit.la -lpthread -lm

t_argsort_t_SOURCES = t/argsort.c
t_arguments_t_SOURCES = t/arguments.c t/arguments.h t/arguments-choice.c t/arguments-none.c
t_backends_t_SOURCES = t/backends.c t/oracle-cpu.c
t_compact_t_SOURCES = t/compact.c
t_compare_t_SOURCES = t/compare.c
t_contexts_t_SOURCES = t/contexts.c
t_floats_order_t_SOURCES = t/floats-order.c
t_fuzz_predicate_t_SOURCES = t/fuzz-predicate.c
t_gallery_t_SOURCES = t/gallery.c
t_is_sorted_t_SOURCES = t/is-sorted.c
t_keys_t_SOURCES = t/keys.c
t_layout_t_SOURCES = t/layout.c
t_merge_t_SOURCES = t/merge.c
t_names_t_SOURCES = t/names.c
t_neighbour_t_SOURCES = t/neighbour.c t/spinner.c t/spinner.h t/work.c t/work.h
t_neighbour_t_LDADD = $(LDADD) -ldl
t_predicate_t_SOURCES = t/predicate.c
t_predicate_errors_t_SOURCES = t/predicate-errors.c
t_predicate_limits_t_SOURCES = t/predicate-limits.c
t_predicate_precedence_t_SOURCES = t/predicate-precedence.c
t_predicate_random_t_SOURCES = t/predicate-random.c
t_random_t_SOURCES = t/random.c
t_records_t_SOURCES = t/records.c
t_reduce_t_SOURCES = t/reduce.c
t_rle_t_SOURCES = t/rle.c
t_same_bytes_t_SOURCES = t/same-bytes.c
t_scan_t_SOURCES = t/scan.c
t_scan_floats_t_SOURCES = t/scan-floats.c
t_scan_noncommutative_t_SOURCES = t/scan-noncommutative.c
t_segmented_floats_t_SOURCES = t/segmented-floats.c
t_segmented_reduce_t_SOURCES = t/segmented-reduce.c
t_segmented_scan_t_SOURCES = t/segmented-scan.c
t_sort_t_SOURCES = t/sort.c
t_sort_bits_t_SOURCES = t/sort-bits.c
t_sort_lean_t_SOURCES = t/sort-lean.c
t_sort_rooms_t_SOURCES = t/sort-rooms.c
t_workspace_t_SOURCES = t/workspace.c t/work.c t/work.h
t_sort_pairs_t_SOURCES = t/sort-pairs.c
t_split_t_SOURCES = t/split.c

# Past 2^32 elements, and millions of calls: gigabytes and minutes, so only when asked for. SCANKIT_TEST_DEVICE=cpu or
# cuda chooses.
LARGE_TESTS = t/large.t t/many-calls.t
EXTRA_PROGRAMS += $(LARGE_TESTS)
t_large_t_SOURCES = t/large.c t/large.h t/large-choice.c t/large-gallery.c t/bulk.c t/bulk.h
t_large_t_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
t_many_calls_t_SOURCES = t/many-calls.c
CLEANFILES += $(LARGE_TESTS)
.PHONY: check-large
check-large: $(LARGE_TESTS)
	if test -n '$(PROVE)'; then $(PROVE) -v -e '' $(LARGE_TESTS); else for t in $(LARGE_TESTS); do ./$$t || exit 1; done; fi

# Texts of predicates for ten minutes; a build with sanitizers sees the most.
.PHONY: check-fuzz
check-fuzz: t/fuzz-predicate.t
	SCANKIT_FUZZ_SECONDS=600 ./t/fuzz-predicate.t
