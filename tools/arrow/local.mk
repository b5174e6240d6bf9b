# Arrow IPC files and streams, by nanoarrow. Without it there is a stub.
tools_libtools_a_SOURCES += tools/arrow/arrow_reader.h tools/arrow/arrow_table.h tools/arrow/arrow_writer.h
arrow_sources = \
	tools/arrow/arrow_reader.c \
	tools/arrow/arrow_writer.c \
	tools/arrow/column.c \
	tools/arrow/column.h \
	tools/arrow/encoded.c \
	tools/arrow/encoded.h \
	tools/arrow/flat.h \
	tools/arrow/gather.c \
	tools/arrow/gather.h \
	tools/arrow/ipc_output.c \
	tools/arrow/ipc_output.h \
	tools/arrow/message.c \
	tools/arrow/message.h \
	tools/arrow/packed.c \
	tools/arrow/packed.h \
	tools/arrow/table_batch.c \
	tools/arrow/table_batch.h \
	tools/arrow/table_columns.c \
	tools/arrow/table_columns.h \
	tools/arrow/table_dictionary.c \
	tools/arrow/table_part.c \
	tools/arrow/table_part.h \
	tools/arrow/table_read.c \
	tools/arrow/table_write.c
arrow_stub = tools/arrow/noarrow.c
if ARROW
AM_CPPFLAGS += -isystem $(top_srcdir)/third_party/nanoarrow/include
tools_libtools_a_SOURCES += $(arrow_sources)
else
tools_libtools_a_SOURCES += $(arrow_stub)
endif
EXTRA_DIST += $(arrow_sources) $(arrow_stub)
