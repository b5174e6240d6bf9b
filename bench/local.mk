# The data generator, and the benchmark: make bench BENCH_FLAGS='--primitive=sort'.
noinst_PROGRAMS = bench/gendata
bench_gendata_SOURCES = bench/gendata.c bench/draw.c bench/draw.h bench/random.h bench/shapes.c bench/shapes.h
bench_gendata_LDADD = -lm

EXTRA_PROGRAMS += bench/bench
bench_bench_SOURCES = bench/bench.c bench/bench.h bench/compact.c bench/contest.c bench/contest.h bench/data.c \
	bench/gallery.c bench/kept.c bench/kept.h bench/measure.c bench/predicates.h bench/primitives.c bench/rivals.h \
	bench/rle.c bench/runs.c bench/runs.h bench/sort.c bench/summary.c \
	bench/draw.c bench/draw.h bench/goals.c bench/random.h bench/shapes.c bench/shapes.h
bench_bench_LDADD = $(BENCH_RIVALS) lib/libscankit.la $(BENCH_RIVALS_LIBS) -lm
bench_bench_DEPENDENCIES = $(BENCH_RIVALS) lib/libscankit.la
BENCH_RIVALS = bench/rivals.$(OBJEXT)
BENCH_RIVALS_LIBS = $(BENCH_CXX_LIBS)

# The rivals on a CPU are in C++, which the library needs no compiler for.
BENCH_CXX = $(shell command -v $(firstword $(CXX)))
BENCH_CXX_LIBS = $(if $(BENCH_CXX),-lstdc++)
BENCH_CXX_COMPILE = $(CXX) -std=c++17 -I$(top_srcdir)/lib $(CPPFLAGS) $(CXXFLAGS)
bench/rivals.$(OBJEXT): bench/rivals.cc bench/norivals.c bench/dispatch.hh bench/predicates.h bench/rivals.h \
		lib/scankit.h
	$(AM_V_CC)$(MKDIR_P) bench && $(if $(BENCH_CXX),$(BENCH_CXX_COMPILE),$(COMPILE)) \
		-c -o $@ $(srcdir)/bench/$(if $(BENCH_CXX),rivals.cc,norivals.c)

# The rival on a GPU is slow to compile, so plain make leaves it alone.
if CUDA
EXTRA_LTLIBRARIES += bench/librivals_cuda.la
bench_librivals_cuda_la_SOURCES = bench/rivals_cuda.cu
BENCH_RIVALS += bench/librivals_cuda.la
BENCH_RIVALS_LIBS += $(CUDA_LIBS)
-include bench/rivals_cuda.lo.d
else
bench_bench_SOURCES += bench/norivals_cuda.c
endif

.PHONY: bench
bench: bench/bench$(EXEEXT)
	bench/bench$(EXEEXT) $(BENCH_FLAGS)

EXTRA_DIST += bench/NOTES.md bench/results/h100.md bench/results/h100.svg bench/results/xeon-2-cores.md \
	bench/arrays.py bench/chart.py bench/dispatch.hh bench/files.py bench/rivals.cc bench/norivals.c bench/rivals_cuda.cu \
	bench/norivals_cuda.c
CLEANFILES += bench/bench$(EXEEXT) bench/rivals.$(OBJEXT) bench/librivals_cuda.la bench/*.lo.d
