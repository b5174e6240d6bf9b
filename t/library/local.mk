# Properties of the library as a whole.
LIBRARY_TESTS += \
	t/library/algorithms.t \
	t/library/names.t \
	t/library/compare.t \
	t/library/arguments.t \
	t/library/contexts.t \
	t/library/gallery.t \
	t/library/gallery-sorts.t \
	t/library/same-bytes.t \
	t/library/random.t \
	t/library/backends.t \
	t/library/neighbour.t \
	t/library/waits.t \
	t/library/streams.t \
	t/library/pin.t \
	t/library/host-memory.t \
	t/library/workspace.t

t_library_algorithms_t_SOURCES = t/library/algorithms.c
t_library_names_t_SOURCES = t/library/names.c
t_library_compare_t_SOURCES = t/library/compare.c
t_library_arguments_t_SOURCES = t/library/arguments.c t/library/arguments.h t/library/arguments-choice.c t/library/arguments-none.c
t_library_contexts_t_SOURCES = t/library/contexts.c
t_library_gallery_t_SOURCES = t/library/gallery.c
t_library_gallery_sorts_t_SOURCES = t/library/gallery-sorts.c
t_library_same_bytes_t_SOURCES = t/library/same-bytes.c
t_library_random_t_SOURCES = t/library/random.c
t_library_backends_t_SOURCES = t/library/backends.c t/library/oracle-cpu.c
t_library_neighbour_t_SOURCES = t/library/neighbour.c t/library/spinner.c t/library/spinner.h t/library/driver.c t/library/driver.h t/library/work.c t/library/work.h
t_library_neighbour_t_LDADD = $(LDADD) -ldl
t_library_waits_t_SOURCES = t/library/waits.c t/library/caller.c t/library/caller.h t/library/driver.c t/library/driver.h
t_library_waits_t_LDADD = $(LDADD) -ldl
t_library_streams_t_SOURCES = t/library/streams.c t/library/caller.c t/library/caller.h t/library/driver.c t/library/driver.h
t_library_streams_t_LDADD = $(LDADD) -ldl
t_library_pin_t_SOURCES = t/library/pin.c
t_library_workspace_t_SOURCES = t/library/workspace.c t/library/work.c t/library/work.h
# The function is internal, so the test has an object of its own.
t_library_host_memory_t_SOURCES = t/library/host-memory.c lib/cpu/host_memory.c
t_library_host_memory_t_CFLAGS = $(AM_CFLAGS)
