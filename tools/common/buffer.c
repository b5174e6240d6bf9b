/* buffer.c - see buffer.h. */
#include "buffer.h"

#include <sys/mman.h>

#include "cli.h"
#include "device.h"

#define HUGE_PAGE ((size_t)2 << 20)
#define LEAST ((size_t)4 << 20)

static size_t round_up(size_t bytes)
{
    return bytes > SIZE_MAX - 2 * HUGE_PAGE ? SIZE_MAX - 2 * HUGE_PAGE : (bytes + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
}

/* Maps bytes, a multiple of HUGE_PAGE, aligned to huge pages: sorting is up to twice as fast on them. */
static char *map(size_t bytes)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *space = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (space == MAP_FAILED)
        return NULL;
    size_t before = -(uintptr_t)space & (HUGE_PAGE - 1);
    if (before > 0)
        munmap(space, before);
    if (before < HUGE_PAGE)
        munmap(space + before + bytes, HUGE_PAGE - before);
    madvise(space + before, bytes, MADV_HUGEPAGE);
    return space + before;
}

void buffer_reserve(struct buffer *buffer, size_t bytes, bool exactly)
{
    size_t room = round_up(bytes > 0 ? bytes : 1);
    *buffer = (struct buffer){.room = room};
    while ((buffer->data = map(buffer->room)) == NULL) {
        if (exactly || buffer->room <= LEAST)
            fail(NULL, "out of memory: cannot allocate %s", bytes_text(bytes));
        buffer->room = round_up(buffer->room / 2);
    }
}

void buffer_grow(struct buffer *buffer, scankit_context *context, size_t bytes)
{
    if (buffer->data != NULL && bytes <= buffer->room)
        return;
    struct buffer grown = {.context = context, .used = buffer->used, .room = bytes};
    void *memory;
    check_call(context, scankit_allocate(context, &memory, bytes));
    grown.data = memory;
    if (buffer->used > 0) {
        check_call(context, scankit_copy(context, grown.data, buffer->data, buffer->used));
        check_call(context, scankit_synchronize(context));
    }
    buffer_free(buffer);
    *buffer = grown;
}

char *buffer_room(struct buffer *buffer, scankit_context *context, size_t bytes)
{
    buffer->used = 0;
    buffer_grow(buffer, context, bytes);
    return buffer->data;
}

char *buffer_upload(struct buffer *buffer, scankit_context *context, const void *memory, size_t bytes)
{
    char *data = buffer_room(buffer, context, bytes);
    check_call(context, scankit_upload(context, data, memory, bytes));
    return data;
}

void buffer_download(const struct buffer *buffer, void *to, size_t bytes)
{
    if (to != NULL)
        check_call(buffer->context, scankit_download(buffer->context, to, buffer->data, bytes));
}

void buffer_to_host(struct buffer *buffer)
{
    if (buffer->context == NULL)
        return;
    struct buffer host;
    buffer_reserve(&host, buffer->used, true);
    host.used = buffer->used;
    check_call(buffer->context, scankit_download(buffer->context, host.data, buffer->data, host.used));
    buffer_free(buffer);
    *buffer = host;
}

void buffer_free(struct buffer *buffer)
{
    if (buffer->context != NULL)
        scankit_free(buffer->context, buffer->data);
    else if (buffer->data != NULL)
        munmap(buffer->data, buffer->room);
    *buffer = (struct buffer){0};
}
