/* pread.c - see pread.h. */
#include "pread.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#define SHARE_BYTES ((size_t)4 << 20) /* less is not worth a thread */
#define THREADS_MAX 16
#define CALL_BYTES ((size_t)1 << 30) /* a call moves at most 2 GiB */

struct share {
    int descriptor;
    char *memory;
    size_t bytes, done;
    uint64_t offset;
    int error;
    pthread_t thread;
    bool started;
};

static void *read_share(void *argument)
{
    struct share *share = argument;
    while (share->done < share->bytes) {
        size_t left = share->bytes - share->done;
        ssize_t got = pread(share->descriptor, share->memory + share->done, left < CALL_BYTES ? left : CALL_BYTES,
                            (off_t)(share->offset + share->done));
        if (got < 0 && errno == EINTR)
            continue;
        share->error = got < 0 ? errno : 0;
        if (got <= 0)
            break;
        share->done += (size_t)got;
    }
    return NULL;
}

size_t pread_all(int descriptor, void *memory, size_t bytes, uint64_t offset, unsigned threads)
{
    struct share shares[THREADS_MAX];
    size_t count = bytes / SHARE_BYTES;
    if (count > THREADS_MAX)
        count = THREADS_MAX;
    if (count > threads)
        count = threads;
    if (count == 0)
        count = 1;
    size_t each = bytes / count, total = 0;
    for (size_t i = 0; i < count; i++) {
        size_t begin = i * each, end = i + 1 == count ? bytes : begin + each;
        shares[i] = (struct share){
            .descriptor = descriptor, .memory = (char *)memory + begin, .bytes = end - begin, .offset = offset + begin};
        shares[i].started = i + 1 < count && pthread_create(&shares[i].thread, NULL, read_share, &shares[i]) == 0;
        if (!shares[i].started)
            read_share(&shares[i]);
    }
    bool whole = true;
    for (size_t i = 0; i < count; i++) {
        if (shares[i].started)
            pthread_join(shares[i].thread, NULL);
        if (shares[i].error != 0) {
            errno = shares[i].error;
            total = PREAD_FAILED;
        }
        if (whole && total != PREAD_FAILED)
            total += shares[i].done;
        whole = whole && shares[i].done == shares[i].bytes;
    }
    return total;
}
