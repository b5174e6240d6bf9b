# Groups: the primitives over several devices.
include_HEADERS += lib/scankit_group.h
lib_libscankit_la_SOURCES += \
	lib/scankit_group.h \
	lib/group/compact.c \
	lib/group/crew.c \
	lib/group/crew.h \
	lib/group/cuts.c \
	lib/group/cuts.h \
	lib/group/decode.c \
	lib/group/devices.c \
	lib/group/devices.h \
	lib/group/fold.c \
	lib/group/fold.h \
	lib/group/group.c \
	lib/group/group.h \
	lib/group/in_process.c \
	lib/group/is_sorted.c \
	lib/group/member.c \
	lib/group/member.h \
	lib/group/merge.c \
	lib/group/merging.c \
	lib/group/merging.h \
	lib/group/order_of.c \
	lib/group/order_of.h \
	lib/group/plan.c \
	lib/group/plan.h \
	lib/group/redistribute.c \
	lib/group/run_joins.c \
	lib/group/run_joins.h \
	lib/group/runs.c \
	lib/group/scan.c \
	lib/group/segmented_scan.c \
	lib/group/slices.c \
	lib/group/slices.h \
	lib/group/sort.c \
	lib/group/split.c
