# Numbers as text: parser, printer, and the streams of lines.
tools_libtools_a_SOURCES += \
	tools/text/complaint.c \
	tools/text/complaint.h \
	tools/text/digits.h \
	tools/text/feeds.h \
	tools/text/float_format.h \
	tools/text/float_read.c \
	tools/text/float_read.h \
	tools/text/float_round.c \
	tools/text/float_round.h \
	tools/text/float_write.c \
	tools/text/float_write.h \
	tools/text/line.c \
	tools/text/line.h \
	tools/text/number.c \
	tools/text/number.h \
	tools/text/power.c \
	tools/text/power.h \
	tools/text/scan.h \
	tools/text/shortest.h \
	tools/text/text_format.c \
	tools/text/text_format.h \
	tools/text/text_reader.c \
	tools/text/text_reader.h \
	tools/text/text_writer.c \
	tools/text/text_writer.h \
	tools/text/value.c \
	tools/text/value.h
