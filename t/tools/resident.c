/* resident.c - the most memory that a tool has resident at a time, under --buffer-size. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "support/data.h"
#include "support/sanitizer.h"
#include "support/tap.h"

#define ELEMENTS ((size_t)3 << 20) /* u64: 24 MiB */
#define BASE_KIB 14336              /* of program and libraries */

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

static void check(const char *command, unsigned mebibytes, unsigned threads)
{
    char line[512];
    snprintf(line, sizeof line, "exec %s --device=cpu -S %uM --parallel=%u", command, mebibytes, threads);
    long peak = peak_of(line), most = (long)mebibytes * 1024 + BASE_KIB;
    if (!tap_ok(peak >= 0 && peak <= most, "%s, %u MiB, %u threads", command, mebibytes, threads))
        tap_diag("%ld KiB", peak);
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
                check(commands[c], sizes[s], threads[t]);
    return tap_finish();
}
