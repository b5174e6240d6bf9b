# Predicates.
LIBRARY_TESTS += \
	t/predicate/predicate.t \
	t/predicate/precedence.t \
	t/predicate/division.t \
	t/predicate/errors.t \
	t/predicate/limits.t \
	t/predicate/ranges.t \
	t/predicate/random.t
t_libtest_a_SOURCES += \
	t/predicate/check-predicate.c \
	t/predicate/check-predicate.h \
	t/predicate/draw-literal.c \
	t/predicate/draw-predicate.c \
	t/predicate/draw-predicate.h \
	t/predicate/drawer.h \
	t/predicate/expression.c \
	t/predicate/oracle-predicate.c \
	t/predicate/oracle-predicate.h \
	t/predicate/print-predicate.c \
	t/predicate/subject.c

t_predicate_predicate_t_SOURCES = t/predicate/predicate.c
t_predicate_precedence_t_SOURCES = t/predicate/precedence.c
t_predicate_division_t_SOURCES = t/predicate/division.c
t_predicate_errors_t_SOURCES = t/predicate/errors.c
t_predicate_limits_t_SOURCES = t/predicate/limits.c
t_predicate_ranges_t_SOURCES = t/predicate/ranges.c
t_predicate_random_t_SOURCES = t/predicate/random.c

# Needs no GPU, but the files that the CUDA backend embeds.
if CUDA
LIBRARY_TESTS += t/predicate/run-time.t
endif
t_predicate_run_time_t_SOURCES = t/predicate/run-time.c
t_predicate_run_time_t_CPPFLAGS = $(AM_CPPFLAGS) -DNVCC='"$(NVCC)"'
t/predicate/run_time_t-run-time.$(OBJEXT): cuda/embedded.inc
