# Tables in Arrow's format: keys, ranks of texts, and the order of rows.
tools_libgpusort_a_SOURCES += \
	tools/sort/table/dictionary_ranks.c \
	tools/sort/table/dictionary_ranks.h \
	tools/sort/table/positions.c \
	tools/sort/table/positions.h \
	tools/sort/table/row_order.c \
	tools/sort/table/row_order.h \
	tools/sort/table/table_keys.c \
	tools/sort/table/table_keys.h \
	tools/sort/table/table_sort.c \
	tools/sort/table/table_sort.h \
	tools/sort/table/text_ranks.c \
	tools/sort/table/text_ranks.h
