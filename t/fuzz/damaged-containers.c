/* damaged-containers.c - no file harms gpurle's decoder: containers with fields that lie, bits turned, bytes lost,
 * doubled and moved, mostly with CRCs that are right again, so that what is behind them is tried. gpurle -d and -l must
 * end with status 0 or 2, in little memory; where a reader that is written independently finds the file whole or
 * damaged, so must they, and what is whole must decode to the same bytes.
 *
 * Tries some hundred files; SCANKIT_FUZZ_SECONDS=N in the environment goes on for so long instead. The seed is printed,
 * and SCANKIT_SEED repeats it. Best in a build with sanitizers too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rle-file.h"
#include "run-tool.h"
#include "support/data.h"
#include "support/tap.h"

#define FILES 1000
#define PIECE_MAX 40

static random_state random_numbers;
static unsigned long verdicts[3];

static uint64_t below(uint64_t limit)
{
    return random_below(&random_numbers, limit);
}

static bool once_in(uint64_t times)
{
    return below(times) == 0;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- what is done to them ---- */

static uint64_t lie(uint64_t truth)
{
    uint64_t power = UINT64_C(1) << below(64);
    switch (below(7)) {
    case 0: return truth + 1;
    case 1: return truth - 1;
    case 2: return power;
    case 3: return power - 1;
    case 4: return UINT64_MAX - below(40);
    case 5: return UINT64_MAX / (1 + below(20));
    default: return below(20);
    }
}

static void change_field(byte_string *file)
{
    rle_field fields[RLE_FIELDS];
    size_t count = rle_walk(file, false, false, fields);
    if (count == 0)
        return;
    const rle_field *field = &fields[below(count)];
    unsigned char *bytes = file->bytes + field->at;
    set_number(bytes, lie(number_at(bytes, field->width)), field->width);
}

/* Bytes from one place come to another, over what is there or between. */
static void copy_piece(byte_string *file, bool insert)
{
    unsigned char piece[PIECE_MAX];
    size_t from = below(file->size), to = below(file->size), most = file->size - from;
    size_t length = 1 + random_size(&random_numbers, PIECE_MAX);
    length = length < most ? length : most;
    memcpy(piece, file->bytes + from, length);
    if (insert) {
        size_t behind = file->size - to;
        bytes_add(file, piece, length); /* for its room */
        memmove(file->bytes + to + length, file->bytes + to, behind);
    }
    length = length < file->size - to ? length : file->size - to;
    memcpy(file->bytes + to, piece, length);
}

static void lose_piece(byte_string *file)
{
    size_t at = below(file->size), most = file->size - at, length = 1 + random_size(&random_numbers, PIECE_MAX);
    length = length < most ? length : most;
    memmove(file->bytes + at, file->bytes + at + length, most - length);
    file->size -= length;
}

static void mutate(byte_string *file)
{
    if (file->size == 0)
        return;
    size_t at = below(file->size);
    switch (below(9)) {
    case 0: file->bytes[at] ^= (unsigned char)(1u << below(8)); break;
    case 1: file->bytes[at] = (unsigned char)below(256); break;
    case 2: copy_piece(file, once_in(2)); break;
    case 3: lose_piece(file); break;
    case 4: file->size = once_in(3) ? at : file->size; break;
    default: change_field(file);
    }
}

static void draw_file(byte_string *file)
{
    rle_field fields[RLE_FIELDS];
    size_t containers = 1 + random_size(&random_numbers, 3), changes = random_size(&random_numbers, 5);
    for (size_t k = 0; k < containers; k++)
        rle_draw(file, &random_numbers);
    for (size_t k = 0; k < changes; k++)
        mutate(file);
    if (changes > 0 && !once_in(8))
        rle_walk(file, true, once_in(2), fields);
}

/* ---- asking ---- */

