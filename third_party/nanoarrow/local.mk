# nanoarrow, for the tools alone. The code is not ours: it is compiled without warnings. Sums of lengths from a damaged
# file may overflow in it, which -fno-strict-overflow defines; tools/arrow/ checks the results.
nanoarrow_sources = \
	third_party/nanoarrow/src/flatcc.c \
	third_party/nanoarrow/src/nanoarrow.c \
	third_party/nanoarrow/src/nanoarrow_ipc.c
nanoarrow_headers = \
	third_party/nanoarrow/include/flatcc/flatcc_accessors.h \
	third_party/nanoarrow/include/flatcc/flatcc_alloc.h \
	third_party/nanoarrow/include/flatcc/flatcc_assert.h \
	third_party/nanoarrow/include/flatcc/flatcc_builder.h \
	third_party/nanoarrow/include/flatcc/flatcc_emitter.h \
	third_party/nanoarrow/include/flatcc/flatcc_endian.h \
	third_party/nanoarrow/include/flatcc/flatcc_epilogue.h \
	third_party/nanoarrow/include/flatcc/flatcc_flatbuffers.h \
	third_party/nanoarrow/include/flatcc/flatcc_identifier.h \
	third_party/nanoarrow/include/flatcc/flatcc_iov.h \
	third_party/nanoarrow/include/flatcc/flatcc_portable.h \
	third_party/nanoarrow/include/flatcc/flatcc_prologue.h \
	third_party/nanoarrow/include/flatcc/flatcc_refmap.h \
	third_party/nanoarrow/include/flatcc/flatcc_rtconfig.h \
	third_party/nanoarrow/include/flatcc/flatcc_types.h \
	third_party/nanoarrow/include/flatcc/flatcc_verifier.h \
	third_party/nanoarrow/include/flatcc/portable/paligned_alloc.h \
	third_party/nanoarrow/include/flatcc/portable/pattributes.h \
	third_party/nanoarrow/include/flatcc/portable/pdiagnostic.h \
	third_party/nanoarrow/include/flatcc/portable/pdiagnostic_pop.h \
	third_party/nanoarrow/include/flatcc/portable/pdiagnostic_push.h \
	third_party/nanoarrow/include/flatcc/portable/pendian.h \
	third_party/nanoarrow/include/flatcc/portable/pendian_detect.h \
	third_party/nanoarrow/include/flatcc/portable/pinline.h \
	third_party/nanoarrow/include/flatcc/portable/pinttypes.h \
	third_party/nanoarrow/include/flatcc/portable/pmemaccess.h \
	third_party/nanoarrow/include/flatcc/portable/portable.h \
	third_party/nanoarrow/include/flatcc/portable/portable_basic.h \
	third_party/nanoarrow/include/flatcc/portable/prestrict.h \
	third_party/nanoarrow/include/flatcc/portable/pstatic_assert.h \
	third_party/nanoarrow/include/flatcc/portable/pstdalign.h \
	third_party/nanoarrow/include/flatcc/portable/pstdint.h \
	third_party/nanoarrow/include/flatcc/portable/punaligned.h \
	third_party/nanoarrow/include/flatcc/portable/pversion.h \
	third_party/nanoarrow/include/flatcc/portable/pwarnings.h \
	third_party/nanoarrow/include/nanoarrow.h \
	third_party/nanoarrow/include/nanoarrow_ipc.h
EXTRA_DIST += third_party/nanoarrow/README third_party/nanoarrow/LICENSE.txt third_party/nanoarrow/NOTICE.txt \
	$(nanoarrow_sources) $(nanoarrow_headers)
ARROW_LIBS =
if ARROW
noinst_LIBRARIES += third_party/nanoarrow/libnanoarrow.a
third_party_nanoarrow_libnanoarrow_a_SOURCES = $(nanoarrow_sources)
third_party_nanoarrow_libnanoarrow_a_CPPFLAGS = -I$(top_srcdir)/third_party/nanoarrow/include
third_party_nanoarrow_libnanoarrow_a_CFLAGS = -w -fvisibility=hidden -fno-strict-overflow
ARROW_LIBS += third_party/nanoarrow/libnanoarrow.a
endif
