/* scale_out.c - the primitives over a group beside one of its devices alone:
 *
 *     bench/scale-out [--devices=LIST] [--bytes=SIZE] [--repeat=N] [--shapes=NAME,...]
 *                     [--primitives=NAME,...] [--host]
 *
 * Each row has the seconds of one device and of the group for the same array, their ratio, and the group's model: what
 * each member sorts, sends and merges at rates that are measured in the same run. A member sends while it merges. A
 * pair is two elements. With --host, data come from pinned host memory, and results go there; the model leaves that
 * out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/seconds.h"
#include "scale/parts.h"

typedef struct options {
    const char *devices, *shapes, *primitives;
    size_t bytes;
    unsigned repeat;
    bool host;
} options;

typedef scankit_error scale_call(const scale_parts *parts, const void *argument);

#define REPEAT_MOST 25

/* The median of several runs, each on restored data, after one that does not count. */
static double time_call(scale_parts *parts, scale_call *call, const void *argument, const options *o, const char *what)
{
    double seconds[REPEAT_MOST];
    for (unsigned r = 0; r <= o->repeat; r++) {
        scale_restore(parts);
        double start = host_seconds();
        if (o->host)
            scale_load(parts);
        scale_must(parts->group, call(parts, argument), what);
        if (o->host)
            scale_store(parts);
        if (r > 0)
            seconds[r - 1] = host_seconds() - start;
    }
    return median_of(seconds, o->repeat);
}

/* ---- the primitives ---- */

typedef struct task {
    const char *name;
    scankit_type type; /* SCANKIT_BYTES: records of 16 bytes with a key of 10 */
    size_t size;
    scale_call *call;
    bool sorts;
} task;

static scankit_error sort_keys(const scale_parts *p, const void *argument)
{
    const task *t = argument;
    return scankit_group_sort(p->group, t->type, (const void *const *)p->in, p->out, p->n, p->n, NULL);
}

static const scankit_key record_key = {.type = SCANKIT_BYTES, .size = 10};

static scankit_error sort_records(const scale_parts *p, const void *argument)
{
    const task *t = argument;
    return scankit_group_sort_records(p->group, t->size, &record_key, 1, (const void *const *)p->in, p->out, p->n, p->n,
                                      NULL);
}

/* The first half of a part's elements are keys, the second half their values. */
static scankit_error sort_pairs(const scale_parts *p, const void *argument)
{
    const task *t = argument;
    const void *values_in[SCALE_MEMBERS];
    void *values_out[SCALE_MEMBERS];
    size_t n[SCALE_MEMBERS];
    for (size_t m = 0; m < p->members; m++) {
        n[m] = p->n[m] / 2;
        values_in[m] = (char *)p->in[m] + n[m] * t->size;
        values_out[m] = (char *)p->out[m] + n[m] * t->size;
    }
    return scankit_group_sort_pairs(p->group, t->type, (const void *const *)p->in, p->out, t->size, values_in,
                                    values_out, n, n, NULL);
}

static scankit_error scan(const scale_parts *p, const void *argument)
{
    const task *t = argument;
    return scankit_group_scan(p->group, t->type, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, (const void *const *)p->in,
                              p->out, p->n);
}

static scankit_error compact(const scale_parts *p, const void *argument)
{
    static scankit_predicate *half;
    const task *t = argument;
    size_t counts[SCALE_MEMBERS];
    if (half == NULL && scankit_predicate_compile(&half, t->type, "x % 2 == 0", NULL, NULL) != SCANKIT_OK)
        return SCANKIT_E_SYNTAX;
    return scankit_group_compact(p->group, half, (const void *const *)p->in, p->out, NULL, p->n, NULL, counts);
}

static const task tasks[] = {
    {"sort u32", SCANKIT_U32, 4, sort_keys, true},
    {"sort u64", SCANKIT_U64, 8, sort_keys, true},
    {"sort f64", SCANKIT_F64, 8, sort_keys, true},
    {"sort records of 16", SCANKIT_BYTES, 16, sort_records, true},
    {"sort pairs of u32", SCANKIT_U32, 4, sort_pairs, false},
    {"sort pairs of u64", SCANKIT_U64, 8, sort_pairs, false},
    {"scan u32", SCANKIT_U32, 4, scan, false},
    {"compact u32 half", SCANKIT_U32, 4, compact, false},
};

