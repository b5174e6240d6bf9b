/* counting.c - gpuscan --histogram: for each bin its ends and its count, as text. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scan.h"
#include "text/number.h"

#define BINS_MOST ((size_t)1 << 24)

static _Noreturn void fail_histogram(const char *text, const char *why)
{
    fail_usage("--histogram=%s: %s", text, why);
}

/* ---- the option: BINS or BINS,LOW,HIGH ---- */

static double parse_end(const char *text, const char **at)
{
    char *end;
    const char *from = **at == ',' ? *at + 1 : "";
    double value = strtod(from, &end);
    if (end == from || !isfinite(value))
        fail_histogram(text, "expected BINS or BINS,LOW,HIGH, both ends finite");
    *at = end;
    return value;
}

/* Returns true if the text has both ends. */
static bool parse_bins(const char *text, scankit_bins *bins)
{
    char *end;
    errno = 0;
    unsigned long long count = strtoull(text, &end, 10);
    if (end == text || errno != 0 || *text < '0' || *text > '9' || count < 1 || count > BINS_MOST)
        fail_histogram(text, "the number of bins is from 1 to 16777216");
    *bins = (scankit_bins){.kind = SCANKIT_BINS_EVEN, .count = (size_t)count};
    if (*end == '\0')
        return false;
    const char *at = end;
    bins->low = parse_end(text, &at);
    bins->high = parse_end(text, &at);
    if (*at != '\0')
        fail_histogram(text, "expected BINS or BINS,LOW,HIGH");
    if (!(bins->low < bins->high))
        fail_histogram(text, "LOW is not below HIGH");
    return true;
}

/* ---- the ends, if they are not given: the least and the greatest value ---- */

struct range {
    struct pass pass; /* its scanner finds the least value */
    struct scanner most;
};

static void find_ends(void *state, const char *block, char *values, const uint8_t *heads, size_t n)
{
    struct range *range = state;
    (void)block;
    (void)heads;
    if (range->most.context == NULL)
        scanner_start(&range->most, range->pass.scanner.context, false);
    scanner_reduce(&range->pass.scanner, values, n);
    scanner_reduce(&range->most, values, n);
}

#define NUMBER_unsigned(value) ((long double)(value))
#define NUMBER_signed(value) ((long double)(value))
#define NUMBER_half(value) ((long double)scankit_f16_to_f32(value))
#define NUMBER_float(value) ((long double)(value))

static long double number_of(scankit_type type, const char *value)
{
    switch (type) {
#define X(enumerator, name, ctype, kind)       \
    case SCANKIT_##enumerator: {               \
        ctype stored;                          \
        memcpy(&stored, value, sizeof stored); \
        return NUMBER_##kind(stored);          \
    }
        SCANKIT_TYPES(X)
#undef X
    default: return 0;
    }
}

/* The nearest double that is not within the values. */
static double end_outside(long double value, double away)
{
    double end = (double)value;
    bool is_within = away < 0 ? (long double)end > value : (long double)end < value;
    return is_within ? nextafter(end, away) : end;
}

/* As NumPy has them: values that are all equal get a bin of width 1 around them; integers, from them on. */
static void set_ends(const char *text, scankit_bins *bins, scankit_type type, long double least, long double most)
{
    if (!isfinite((double)least) || !isfinite((double)most))
        fail_histogram(text, "the data has values that are not finite; give LOW and HIGH");
    bins->low = end_outside(least, -DBL_MAX);
    bins->high = end_outside(most, DBL_MAX);
    if (bins->low < bins->high)
        return;
    bool is_whole = type_kind(type) != TYPE_float;
    bins->low -= is_whole ? 0 : 0.5;
    bins->high += is_whole ? 1 : 0.5;
    if (!(bins->low < bins->high))
        fail_histogram(text, "the values are too large for ends of their own; give LOW and HIGH");
}

static void find_range(const struct scan_request *request, char *const *paths, size_t count, struct job *job,
                       scankit_bins *bins)
{
    struct range range = {.most = {.op = SCANKIT_MAX}};
    struct pass *pass = &range.pass;
    pass_open(pass, request, paths, count, job, NULL);
    range.most.type = pass->scanner.type;
    pass_measure(pass, 0, 1);
    pass_run(pass, find_ends, &range);
    *bins = (scankit_bins){.kind = SCANKIT_BINS_EVEN, .count = bins->count, .low = 0, .high = 1};
    if (pass->pipeline.elements > 0) {
        scankit_type type = pass->scanner.type;
        set_ends(request->histogram, bins, type, number_of(type, pass->scanner.total),
                 number_of(type, range.most.total));
        scanner_free(&range.most);
    }
    pass_close(pass);
}

