# Groups: the primitives over several devices.
include_HEADERS += lib/scankit_group.h
lib_libscankit_la_SOURCES += \
	lib/scankit_group.h \
	lib/group/compact.c \
	lib/group/decode.c \
	lib/group/redistribute.c \
	lib/group/run_joins.c \
	lib/group/run_joins.h \
	lib/group/runs.c \
	lib/group/scan.c \
	lib/group/segmented_scan.c \
	lib/group/split.c \
	lib/group/common/barrier.c \
	lib/group/common/barrier.h \
	lib/group/common/crew.c \
	lib/group/common/crew.h \
	lib/group/common/devices.c \
	lib/group/common/devices.h \
	lib/group/common/fold.c \
	lib/group/common/fold.h \
	lib/group/common/group.c \
	lib/group/common/group.h \
	lib/group/common/in_process.c \
	lib/group/common/member.c \
	lib/group/common/member.h \
	lib/group/common/plan.c \
	lib/group/common/plan.h \
	lib/group/common/slices.c \
	lib/group/common/slices.h \
	lib/group/sort/cuts.c \
	lib/group/sort/cuts.h \
	lib/group/sort/is_sorted.c \
	lib/group/sort/merge.c \
	lib/group/sort/merging.c \
	lib/group/sort/merging.h \
	lib/group/sort/order_of.c \
	lib/group/sort/order_of.h \
	lib/group/sort/rounds.c \
	lib/group/sort/rounds.h \
	lib/group/sort/sort.c
