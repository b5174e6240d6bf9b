/* same-devices.c - random calls of tables, filters and pyramids give the same bytes for any number of threads, on every
 * instruction set and on a GPU: integers and all pyramids. Tables and filters of floats are the same for any number of
 * threads.
 *
 * SCANKIT_SEED in the environment chooses other calls, and SCANKIT_CASES how many. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "image/canvas.h"
#include "support/oracle.h"
#include "support/tap.h"

enum { IN, MAP, OUT, OUTS = DEVICE_AREAS - OUT };

typedef enum call_kind { TABLE, FILTER, MAPPED_FILTER, BLUR, PYRAMID, KINDS } call_kind;
static const char *const kind_names[KINDS] = {"table", "box filter", "box filter by a map", "depth of field",
                                              "pyramid"};

/* A call with its images in host memory. map: radii or depths. out: what the outputs hold before the call. */
typedef struct call {
    call_kind kind;
    scankit_image in, map, out[OUTS];
    unsigned outs;
    scankit_table_options table;
    scankit_box_options box;
    scankit_lens lens;
    int linear;
    uint64_t seed; /* of the alignments */
} call;

typedef struct pool_device {
    device device;
    char name[64];
    size_t first; /* the first device with the same instructions; the first of all is one of the same integers */
} pool_device;

/* Every number of threads with every instruction set, and a GPU. */
#define POOL 10
static pool_device pool[POOL];
static size_t pool_size;

static void add_device(const char *device_name, const char *kernels, size_t first)
{
    pool_device *next = &pool[pool_size];
    snprintf(next->name, sizeof next->name, "%s, %s", device_name, kernels != NULL ? kernels : "any kernels");
    next->first = first;
    if (device_open(&next->device, device_name, next->name))
        pool_size++;
}

static void open_pool(void)
{
    static const char *const threads[] = {"cpu:1", "cpu:2", "cpu:5"}, *const kernels[] = {"base", "avx2", NULL};
    for (size_t k = 0; k < 3; k++) {
        size_t first = pool_size;
        if (kernels[k] != NULL)
            setenv("SCANKIT_CPU_KERNELS", kernels[k], 1);
        else
            unsetenv("SCANKIT_CPU_KERNELS");
        for (size_t t = 0; t < 3; t++)
            add_device(threads[t], kernels[k], first);
    }
    if (device_wanted("cuda") && scankit_cuda_device_count() > 0)
        add_device("cuda", NULL, pool_size);
}

/* ---- draws ---- */

static void draw_table(call *c, random_state *random)
{
    bool real = canvas_most(c->in.type) == 0;
    scankit_type type = real ? SCANKIT_F32 : SCANKIT_U32;
    if (random_next(random) & 1)
        type = real ? SCANKIT_F64 : SCANKIT_U64;
    c->table.method = (scankit_table_method)random_below(random, 3);
    c->table.wrap = 1;
    c->out[c->outs++] = canvas_new(type, c->in.channels, c->in.width, c->in.height, random);
}

static void draw_filter(call *c, random_state *random)
{
    c->box.radius = random_next(random) & 1 ? (double)random_below(random, 12) : 200 * pow(random_unit(random), 4);
    c->box.edge = (scankit_edge)random_below(random, 3);
    c->box.passes = (unsigned)random_below(random, 4);
    c->lens.focus = 1;
    c->lens.aperture = 20 * random_unit(random);
    c->lens.radius_max = random_next(random) & 1 ? 10 * random_unit(random) : 0;
    for (size_t y = 0; y < c->map.height; y++)
        for (size_t x = 0; x < c->map.width; x++)
            canvas_set(&c->map, x, y, 0, 20 * pow(random_unit(random), 3));
    c->out[c->outs++] = canvas_new(c->in.type, c->in.channels, c->in.width, c->in.height, random);
}

static void draw_pyramid(call *c, random_state *random)
{
    unsigned levels = scankit_mipmap_levels(c->in.width, c->in.height) - 1;
    c->linear = random_next(random) & 1;
    for (unsigned k = 1; k <= levels && k <= OUTS; k++)
        c->out[c->outs++] = canvas_new(c->in.type, c->in.channels, scankit_mipmap_extent(c->in.width, k),
                                       scankit_mipmap_extent(c->in.height, k), random);
}

