# The data generator, and the benchmark: make bench BENCH_FLAGS='--primitive=sort'.
AM_CPPFLAGS += -I$(top_srcdir)/bench
noinst_PROGRAMS = bench/gendata
bench_data = bench/data/draw.c bench/data/draw.h bench/data/element.c bench/data/element.h bench/data/random.h \
	bench/data/shapes.c bench/data/shapes.h
bench_gendata_SOURCES = bench/data/gendata.c $(bench_data)
bench_gendata_LDADD = lib/libscankit.la -lm

# Graphs and surveys, for the cookbook.
noinst_PROGRAMS += bench/rmat bench/points
bench_rmat_SOURCES = bench/data/rmat.c bench/data/random.h
bench_points_SOURCES = bench/data/points.c bench/data/random.h
bench_points_LDADD = -lm

# The pictures of the manual.
noinst_PROGRAMS += bench/scene/scene
bench_scene_scene_SOURCES = bench/scene/scene.c bench/scene/cast.c bench/scene/cast.h bench/scene/texture.c bench/scene/texture.h
bench_scene_scene_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_scene_scene_LDADD = lib/libscankit.la -lm

# Several devices beside one: make bench/scale-out.
EXTRA_PROGRAMS += bench/scale-out
bench_scale_out_SOURCES = bench/scale/scale_out.c bench/scale/parts.c bench/scale/parts.h bench/measure/seconds.c bench/measure/seconds.h \
	$(bench_data)
bench_scale_out_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_scale_out_LDADD = lib/libscankit.la -lm

# A sort over MPI ranks: make bench/ranks.
if MPI
EXTRA_PROGRAMS += bench/ranks
bench_ranks_SOURCES = bench/scale/ranks.c bench/measure/seconds.c bench/measure/seconds.h $(bench_data)
bench_ranks_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS) -I$(top_srcdir)/lib/mpi
bench_ranks_LDADD = lib/mpi/libscankit_mpi.la lib/libscankit.la $(MPI_LIBS) -lm
endif
EXTRA_DIST += bench/scale/ranks.c

EXTRA_PROGRAMS += bench/bench
bench_measure = bench/rivals/peers.h bench/rivals/predicates.h bench/rivals/rivals.h \
	bench/measure/clock.c bench/measure/clock.h bench/measure/seconds.c bench/measure/seconds.h bench/measure/contest.c bench/measure/contest.h \
	bench/measure/device_data.c bench/measure/device_data.h bench/measure/goals.c bench/measure/goals.h \
	bench/measure/measure.c bench/measure/measure.h bench/measure/names.c bench/measure/names.h \
	bench/measure/row.c bench/measure/row.h \
	bench/measure/state.c bench/measure/state.h bench/measure/summary.c bench/measure/summary.h \
	bench/measure/table.c bench/measure/table.h bench/measure/traffic.c bench/measure/traffic.h
bench_bench_SOURCES = bench/bench.c $(bench_data) $(bench_measure) \
	bench/bound/bound.c bench/bound/test_shapes.c bench/bound/test_shapes.h \
	bench/primitives/compact.c bench/primitives/copy.c bench/primitives/field.c bench/primitives/field.h \
	bench/primitives/first.c bench/primitives/gallery.c bench/primitives/gallery_sorts.c bench/primitives/histogram.c bench/primitives/image.c bench/primitives/kept.c \
	bench/primitives/kept.h bench/primitives/lengths.c bench/primitives/lengths.h bench/primitives/merge.c bench/primitives/order.c bench/primitives/order.h \
	bench/peers/pairpeers.c bench/peers/peer_row.c bench/peers/peer_row.h bench/peers/peers.c \
	bench/primitives/primitives.c bench/primitives/primitives.h bench/primitives/reduce.c bench/primitives/rle.c \
	bench/primitives/runs.c bench/primitives/runs.h bench/primitives/scan.c bench/primitives/segmented.c bench/primitives/segmented_sort.c bench/primitives/sort.c \
	bench/primitives/split.c bench/primitives/top_k.c
bench_bench_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_bench_LDADD = $(BENCH_RIVALS) t/libtest.a lib/libscankit.la $(BENCH_RIVALS_LIBS) -lm
bench_bench_DEPENDENCIES = $(BENCH_RIVALS) t/libtest.a lib/libscankit.la
BENCH_RIVALS = bench/rivals/rivals.$(OBJEXT) $(if $(BENCH_CXX),bench/rivals/peers.$(OBJEXT) bench/rivals/pair_peers.$(OBJEXT))
BENCH_RIVALS_LIBS = $(BENCH_CXX_LIBS) $(if $(BENCH_CXX),$(BENCH_PEER_LIBS))

# The search for data on which a sort is slow: make bench/search/search.
EXTRA_PROGRAMS += bench/search/search
bench_search_search_SOURCES = bench/search/search.c bench/search/case.c bench/search/case.h bench/search/fill.c bench/search/tally.c bench/search/tally.h \
	$(bench_data) $(bench_measure)
bench_search_search_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_search_search_LDADD = $(bench_bench_LDADD)
bench_search_search_DEPENDENCIES = $(bench_bench_DEPENDENCIES)

