# Threads that share out numbered pieces of work.
tools_libtools_a_SOURCES += tools/threads/crew.c tools/threads/crew.h
