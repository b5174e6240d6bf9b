/* survive.c - see survive.h */
#include "survive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "common/cli.h"
#include "fuzz.h"

#define BLOCKS 65536

static struct {
    bool active;
    jmp_buf back;
    void *block[BLOCKS]; /* allocated and not freed yet */
    size_t blocks;
    char message[1024];
} now;

/* ---- memory ---- */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t bytes);
void __real_free(void *memory);
int __real_inflateInit2_(z_streamp stream, int window, const char *version, int size);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t bytes);
void __wrap_free(void *memory);
__attribute__((visibility("default"))) /* libpng refers to it */
int __wrap_inflateInit2_(z_streamp stream, int window, const char *version, int size);
_Noreturn void __wrap_fail(const char *subject, const char *format, ...) PRINTF_LIKE(2, 3);
_Noreturn void __wrap_fail_usage(const char *format, ...) PRINTF_LIKE(1, 2);

static void *remember(void *memory)
{
    if (now.active && memory != NULL) {
        FUZZ_CHECK(now.blocks < BLOCKS);
        now.block[now.blocks++] = memory;
    }
    return memory;
}

static void forget(const void *memory)
{
    for (size_t k = now.blocks; now.active && k-- > 0;)
        if (now.block[k] == memory) {
            now.block[k] = now.block[--now.blocks];
            return;
        }
}

void *__wrap_malloc(size_t bytes)
{
    return remember(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return remember(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    void *grown = __real_realloc(memory, bytes);
    if (grown != NULL)
        forget(memory);
    return remember(grown);
}

char *__wrap_strdup(const char *text)
{
    return remember(__real_strdup(text));
}

char *__wrap_strndup(const char *text, size_t bytes)
{
    return remember(__real_strndup(text, bytes));
}

void __wrap_free(void *memory)
{
    forget(memory);
    __real_free(memory);
}

/* zlib is a shared library, which --wrap does not reach. */
static void *zlib_allocate(void *state, unsigned count, unsigned size)
{
    (void)state;
    return __wrap_calloc(count, size);
}

static void zlib_free(void *state, void *memory)
{
    (void)state;
    __wrap_free(memory);
}

int __wrap_inflateInit2_(z_streamp stream, int window, const char *version, int size)
{
    stream->zalloc = zlib_allocate;
    stream->zfree = zlib_free;
    return __real_inflateInit2_(stream, window, version, size);
}

/* ---- fail() ---- */

static _Noreturn void leave(void)
{
    FUZZ_CHECK(now.active);
    longjmp(now.back, 1);
}

void __wrap_fail(const char *subject, const char *format, ...)
{
    va_list arguments;
    (void)subject;
    va_start(arguments, format);
    vsnprintf(now.message, sizeof now.message, format, arguments);
    va_end(arguments);
    leave();
}

void __wrap_fail_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(now.message, sizeof now.message, format, arguments);
    va_end(arguments);
    leave();
}

const char *survive_message(void)
{
    return now.message;
}

/* ---- running ---- */

bool survive(void (*work)(void *state), void *state)
{
    now.blocks = 0;
    now.message[0] = '\0';
    if (setjmp(now.back) == 0) {
        now.active = true;
        work(state);
        now.active = false;
        FUZZ_CHECK(now.blocks == 0); /* else memory leaks */
        return true;
    }
    now.active = false;
    for (size_t k = 0; k < now.blocks; k++)
        __real_free(now.block[k]);
    return false;
}

void survive_input(const void *bytes, size_t size)
{
    static int file = -1;
    if (file < 0) {
        file = memfd_create("scankit-fuzz", MFD_CLOEXEC);
        FUZZ_CHECK(file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
    }
    FUZZ_CHECK(ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
    FUZZ_CHECK(lseek(file, 0, SEEK_SET) == 0);
}
