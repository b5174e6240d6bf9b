# Arrow IPC files and streams, by nanoarrow. Without it there is a stub.
tools_libtools_a_SOURCES += tools/arrow/arrow_reader.h
arrow_reader = \
	tools/arrow/arrow_reader.c \
	tools/arrow/column.c \
	tools/arrow/column.h \
	tools/arrow/message.c \
	tools/arrow/message.h \
	tools/arrow/packed.c \
	tools/arrow/packed.h
arrow_noreader = tools/arrow/noarrow.c
if ARROW
AM_CPPFLAGS += -isystem $(top_srcdir)/third_party/nanoarrow/include
tools_libtools_a_SOURCES += $(arrow_reader)
else
tools_libtools_a_SOURCES += $(arrow_noreader)
endif
EXTRA_DIST += $(arrow_reader) $(arrow_noreader)
