/* window.c - see window.h. */
#include "window.h"

#include <pthread.h>
#include <string.h>

#define READ_BYTES (WINDOW_BYTES / 2)

void window_open(struct window *window, read_function *read, seek_function *seek, void *source,
                 const unsigned char *head, size_t bytes)
{
    window->read = read;
    window->seek = seek;
    window->source = source;
    window->begin = 0;
    window->end = bytes;
    window->start = 0;
    window->ended = false;
    memcpy(window->data, head, bytes);
}

void window_seek(struct window *window, uint64_t offset)
{
    window->seek(window->source, offset);
    window->begin = window->end = 0;
    window->start = offset;
    window->ended = false;
}

uint64_t window_offset(const struct window *window)
{
    return window->start + window->begin;
}

bool window_more(struct window *window)
{
    int state;
    if (window->ended)
        return false;
    if (WINDOW_BYTES - window->end < READ_BYTES) {
        size_t gone = window->begin < WINDOW_HISTORY ? 0 : window->begin - WINDOW_HISTORY;
        memmove(window->data, window->data + gone, window->end - gone);
        window->begin -= gone;
        window->end -= gone;
        window->start += gone;
    }
    size_t room = WINDOW_BYTES - window->end, part = room < READ_BYTES ? room : READ_BYTES;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state); /* see decoder_close() */
    size_t got = window->read(window->source, window->data + window->end, part);
    pthread_setcancelstate(state, NULL);
    window->end += got;
    window->ended = got < part;
    return got > 0;
}

bool window_has(struct window *window, size_t bytes)
{
    while (window->end - window->begin < bytes)
        if (!window_more(window))
            return false;
    return true;
}

int window_byte(struct window *window)
{
    return window_has(window, 1) ? window->data[window->begin++] : -1;
}