/* ---- the model ---- */

/* Bytes a second from one member to the next. */
static double measure_link(scale_parts *parts, const options *o)
{
    size_t n[SCALE_MEMBERS] = {0}, to[SCALE_MEMBERS] = {0};
    double seconds[REPEAT_MOST];
    n[0] = to[1] = parts->n[0];
    for (unsigned r = 0; r < o->repeat; r++) {
        double start = host_seconds();
        scale_must(
            parts->group,
            scankit_group_redistribute(parts->group, parts->size, (const void *const *)parts->in, n, parts->out, to),
            "redistribute");
        seconds[r] = host_seconds() - start;
    }
    return (double)(n[0] * parts->size) / median_of(seconds, o->repeat);
}

typedef scankit_error member_work(const task *t, scankit_context *context, const scale_parts *parts);

/* Member 0's part by itself. */
static scankit_error sort_part(const task *t, scankit_context *context, const scale_parts *parts)
{
    if (t->type == SCANKIT_BYTES)
        return scankit_sort_records(context, t->size, &record_key, 1, parts->in[0], parts->out[0], parts->n[0], NULL);
    return scankit_sort(context, t->type, parts->in[0], parts->out[0], parts->n[0], NULL);
}

static void piece_of(const scale_parts *parts, size_t i, char **piece, size_t *n)
{
    size_t begin = parts->n[0] * i / parts->members;
    *n = parts->n[0] * (i + 1) / parts->members - begin;
    *piece = (char *)parts->in[0] + begin * parts->size;
}

/* Member 0's part as sorted pieces, one for each member. */
static void sort_pieces(const task *t, scankit_context *context, scale_parts *parts)
{
    scale_restore(parts);
    for (size_t i = 0; i < parts->members; i++) {
        scale_parts one = *parts;
        piece_of(parts, i, (char **)&one.in[0], &one.n[0]);
        one.out[0] = one.in[0];
        scale_must(parts->group, sort_part(t, context, &one), "sort");
    }
}

static scankit_error merge_pieces(const task *t, scankit_context *context, const scale_parts *parts)
{
    const void *arrays[SCALE_MEMBERS];
    size_t counts[SCALE_MEMBERS];
    for (size_t i = 0; i < parts->members; i++) {
        char *piece;
        piece_of(parts, i, &piece, &counts[i]);
        arrays[i] = piece;
    }
    if (t->type == SCANKIT_BYTES)
        return scankit_merge_many_records(context, t->size, &record_key, 1, parts->members, arrays, counts,
                                          parts->out[0]);
    return scankit_merge_many(context, t->type, parts->members, arrays, counts, parts->out[0], NULL);
}

/* The median of several runs, after one that does not count. */
static double time_member(const task *t, scale_parts *parts, member_work *work, bool restores, const options *o)
{
    double seconds[REPEAT_MOST];
    scankit_context *context = scankit_group_context(parts->group, 0);
    for (unsigned r = 0; r <= o->repeat; r++) {
        if (restores)
            scale_restore(parts);
        double start = host_seconds();
        scale_must(parts->group, work(t, context, parts), "a member's work");
        scale_must(parts->group, scankit_synchronize(context), "a member's work");
        if (r > 0)
            seconds[r - 1] = host_seconds() - start;
    }
    return median_of(seconds, o->repeat);
}

/* Each member sorts its part. Then exchange and merge go on beside each other, so the longer one of them counts. */
static double model_sort(const task *t, scale_parts *parts, const options *o)
{
    double sent = (double)(parts->n[0] * t->size) * (double)(parts->members - 1) / (double)parts->members;
    double sort = time_member(t, parts, sort_part, true, o), exchange = sent / measure_link(parts, o);
    sort_pieces(t, scankit_group_context(parts->group, 0), parts);
    double merge = time_member(t, parts, merge_pieces, false, o);
    printf(" %.5f, %.5f, %.5f |", sort, exchange, merge);
    return sort + (exchange > merge ? exchange : merge);
}