# A sweep of a GPU's primitives beside CUB, slow to compile: make bench/sweep/sweep.
if CUDA
EXTRA_PROGRAMS += bench/sweep/sweep
EXTRA_LTLIBRARIES += bench/sweep/libsweep.la
bench_sweep_libsweep_la_SOURCES = bench/sweep/choices.cu bench/sweep/histograms.cu bench/sweep/merges.cu bench/sweep/row.cu \
	bench/sweep/runs.cu bench/sweep/scans.cu bench/sweep/segments.cu bench/sweep/sorts.cu
bench_sweep_sweep_SOURCES = bench/sweep/main.c bench/sweep/sweep.h
bench_sweep_sweep_LDADD = bench/sweep/libsweep.la lib/libscankit.la $(CUDA_LIBS) -lm
-include $(bench_sweep_libsweep_la_SOURCES:.cu=.lo.d)
endif
EXTRA_DIST += bench/sweep/choices.cu bench/sweep/histograms.cu bench/sweep/main.c bench/sweep/merges.cu bench/sweep/row.cu \
	bench/sweep/row.cuh bench/sweep/runs.cu bench/sweep/scans.cu bench/sweep/segments.cu bench/sweep/sorts.cu bench/sweep/sweep.h

# The CPU's rivals are in C++. Without a C++ compiler the benchmark has none.
BENCH_CXX = $(shell command -v $(firstword $(CXX)))
BENCH_CXX_LIBS = $(if $(BENCH_CXX),-lstdc++)
BENCH_CXX_COMPILE = $(CXX) -std=c++17 -I$(top_srcdir)/lib -I$(top_srcdir)/bench $(CPPFLAGS) $(CXXFLAGS)
bench/rivals/rivals.$(OBJEXT): bench/rivals/rivals.cc bench/rivals/norivals.c bench/rivals/dispatch.hh bench/rivals/predicates.h bench/rivals/rivals.h \
		lib/scankit.h
	$(AM_V_CC)$(MKDIR_P) bench/rivals && $(if $(BENCH_CXX),$(BENCH_CXX_COMPILE),$(COMPILE)) \
		-c -o $@ $(srcdir)/bench/rivals/$(if $(BENCH_CXX),rivals.cc,norivals.c)

# Their authors' flags. They are compiled for this machine, so that the compiler may use all of it.
BENCH_PEER_CXXFLAGS = -O3 -march=native -fopenmp
bench/rivals/peers.$(OBJEXT) bench/rivals/pair_peers.$(OBJEXT): %.$(OBJEXT): %.cc bench/rivals/peers.h bench/rivals/rivals.h \
		bench/rivals/timed.hh lib/scankit.h
	$(AM_V_CC)$(MKDIR_P) bench/rivals && $(BENCH_CXX_COMPILE) $(BENCH_PEER_CXXFLAGS) $(BENCH_PEER_FLAGS) \
		-c -o $@ $(srcdir)/$*.cc

# The GPU's rival is slow to compile, so only make bench builds it.
if CUDA
EXTRA_LTLIBRARIES += bench/rivals/librivals_cuda.la
bench_rivals_librivals_cuda_la_SOURCES = bench/rivals/rivals_cuda.cu
BENCH_RIVALS += bench/rivals/librivals_cuda.la
BENCH_RIVALS_LIBS += $(CUDA_LIBS)
-include bench/rivals/rivals_cuda.lo.d
else
bench_measure += bench/rivals/norivals_cuda.c
endif

.PHONY: bench
bench: bench/bench$(EXEEXT)
	bench/bench$(EXEEXT) $(BENCH_FLAGS)

EXTRA_DIST += bench/NOTES.md bench/results/h100.md bench/results/h100.svg bench/results/h200.md bench/results/h200.svg bench/results/h200-two.md bench/results/xeon-2-cores.md \
	bench/results/cpu-epyc-2-cores.md bench/results/cpu-xeon-16-cores.md bench/results/cpu-xeon-2-cores.md bench/results/cpu-scaling.csv \
	bench/results/cpu-scaling.gp bench/results/cpu-scaling.svg bench/results/epyc-2-cores.md bench/results/python-epyc-2-cores.md \
	bench/arrays.py bench/images.py bench/pictures.py bench/tables.py bench/python.py bench/chart.py bench/compare.py bench/devices.py \
	bench/rivals/dispatch.hh bench/rivals/timed.hh bench/rivals/peers.cc bench/rivals/pair_peers.cc bench/rivals/rivals.cc bench/rivals/norivals.c bench/rivals/rivals_cuda.cu \
	bench/rivals/norivals_cuda.c \
	bench/files.py bench/files/__init__.py bench/files/checks.py bench/files/commands.py bench/files/data.py \
	bench/files/host.py bench/files/measure.py bench/files/needs.py bench/files/report.py bench/files/rivals.py \
	bench/files/rows.py
CLEANFILES += bench/bench$(EXEEXT) bench/search/search$(EXEEXT) bench/rivals/rivals.$(OBJEXT) bench/rivals/peers.$(OBJEXT) bench/rivals/pair_peers.$(OBJEXT) \
	bench/rivals/librivals_cuda.la bench/sweep/sweep$(EXEEXT) bench/sweep/libsweep.la bench/rivals/*.lo.d bench/sweep/*.lo.d
