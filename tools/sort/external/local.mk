# The external sort: run formation, exact splitters, and the merge by ranges.
tools_libgpusort_a_SOURCES += \
	tools/sort/external/ahead.c \
	tools/sort/external/ahead.h \
	tools/sort/external/items/bound.c \
	tools/sort/external/items/bound.h \
	tools/sort/external/cut.c \
	tools/sort/external/cut.h \
	tools/sort/external/threads/channel.c \
	tools/sort/external/threads/channel.h \
	tools/sort/external/formation.c \
	tools/sort/external/formation.h \
	tools/sort/external/intake.c \
	tools/sort/external/intake.h \
	tools/sort/external/items/items.c \
	tools/sort/external/items/items.h \
	tools/sort/external/merging.c \
	tools/sort/external/merging.h \
	tools/sort/external/plan.c \
	tools/sort/external/plan.h \
	tools/sort/external/pool.c \
	tools/sort/external/pool.h \
	tools/sort/external/range.h \
	tools/sort/external/ranges.c \
	tools/sort/external/ranges.h \
	tools/sort/external/resume.c \
	tools/sort/external/resume.h \
	tools/sort/external/rounds.c \
	tools/sort/external/rounds.h \
	tools/sort/external/run_set.c \
	tools/sort/external/run_set.h \
	tools/sort/external/items/splitters.c \
	tools/sort/external/items/splitters.h \
	tools/sort/external/worker.c \
	tools/sort/external/worker.h
