# Random texts and damaged files: a short run in make check, ten minutes each by make check-fuzz.
LIBRARY_TESTS += t/fuzz/predicate-texts.t
t_fuzz_predicate_texts_t_SOURCES = t/fuzz/predicate-texts.c

TOOL_FUZZERS = t/fuzz/damaged-containers.t
check_PROGRAMS += $(TOOL_FUZZERS)
container_files = t/fuzz/rle-draw.c t/fuzz/rle-expand.c t/fuzz/rle-file.c t/fuzz/rle-file.h
t_fuzz_damaged_containers_t_SOURCES = t/fuzz/damaged-containers.c t/fuzz/run-tool.c t/fuzz/run-tool.h $(container_files)

.PHONY: check-fuzz
check-fuzz: t/fuzz/predicate-texts.t t/fuzz/damaged-containers.t gpurle
	SCANKIT_FUZZ_SECONDS=600 ./t/fuzz/predicate-texts.t
	SCANKIT_FUZZ_SECONDS=600 ./t/fuzz/damaged-containers.t

# Harnesses for libFuzzer, in a build with --enable-fuzzers: make fuzz FUZZ_SECONDS=20 runs each of them. An input that
# fails is left as t/fuzz/NAME-crash-..., and "t/fuzz/fuzz-NAME FILE" repeats it.
LIBRARY_FUZZERS = t/fuzz/fuzz-predicate t/fuzz/fuzz-layout t/fuzz/fuzz-calls
FORMAT_FUZZERS = t/fuzz/fuzz-npy t/fuzz/fuzz-gzip t/fuzz/fuzz-container t/fuzz/fuzz-picture \
	t/fuzz/fuzz-text
FUZZERS = $(LIBRARY_FUZZERS) $(FORMAT_FUZZERS)
EXTRA_PROGRAMS += $(FUZZERS)
CLEANFILES += $(FUZZERS)

fuzz_shared = t/fuzz/fuzz.c t/fuzz/fuzz.h
t_fuzz_fuzz_predicate_SOURCES = t/fuzz/fuzz-predicate.c $(fuzz_shared)
t_fuzz_fuzz_predicate_LDFLAGS = $(FUZZER_LDFLAGS)
t_fuzz_fuzz_layout_SOURCES = t/fuzz/fuzz-layout.c $(fuzz_shared)
t_fuzz_fuzz_layout_LDFLAGS = $(FUZZER_LDFLAGS)
t_fuzz_fuzz_calls_SOURCES = t/fuzz/fuzz-calls.c t/fuzz/calls-array.c t/fuzz/calls-record.c t/fuzz/calls-run.c t/fuzz/calls-sort.c t/fuzz/calls.c t/fuzz/calls.h $(fuzz_shared)
t_fuzz_fuzz_calls_LDFLAGS = $(FUZZER_LDFLAGS)

# Those that run code of the tools: see survive.h.
survive_ldflags = -Wl,--wrap=fail,--wrap=fail_usage,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free \
	-Wl,--wrap=strdup,--wrap=strndup,--wrap=inflateInit2_
survive_shared = t/fuzz/survive.c t/fuzz/survive.h $(fuzz_shared)
survive_ldadd = t/libtest.a $(TOOL_LDADD) -lpthread -lm
t_fuzz_fuzz_npy_SOURCES = t/fuzz/fuzz-npy.c $(survive_shared)
t_fuzz_fuzz_npy_LDFLAGS = $(FUZZER_LDFLAGS) $(survive_ldflags)
t_fuzz_fuzz_npy_LDADD = $(survive_ldadd)
t_fuzz_fuzz_gzip_SOURCES = t/fuzz/fuzz-gzip.c t/fuzz/rle-file.c t/fuzz/rle-file.h $(survive_shared)
t_fuzz_fuzz_gzip_LDFLAGS = $(FUZZER_LDFLAGS) $(survive_ldflags)
t_fuzz_fuzz_gzip_LDADD = $(survive_ldadd)
t_fuzz_fuzz_container_SOURCES = t/fuzz/fuzz-container.c $(container_files) tools/rle/container.c tools/rle/container_read.c $(survive_shared)
t_fuzz_fuzz_container_LDFLAGS = $(FUZZER_LDFLAGS) $(survive_ldflags)
t_fuzz_fuzz_container_LDADD = $(survive_ldadd)
t_fuzz_fuzz_picture_SOURCES = t/fuzz/fuzz-picture.c $(picture_files) $(survive_shared)
t_fuzz_fuzz_picture_LDFLAGS = $(FUZZER_LDFLAGS) $(survive_ldflags)
t_fuzz_fuzz_picture_LDADD = $(survive_ldadd) $(PNG_LIBS)
t_fuzz_fuzz_text_SOURCES = t/fuzz/fuzz-text.c $(survive_shared)
t_fuzz_fuzz_text_LDFLAGS = $(FUZZER_LDFLAGS) $(survive_ldflags)
t_fuzz_fuzz_text_LDADD = $(survive_ldadd)

FUZZ_SECONDS = 20
FUZZ_FLAGS = -timeout=10 -rss_limit_mb=1500 -max_len=4000 -print_final_stats=1 -print_funcs=0 -verbosity=0
.PHONY: fuzz fuzzers-enabled
fuzz: $(FUZZERS:=.run)
fuzzers-enabled:
	@test '$(FUZZERS_ENABLED)' = yes || { echo 'make fuzz needs ./configure --enable-fuzzers CC=clang' >&2; exit 1; }
t/fuzz/%.run: fuzzers-enabled t/fuzz/%
	OMP_WAIT_POLICY=passive ./$(@:.run=) -max_total_time=$(FUZZ_SECONDS) $(FUZZ_FLAGS) -artifact_prefix=$(@:.run=)-