/* ---- the table ---- */

static void print_row(const task *t, shape_id shape, scankit_group *one, scankit_group *group, const options *o)
{
    size_t n = o->bytes / t->size;
    scale_parts alone, all;
    void *elements = scale_draw(t->type, t->size, shape, n);
    scale_open(&alone, one, elements, t->size, n);
    if (o->host)
        scale_pin(&alone, elements);
    double single = time_call(&alone, t->call, t, o, t->name);
    scale_close(&alone);
    scale_open(&all, group, elements, t->size, n);
    if (o->host)
        scale_pin(&all, elements);
    double several = time_call(&all, t->call, t, o, t->name);
    printf("| %s | %s | %zu | %.5f | %.5f | %.2f |", t->name, shape_name(shape), n, single, several, single / several);
    if (t->sorts && all.members > 1) {
        double model = model_sort(t, &all, o);
        printf(" %.5f | %.2f |\n", model, model / several);
    } else {
        printf(" | | |\n");
    }
    fflush(stdout);
    scale_close(&all);
    free(elements);
}

static size_t parse_size(const char *text)
{
    char *end;
    size_t size = strtoull(text, &end, 10);
    static const char units[] = "KMG";
    const char *unit = *end == '\0' ? NULL : strchr(units, *end);
    return unit == NULL ? size : size << (10 * (unit - units + 1));
}

static options parse(int argc, char **argv)
{
    options o = {"cuda:all", "uniform,zipf,sorted", NULL, (size_t)1 << 30, 5, false};
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--devices=", 10) == 0)
            o.devices = argv[i] + 10;
        else if (strncmp(argv[i], "--shapes=", 9) == 0)
            o.shapes = argv[i] + 9;
        else if (strncmp(argv[i], "--primitives=", 13) == 0)
            o.primitives = argv[i] + 13;
        else if (strncmp(argv[i], "--bytes=", 8) == 0)
            o.bytes = parse_size(argv[i] + 8);
        else if (strncmp(argv[i], "--repeat=", 9) == 0)
            o.repeat = (unsigned)atoi(argv[i] + 9);
        else if (strcmp(argv[i], "--host") == 0)
            o.host = true;
    if (o.repeat < 1 || o.repeat > REPEAT_MOST || o.bytes < 1024) {
        fprintf(stderr, "scale-out: --repeat is 1 to %d, --bytes 1K or more\n", REPEAT_MOST);
        exit(2);
    }
    return o;
}

int main(int argc, char **argv)
{
    options o = parse(argc, argv);
    scankit_group *group, *one;
    if (scankit_group_open(&group, o.devices) != SCANKIT_OK) {
        fprintf(stderr, "scale-out: %s does not open\n", o.devices);
        return 2;
    }
    scankit_context *first = scankit_group_context(group, 0);
    if (scankit_group_members(group) > SCALE_MEMBERS || scankit_group_of(&one, &first, 1) != SCANKIT_OK)
        return 2;
    printf("%s: %zu members, the first is %s\n\n", o.devices, scankit_group_members(group), scankit_device_name(first));
    printf("| primitive | data | elements | alone, s | group, s | ratio | a part's sort, exchange, merge, s | model, s "
           "| of the model |\n");
    printf("| --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |\n");
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++)
        for (int shape = 0; shape < SHAPE_COUNT; shape++) {
            bool named = strstr(o.shapes, shape_name((shape_id)shape)) != NULL &&
                         (o.primitives == NULL || strstr(o.primitives, tasks[t].name) != NULL);
            bool taken =
                tasks[t].type == SCANKIT_BYTES ? shape == SHAPE_uniform : shape_takes((shape_id)shape, tasks[t].type);
            if (named && taken)
                print_row(&tasks[t], (shape_id)shape, one, group, &o);
        }
    scankit_group_close(one);
    scankit_group_close(group);
    return 0;
}