static void show(const byte_string *file)
{
    char line[3 * 40 + 1];
    for (size_t at = 0; at < file->size && at < 800; at += 40) {
        for (size_t k = 0; k < 40 && at + k < file->size; k++)
            snprintf(line + 3 * k, 4, " %02x", file->bytes[at + k]);
        tap_diag("%5zu:%s", at, line);
    }
}

static bool wrong(const tool_run *run, bool decode, rle_verdict verdict, const byte_string *content, bool more)
{
    bool refused = run->status == 2;
    if (run->signal != 0 || (run->status != 0 && !refused))
        tap_fail("status %d, signal %d: %s", run->status, run->signal, run->message);
    else if (refused && (strncmp(run->message, "gpurle: ", 8) != 0 || strstr(run->message, "memory") != NULL))
        tap_fail("it says %s", run->message);
    else if (!refused && (verdict == RLE_DAMAGED || run->message[0] != '\0'))
        tap_fail("damage is taken: %s", run->message);
    else if (refused && verdict == RLE_WHOLE && !(decode && content->size > TOOL_OUTPUT_LIMIT))
        tap_fail("what is whole is refused: %s", run->message);
    else if (!refused && decode &&
             (more || run->output_size != content->size ||
              (content->size > 0 && memcmp(run->output, content->bytes, content->size) != 0)))
        tap_fail("%zu bytes of output, and not %zu", run->output_size, content->size);
    else
        return false;
    return true;
}

static void try(unsigned long number, const byte_string *file)
{
    static char name[] = "gpurle", parallel[] = "--parallel=2", device[] = "--device=cpu", raw_option[] = "--raw";
    static char decode_option[] = "-d", list_option[] = "-l";
    bool decode = !once_in(3), raw = decode && once_in(4), more = false, piped = once_in(2);
    char *arguments[] = {name, parallel, device, decode ? decode_option : list_option, raw ? raw_option : NULL, NULL};
    byte_string content = {0};
    rle_verdict verdict = rle_expand(file, raw, TOOL_OUTPUT_LIMIT + 1, &content, &more);
    verdicts[verdict]++;
    tap_case("file %lu, %zu bytes, %s%s%s", number, file->size, decode ? "-d" : "-l", raw ? " --raw" : "",
             piped ? " of a pipe" : "");
    tool_run run = tool_try(arguments, file, piped);
    if (wrong(&run, decode, verdict, &content, more))
        show(file);
    bytes_free(&content);
}

/* Each is a process. A build that repeats the tests of another tries fewer: see fewer() in t/tools/lib.pl. */
static unsigned long files(void)
{
    const char *wanted = getenv("SCANKIT_TEST_EVERY");
    unsigned long every = wanted != NULL ? strtoul(wanted, NULL, 10) : 1;
    return every < 24 ? FILES : FILES * 12 / every;
}

int main(void)
{
    const char *wanted = getenv("SCANKIT_SEED"), *duration = getenv("SCANKIT_FUZZ_SECONDS");
    uint64_t seed = wanted != NULL ? strtoull(wanted, NULL, 0) : (uint64_t)time(NULL);
    double begin = seconds(), end = begin + (duration != NULL ? strtod(duration, NULL) : 0);
    unsigned long tried = 0, most = files();
    random_numbers = random_seeded(seed);
    tool_find("gpurle");
    tap_diag("seed %llu: SCANKIT_SEED=%llu repeats this", (unsigned long long)seed, (unsigned long long)seed);
    tap_begin("containers that are damaged, or lie");
    for (; duration != NULL ? seconds() < end : tried < most; tried++) {
        byte_string file = {0};
        draw_file(&file);
        try(tried, &file);
        bytes_free(&file);
    }
    tap_end();
    tap_diag("%lu files: %lu whole, %lu damaged, %lu either; %.0f a second", tried, verdicts[RLE_WHOLE],
             verdicts[RLE_DAMAGED], verdicts[RLE_EITHER], (double)tried / (seconds() - begin));
    return tap_finish();
}
