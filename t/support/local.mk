# What the tests share: TAP, oracles, data, random calls.
check_LIBRARIES += t/libtest.a
t_libtest_a_SOURCES = \
	t/support/case-compact.c \
	t/support/case-merge.c \
	t/support/case-merge-many.c \
	t/support/case-records.c \
	t/support/case-rle.c \
	t/support/case-scan.c \
	t/support/case-segmented-sort.c \
	t/support/case-segments.c \
	t/support/case-sort.c \
	t/support/case-split.c \
	t/support/case-top-k.c \
	t/support/case-words.c \
	t/support/cases.h \
	t/support/data.c \
	t/support/data.h \
	t/support/device.c \
	t/support/device.h \
	t/support/draw-call.c \
	t/support/draw-call.h \
	t/support/fill-runs.c \
	t/support/oracle-float.c \
	t/support/oracle-order.c \
	t/support/oracle-rle.c \
	t/support/oracle-sort.c \
	t/support/oracle.c \
	t/support/oracle.h \
	t/support/sanitizer.h \
	t/support/tap.c \
	t/support/tap.h

LDADD = t/libtest.a lib/libscankit.la -lpthread -lm

EXTRA_DIST += t/support/tap.sh
