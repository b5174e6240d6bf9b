# The tools: a folder for each, above model/, common/, gallery/, codec/, text/, arrow/ and io/. They use only the library's public interface.
AM_CPPFLAGS += -I$(top_srcdir)/tools
TOOL_CFLAGS = $(AM_CFLAGS) -pthread
TOOL_LDADD = tools/libtools.a lib/libscankit.la $(ARROW_LIBS) $(ISAL_LIBS) $(ZSTD_LIBS) $(ZLIB_LIBS) $(LIBM)

noinst_LIBRARIES += tools/libtools.a
tools_libtools_a_CFLAGS = $(TOOL_CFLAGS)
tools_libtools_a_CPPFLAGS = $(AM_CPPFLAGS) -DSCANKIT_LIBEXEC='"$(pkglibexecdir)"'
tools_libtools_a_SOURCES =
include tools/model/local.mk
include tools/common/local.mk
include tools/completions/local.mk
include tools/threads/local.mk
include tools/gallery/local.mk
include tools/codec/local.mk
include tools/text/local.mk
include tools/arrow/local.mk
include tools/io/local.mk
include tools/mpi/local.mk
include tools/sort/local.mk
include tools/compact/local.mk
include tools/rle/local.mk
include tools/scan/local.mk
include tools/image/local.mk
