/* gallery.c - see gallery.h. */
#include "gallery.h"

#include <stdio.h>
#include <string.h>

#include "common/device.h"

#define ALL_KINDS (~0U)
#define GAP 2 /* spaces between two columns */

static const char *const kind_names[] = {
    [SCANKIT_BLOCK_SCAN] = "block scan", [SCANKIT_GRID_SCAN] = "scan", [SCANKIT_REDUCTION] = "reduction",
    [SCANKIT_COMPACTION] = "compaction", [SCANKIT_SORT] = "sort",
};

static bool is_of_kinds(const scankit_gallery_row *row, unsigned kinds)
{
    return (kinds >> row->kind & 1) != 0;
}

/* ---- the table ---- */

static const char *const titles[GALLERY_COLUMNS] = {
    [GALLERY_NAME] = "name",     [GALLERY_KIND_NAME] = "kind", [GALLERY_DEVICE] = "device",
    [GALLERY_STABLE] = "stable", [GALLERY_WORK] = "work",      [GALLERY_STEPS] = "steps",
    [GALLERY_PASSES] = "passes", [GALLERY_LIMITS] = "limits",  [GALLERY_SOURCE] = "source",
};

static void cells_of(const scankit_gallery_row *row, const char *cells[GALLERY_COLUMNS])
{
    const char *const texts[GALLERY_COLUMNS] = {
        [GALLERY_NAME] = row->name,     [GALLERY_KIND_NAME] = kind_names[row->kind],
        [GALLERY_DEVICE] = row->device, [GALLERY_STABLE] = row->is_stable ? "yes" : "no",
        [GALLERY_WORK] = row->work,     [GALLERY_STEPS] = row->steps,
        [GALLERY_PASSES] = row->passes, [GALLERY_LIMITS] = row->limits,
        [GALLERY_SOURCE] = row->source,
    };
    for (int c = 0; c < GALLERY_COLUMNS; c++)
        cells[c] = texts[c][0] == '\0' ? "-" : texts[c];
}

/* What is printed, and the widths of its columns. */
struct table {
    unsigned kinds;
    enum gallery_column left_out;
    const scankit_gallery_row *first;
    int width[GALLERY_COLUMNS];
};

static void widen(struct table *table, const char *const cells[GALLERY_COLUMNS])
{
    for (int c = 0; c < GALLERY_COLUMNS; c++)
        if ((int)strlen(cells[c]) > table->width[c])
            table->width[c] = (int)strlen(cells[c]);
}

static void print_line(struct table *table, const char *const cells[GALLERY_COLUMNS])
{
    for (int c = 0; c + 1 < GALLERY_COLUMNS; c++)
        if (c != (int)table->left_out)
            printf("%-*s", table->width[c] + GAP, cells[c]);
    printf("%s\n", cells[GALLERY_COLUMNS - 1]);
}

static void for_each_row(struct table *table, void (*take)(struct table *, const char *const cells[GALLERY_COLUMNS]))
{
    const char *cells[GALLERY_COLUMNS];
    const scankit_gallery_row *row;
    take(table, titles);
    if (table->first != NULL) {
        cells_of(table->first, cells);
        take(table, cells);
    }
    for (size_t i = 0; (row = scankit_gallery(i)) != NULL; i++) {
        if (!is_of_kinds(row, table->kinds))
            continue;
        cells_of(row, cells);
        take(table, cells);
    }
}

void gallery_list(unsigned kinds, enum gallery_column left_out, const scankit_gallery_row *first)
{
    struct table table = {.kinds = kinds, .left_out = left_out, .first = first};
    for_each_row(&table, widen);
    for_each_row(&table, print_line);
    cli_end_text();
}

/* ---- one of its rows ---- */

/* The first row of this name, of these kinds; with DEVICE_AUTO of any device. */
static const scankit_gallery_row *find(const char *name, unsigned kinds, enum device_kind device)
{
    const scankit_gallery_row *row;
    for (size_t i = 0; (row = scankit_gallery(i)) != NULL; i++)
        if (strcmp(row->name, name) == 0 && is_of_kinds(row, kinds) &&
            (device == DEVICE_AUTO || device == device_kind_of(row->device)))
            break;
    return row;
}

static NO_RETURN void refuse(const char *name, unsigned kinds, const char *wanted)
{
    const scankit_gallery_row *row = find(name, kinds, DEVICE_AUTO);
    if (row != NULL)
        fail_usage("--algorithm=%s runs on %s, which is not the chosen device", name, row->device);
    row = find(name, ALL_KINDS, DEVICE_AUTO);
    if (row != NULL)
        fail_usage("--algorithm=%s is a %s, not a %s", name, kind_names[row->kind], wanted);
    fail_usage("--algorithm=%s: no such algorithm; --list-algorithms prints them", name);
}

/* Counting the GPUs starts the driver, so it is done only for a name that both devices have. */
static const scankit_gallery_row *find_on_any(const char *name, unsigned kinds)
{
    const scankit_gallery_row *cpu = find(name, kinds, DEVICE_CPU), *gpu = find(name, kinds, DEVICE_CUDA);
    return gpu == NULL || (cpu != NULL && scankit_cuda_device_count() == 0) ? cpu : gpu;
}

const scankit_gallery_row *gallery_choose(const char *name, unsigned kinds, const char *wanted, struct common *common)
{
    enum device_kind device = device_wanted(common);
    const scankit_gallery_row *row = device == DEVICE_AUTO ? find_on_any(name, kinds) : find(name, kinds, device);
    if (row == NULL)
        refuse(name, kinds, wanted);
    if (device == DEVICE_AUTO)
        common->device = row->device;
    return row;
}
