/* caller.h - a CUDA program that calls the library and has streams of its own, as CuPy and PyTorch do. It uses the
 * driver's interface, which it looks up at run time, and the same CUDA context as the library. */
#ifndef CALLER_H
#define CALLER_H

#include <stdbool.h>
#include <stddef.h>

#define CALLER_STREAMS 2

typedef struct caller caller;

/* NULL if there is no GPU or no driver; *reason is a constant text. */
caller *caller_open(const char **reason);
void caller_close(caller *c);

/* A cudaStream_t that the default stream does not wait for. */
void *caller_stream(const caller *c, unsigned number);

/* These queue work on a stream (any cudaStream_t) and return false if that fails. A copy to ordinary host memory
 * returns when the data has arrived. */
bool caller_copy(caller *c, void *stream, void *to, const void *from, size_t bytes);
bool caller_fill(caller *c, void *stream, void *to, unsigned word, size_t words); /* words of 4 bytes */
bool caller_delay(caller *c, void *stream, unsigned milliseconds);

/* True while a stream has unfinished work. */
bool caller_is_busy(const caller *c, void *stream);

/* Waits for a stream; false if its work failed. */
bool caller_wait(caller *c, void *stream);

/* Captures what is queued on a stream from begin to end, and nothing of that is done. end returns a graph, or NULL if
 * the capture failed. A launch queues the graph on the stream. */
bool caller_begin_capture(caller *c, void *stream);
void *caller_end_capture(caller *c, void *stream);
bool caller_launch(caller *c, void *graph, void *stream);
void caller_free_graph(caller *c, void *graph);

#endif