static call draw_call_of(call_kind kind, scankit_type type, random_state *random)
{
    size_t most = random_below(random, 4) == 0 ? 600 : 120, width, height;
    call c = {.kind = kind, .seed = random_next(random)};
    width = 1 + random_size(random, most);
    height = 1 + random_size(random, most);
    c.in = canvas_new(type, 1 + (unsigned)random_below(random, 4), width, height, random);
    c.map = canvas_new(SCANKIT_F32, 1, width, height, random);
    canvas_fill(&c.in, (canvas_content)random_below(random, CANVAS_CONTENTS), random);
    if (kind == TABLE)
        draw_table(&c, random);
    else if (kind == PYRAMID)
        draw_pyramid(&c, random);
    else
        draw_filter(&c, random);
    return c;
}

static void free_call(call *c)
{
    canvas_free(&c->in);
    canvas_free(&c->map);
    for (unsigned i = 0; i < c->outs; i++)
        canvas_free(&c->out[i]);
}

/* ---- on the devices ---- */

static scankit_error run(device *d, const call *c)
{
    random_state random = random_seeded(c->seed);
    scankit_image out[OUTS], in = canvas_put(d, IN, &c->in, &random), map = canvas_put(d, MAP, &c->map, &random);
    scankit_box_options box = c->box;
    box.radii = c->kind == MAPPED_FILTER ? &map : NULL;
    for (unsigned i = 0; i < c->outs; i++)
        out[i] = canvas_put(d, OUT + i, &c->out[i], &random);
    switch (c->kind) {
    case TABLE: return scankit_summed_area_table(d->context, &in, &out[0], &c->table);
    case BLUR: return scankit_depth_of_field(d->context, &in, &map, &out[0], &c->lens);
    case PYRAMID: return scankit_mipmap(d->context, &in, out, c->outs, c->linear);
    default: return scankit_box_filter(d->context, &in, &out[0], &box);
    }
}

static void expect_same(device *first, device *d, const call *c, const char *name)
{
    for (unsigned i = 0; i < c->outs; i++) {
        scankit_image should = canvas_copy(&c->out[i]);
        device_get(first, OUT + i, should.data);
        device_expect(d, OUT + i, should.data, canvas_bytes(&should), 1, name);
        canvas_free(&should);
    }
}

static void check(const call *c)
{
    bool everywhere = canvas_most(c->in.type) > 0 || c->kind == PYRAMID;
    tap_case("%s, %u channels, %zu x %zu: method %d to %s, radius %g, %s, %u passes, aperture %g, limit %g, linear %d",
             scankit_type_name(c->in.type), c->in.channels, c->in.width, c->in.height, (int)c->table.method,
             c->outs > 0 ? scankit_type_name(c->out[0].type) : "none", c->box.radius, scankit_edge_name(c->box.edge),
             c->box.passes, c->lens.aperture, c->lens.radius_max, c->linear);
    for (size_t i = 0; i < pool_size; i++)
        if (!DEVICE_DID(&pool[i].device, run(&pool[i].device, c)))
            return;
    for (size_t i = 1; i < pool_size; i++)
        expect_same(&pool[everywhere ? 0 : pool[i].first].device, &pool[i].device, c, pool[i].name);
}

int main(void)
{
    static const scankit_type types[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_U8, SCANKIT_U16, SCANKIT_F16, SCANKIT_F32};
    const char *wanted = getenv("SCANKIT_SEED"), *number = getenv("SCANKIT_CASES");
    unsigned long cases = number != NULL ? strtoul(number, NULL, 10) : 60;
    random_state random = random_seeded(wanted != NULL ? strtoull(wanted, NULL, 0) : 39);
    open_pool();
    for (int kind = 0; kind < KINDS; kind++) {
        tap_begin("%s: the same on %zu devices", kind_names[kind], pool_size);
        for (unsigned long i = 0; i < cases; i++) {
            call c = draw_call_of((call_kind)kind, types[i % 6], &random);
            if (device_case_is_due())
                check(&c);
            free_call(&c);
        }
        tap_end();
    }
    while (pool_size > 0)
        device_close(&pool[--pool_size].device);
    return tap_finish();
}
