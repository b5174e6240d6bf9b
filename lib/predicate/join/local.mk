# Tests of one number, joined to one step.
lib_libscankit_la_SOURCES += \
	lib/predicate/join/join.c \
	lib/predicate/join/join.h \
	lib/predicate/join/key_set.c \
	lib/predicate/join/key_set.h \
	lib/predicate/join/tested.c \
	lib/predicate/join/tested.h
