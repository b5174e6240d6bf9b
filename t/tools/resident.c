/* resident.c - the most memory that a tool has resident at a time, under --buffer-size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "support/data.h"
#include "support/device.h"
#include "support/sanitizer.h"
#include "support/tap.h"

#define ELEMENTS ((size_t)3 << 20) /* u64: 24 MiB */
#define SLACK_KIB 8192             /* buffers of a fixed size */
#define THREAD_KIB 512             /* stack and arena of a thread */

static void make_data(void)
{
    random_state random = random_seeded(1);
    FILE *file = fopen("data", "wb");
    for (size_t i = 0; file != NULL && i < ELEMENTS; i++) {
        uint64_t value = random_next(&random) >> 20; /* so that it can be compressed */
        fwrite(&value, sizeof value, 1, file);
    }
    if (file == NULL || fclose(file) != 0)
        tap_bail_out("cannot write");
}

/* Returns the peak in KiB, or -1 if the command fails. */
static long peak_of(const char *command)
{
    struct rusage usage;
    int status;
    pid_t child = fork();
    if (child == 0) {
        execlp("sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        return -1;
    return usage.ru_maxrss;
}

/* The same without elements: of the program, its libraries, and threads. */
static long base_of(const char *command, unsigned threads)
{
    char line[512];
    snprintf(line, sizeof line, "exec %.*s --device=cpu -t u64 --parallel=%u -o none %s /dev/null",
             (int)strcspn(command, " "), command, threads, strstr(command, " -w 1") != NULL ? "-w 1" : "");
    return peak_of(line);
}

static void check(const char *command, unsigned mebibytes, unsigned threads)
{
    char line[512];
    snprintf(line, sizeof line, "exec %s --device=cpu -S %uM --parallel=%u", command, mebibytes, threads);
    long base = base_of(command, threads), peak = peak_of(line),
         most = base + SLACK_KIB + (long)(threads * THREAD_KIB + mebibytes * 1024);
    if (!tap_ok(base >= 0 && peak >= 0 && peak <= most, "%s, %u MiB, %u threads", command, mebibytes, threads))
        tap_diag("%ld KiB, of at most %ld", peak, most);
}

int main(void)
{
    static const char *const commands[] = {
        "gpusort -t u64 data -o out",
        "gpusort -t u64 data.gz -z -o out",
        "gpusort -m -t u64 0 1 2 3 4 5 -o out",
        "gpusort -m -t u64 0.gz 1.gz 2.gz 3.gz 4.gz 5.gz -z -o out",
        "gpucompact -t u64 -w 1 data.gz -z -o out",
        "gpurle -t u64 data.gz -z -o out",
        "gpuscan -t u64 data.gz -z -o out",
    };
    static const unsigned sizes[] = {16, 48}, threads[] = {2, 16};
    if (HAS_ADDRESS_SANITIZER) {
        tap_skip("a sanitizer takes memory", "resident sets");
        return tap_finish();
    }
    if (chdir(test_folder()) != 0)
        tap_bail_out("no folder");
    make_data();
    if (peak_of(
            "gpucompact -t u64 -w 1 -z data -o data.gz && gpusort -t u64 data -o 0 && gpusort -t u64 -z data -o 0.gz") <
            0 ||
        peak_of("for i in 1 2 3 4 5; do cp 0 $i; cp 0.gz $i.gz; done") < 0)
        tap_bail_out("cannot make files");
    for (size_t c = 0; c < sizeof commands / sizeof commands[0]; c++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++)
                if (device_case_is_due())
                    check(commands[c], sizes[s], threads[t]);
    return tap_finish();
}
