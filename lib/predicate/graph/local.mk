# The graph of steps that a predicate becomes.
lib_libscankit_la_SOURCES += \
	lib/predicate/graph/fault.h \
	lib/predicate/graph/fold.c \
	lib/predicate/graph/fold.h \
	lib/predicate/graph/node.c \
	lib/predicate/graph/node.h
