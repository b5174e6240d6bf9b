# Past 2^32 elements, and millions of calls: gigabytes and minutes, so only when asked for. SCANKIT_TEST_DEVICE=cpu or
# cuda chooses.
LARGE_TESTS = t/large/large.t t/large/many-calls.t
EXTRA_PROGRAMS += $(LARGE_TESTS)
t_large_large_t_SOURCES = t/large/large.c t/large/large.h t/large/large-choice.c t/large/large-gallery.c t/large/large-sort.c t/large/bulk.c t/large/bulk.h
t_large_large_t_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
t_large_many_calls_t_SOURCES = t/large/many-calls.c
CLEANFILES += $(LARGE_TESTS)
.PHONY: check-large
check-large: $(LARGE_TESTS)
	if test -n '$(PROVE)'; then $(PROVE) -v -e '' $(LARGE_TESTS); else for t in $(LARGE_TESTS); do ./$$t || exit 1; done; fi
