/* traffic.c - see traffic.h. Of simple loops, copies in blocks, several streams side by side, and memcpy(), the fastest
 * on a Zen 4 was a loop of stores around the caches with a prefetch; of reads, the loop alone. What is written is not
 * zero: a Zen 4 stores lines of zeros around the caches at 85 GB/s, and any others at 28. */
#include "traffic.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "clock.h"

#define LINE 64
#define AHEAD 2048                /* bytes from a load to its prefetch */
#define CACHED ((size_t)8 << 20)  /* outputs up to this size may stay in the caches */
#define SHORT ((size_t)256 << 10) /* less is not worth a second thread */

/* The loops of one thread over whole lines. */
typedef struct loops {
    void (*copy)(char *out, const char *in, size_t bytes);
    void (*read)(const char *in, size_t bytes);
    void (*write)(char *out, size_t bytes);
} loops;

static void copy_plain(char *out, const char *in, size_t bytes)
{
    memcpy(out, in, bytes);
}

static void read_plain(const char *in, size_t bytes)
{
    uint64_t any = 0;
    for (size_t at = 0; at < bytes; at += sizeof any) {
        uint64_t word;
        memcpy(&word, in + at, sizeof word);
        any |= word;
    }
    volatile uint64_t sink = any;
    (void)sink;
}

static void write_plain(char *out, size_t bytes)
{
    memset(out, 1, bytes);
}

static const loops plain = {copy_plain, read_plain, write_plain};

#if defined(__x86_64__)
#define LOOPS(isa, features, vector, load, stream, either)                                            \
    __attribute__((target(features))) static void copy_##isa(char *out, const char *in, size_t bytes) \
    {                                                                                                 \
        for (size_t at = 0; at < bytes; at += LINE) {                                                 \
            __builtin_prefetch((const void *)((uintptr_t)in + at + AHEAD));                           \
            for (size_t part = at; part < at + LINE; part += sizeof(vector))                          \
                stream((vector *)(void *)(out + part), load((const void *)(in + part)));              \
        }                                                                                             \
        _mm_sfence();                                                                                 \
    }                                                                                                 \
    __attribute__((target(features))) static void read_##isa(const char *in, size_t bytes)            \
    {                                                                                                 \
        vector any = {0};                                                                             \
        for (size_t at = 0; at < bytes; at += sizeof(vector))                                         \
            any = either(any, load((const void *)(in + at)));                                         \
        volatile vector sink = any;                                                                   \
        (void)sink;                                                                                   \
    }                                                                                                 \
    __attribute__((target(features))) static void write_##isa(char *out, size_t bytes)                \
    {                                                                                                 \
        vector ones;                                                                                  \
        memset(&ones, 1, sizeof ones);                                                                \
        for (size_t at = 0; at < bytes; at += sizeof(vector))                                         \
            stream((vector *)(void *)(out + at), ones);                                               \
        _mm_sfence();                                                                                 \
    }                                                                                                 \
    static const loops streams_##isa = {copy_##isa, read_##isa, write_##isa};
LOOPS(avx512, "avx512f", __m512i, _mm512_loadu_si512, _mm512_stream_si512, _mm512_or_si512)
LOOPS(avx2, "avx2", __m256i, _mm256_loadu_si256, _mm256_stream_si256, _mm256_or_si256)
LOOPS(sse2, "sse2", __m128i, _mm_loadu_si128, _mm_stream_si128, _mm_or_si128)
#endif

static const loops *loops_for(size_t written)
{
    (void)written;
#if defined(__x86_64__)
    if (written > 0 && written <= CACHED)
        return &plain;
    if (__builtin_cpu_supports("avx512f"))
        return &streams_avx512;
    return __builtin_cpu_supports("avx2") ? &streams_avx2 : &streams_sse2;
#else
    return &plain;
#endif
}

/* The whole lines of part number `part` of `parts`. */
static bench_traffic slice(bench_traffic all, unsigned part, unsigned parts)
{
    return (bench_traffic){all.read / LINE * part / parts * LINE, all.written / LINE * part / parts * LINE};
}

static void move_slice(const loops *l, bench_traffic begin, bench_traffic end, const char *in, char *out)
{
    size_t read = end.read - begin.read, written = end.written - begin.written;
    size_t both = read < written ? read : written;
    l->copy(out + begin.written, in + begin.read, both);
    l->read(in + begin.read + both, read - both);
    l->write(out + begin.written + both, written - both);
}

static void move(bench_traffic traffic, const char *in, char *out, unsigned threads)
{
    const loops *l = loops_for(traffic.written);
    if (threads < 2 || traffic.read + traffic.written < SHORT) {
        move_slice(l, (bench_traffic){0, 0}, slice(traffic, 1, 1), in, out);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
    {
        unsigned me = (unsigned)omp_get_thread_num(), team = (unsigned)omp_get_num_threads();
        move_slice(l, slice(traffic, me, team), slice(traffic, me + 1, team), in, out);
    }
#endif
}

double traffic_seconds(bench_traffic traffic, const void *in, void *out, size_t room, unsigned threads, unsigned calls)
{
    size_t most = traffic.read > traffic.written ? traffic.read : traffic.written, rounds = (most - 1) / room + 1;
    const bench_traffic round = {traffic.read / rounds, traffic.written / rounds};
    double begin = host_seconds();
    for (size_t done = 0; done < calls * rounds; done++)
        move(round, in, out, threads);
    return (host_seconds() - begin) / calls;
}