/* Only a file can be read twice. */
static void check_files(const struct scan_request *request, char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct stat status;
        if (strcmp(paths[i], "-") == 0 || (stat(paths[i], &status) == 0 && !S_ISREG(status.st_mode)))
            fail_histogram(request->histogram, "a pipe is read once, so LOW and HIGH must be given");
    }
}

/* ---- the counts ---- */

struct counting {
    struct pass pass;
    scankit_bins bins;
    struct buffer device; /* counts of a block */
    uint64_t *block, *counts;
};

static void count_block(void *state, const char *elements, char *values, const uint8_t *heads, size_t n)
{
    struct counting *counting = state;
    struct scanner *scanner = &counting->pass.scanner;
    scankit_context *context = scanner->context;
    size_t bytes = counting->bins.count * sizeof *counting->block;
    const char *keys = values;
    (void)elements;
    (void)heads;
    if (!scankit_is_host(context))
        keys = buffer_upload(&scanner->data, context, values, n * scankit_type_size(scanner->type));
    void *to = buffer_room(&counting->device, context, bytes);
    check_call(context, scankit_histogram(context, scanner->type, keys, n, &counting->bins, SCANKIT_U64, NULL, to));
    buffer_download(&counting->device, counting->block, bytes);
    for (size_t b = 0; b < counting->bins.count; b++)
        counting->counts[b] += counting->block[b];
}

static double end_of_bin(const scankit_bins *bins, size_t b)
{
    return b == bins->count ? bins->high : bins->low + (double)b * ((bins->high - bins->low) / (double)bins->count);
}

static void put_counts(struct output *output, const scankit_bins *bins, const uint64_t *counts)
{
    const scankit_field field = {.type = SCANKIT_F64, .size = sizeof(double)};
    for (size_t b = 0; b < bins->count; b++) {
        const double ends[2] = {end_of_bin(bins, b), end_of_bin(bins, b + 1)};
        char line[3 * NUMBER_BYTES], *end = line;
        for (int i = 0; i < 2; i++) {
            end = put_field(end, &field, (const char *)&ends[i]);
            *end++ = '\t';
        }
        end = put_unsigned(end, counts[b]);
        *end++ = '\n';
        output_write(output, line, (size_t)(end - line));
    }
}

/* Integers are counted between integers. */
static void check_ends(const struct scan_request *request, const scankit_bins *bins, scankit_type type)
{
    if (type_kind(type) == TYPE_float)
        return;
    double values = ldexp(1.0, (int)(8 * scankit_type_size(type)));
    double least = type_kind(type) == TYPE_signed ? -values / 2 : 0;
    bool are_whole = floor(bins->low) == bins->low && floor(bins->high) == bins->high;
    if (!are_whole || bins->low < least || bins->high > least + values)
        fail_histogram(request->histogram, "LOW and HIGH of integers are integers from the least value of the type to"
                                           " one past its greatest");
}

void count_bins(const struct scan_request *asked, char *const *paths, size_t count, struct job *job)
{
    /* Of the operators, the least value applies to all numbers, and widens none. */
    struct scan_request request = *asked;
    request.op = SCANKIT_MIN;
    request.reduce = true;
    struct counting counting = {.block = NULL};
    struct output output;
    scankit_bins bins;
    if (!parse_bins(request.histogram, &bins)) {
        check_files(&request, paths, count);
        find_range(&request, paths, count, job, &bins);
    }
    counting.bins = bins;
    pass_open(&counting.pass, &request, paths, count, job, NULL);
    check_ends(&request, &bins, counting.pass.scanner.type);
    scan_open_text(&output, &request.common);
    pass_measure(&counting.pass, 0, 1);
    counting.block = get_memory(bins.count * sizeof *counting.block);
    counting.counts = get_memory(bins.count * sizeof *counting.counts);
    memset(counting.counts, 0, bins.count * sizeof *counting.counts);
    pass_run(&counting.pass, count_block, &counting);
    put_counts(&output, &bins, counting.counts);
    job->stats.bytes_out += output_finish(&output);
    buffer_free(&counting.device);
    free(counting.block);
    free(counting.counts);
    pass_close(&counting.pass);
}
