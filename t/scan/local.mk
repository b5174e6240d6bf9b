# Scan, reduce and their segmented kinds.
LIBRARY_TESTS += \
	t/scan/scan.t \
	t/scan/half.t \
	t/scan/noncommutative.t \
	t/scan/floats.t \
	t/scan/reduce.t \
	t/scan/segmented-scan.t \
	t/scan/segmented-reduce.t \
	t/scan/segmented-floats.t

t_scan_scan_t_SOURCES = t/scan/scan.c
t_scan_noncommutative_t_SOURCES = t/scan/noncommutative.c
t_scan_floats_t_SOURCES = t/scan/floats.c
t_scan_reduce_t_SOURCES = t/scan/reduce.c
t_scan_segmented_scan_t_SOURCES = t/scan/segmented-scan.c
t_scan_segmented_reduce_t_SOURCES = t/scan/segmented-reduce.c
t_scan_segmented_floats_t_SOURCES = t/scan/segmented-floats.c
t_scan_half_t_SOURCES = t/scan/half.c
