bin_PROGRAMS += gpuscan
gpuscan_SOURCES = \
	tools/scan/gpuscan.c \
	tools/scan/pass.c \
	tools/scan/reducing.c \
	tools/scan/scan.h \
	tools/scan/scanner.c \
	tools/scan/scanner.h \
	tools/scan/scanning.c \
	tools/scan/segments.c \
	tools/scan/segments.h \
	tools/scan/value.c \
	tools/scan/value.h
gpuscan_CFLAGS = $(TOOL_CFLAGS)
gpuscan_LDFLAGS = -pthread
gpuscan_LDADD = $(TOOL_LDADD)
