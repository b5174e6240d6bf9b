# The compiler of predicates.
lib_libscankit_la_SOURCES += \
	lib/predicate/bytes.c \
	lib/predicate/bytes.h \
	lib/predicate/compare.c \
	lib/predicate/compare.h \
	lib/predicate/convert.c \
	lib/predicate/integer.c \
	lib/predicate/integer.h \
	lib/predicate/names.c \
	lib/predicate/names.h \
	lib/predicate/number.c \
	lib/predicate/number.h \
	lib/predicate/parse.c \
	lib/predicate/parse.h \
	lib/predicate/predicate.c \
	lib/predicate/predicate.h \
	lib/predicate/registers.c \
	lib/predicate/registers.h \
	lib/predicate/set.c \
	lib/predicate/set.h \
	lib/predicate/tokens.c \
	lib/predicate/tokens.h \
	lib/predicate/value.c \
	lib/predicate/value.h

include lib/predicate/graph/local.mk
include lib/predicate/join/local.mk
