/* gallery.c - the algorithms that gpuscan --algorithm can take, and their table. */
#include <stdio.h>
#include <string.h>

#include "common/device.h"
#include "scan.h"

/* ---- the table ---- */

#define COLUMNS 8
#define GAP 2 /* spaces between two columns */

static const char *const kinds[] = {
    [SCANKIT_BLOCK_SCAN] = "block scan",
    [SCANKIT_GRID_SCAN] = "scan",
    [SCANKIT_REDUCTION] = "reduction",
    [SCANKIT_COMPACTION] = "compaction",
};

static void cells_of(const scankit_gallery_row *row, const char *cells[COLUMNS])
{
    const char *const texts[COLUMNS] = {row->name,  kinds[row->kind], row->device, row->work,
                                        row->steps, row->passes,      row->limits, row->source};
    for (int c = 0; c < COLUMNS; c++)
        cells[c] = texts[c][0] == '\0' ? "-" : texts[c];
}

static void print_line(const char *const cells[COLUMNS], const size_t width[COLUMNS])
{
    for (int c = 0; c + 1 < COLUMNS; c++)
        printf("%-*s", (int)(width[c] + GAP), cells[c]);
    printf("%s\n", cells[COLUMNS - 1]);
}

void gallery_list(void)
{
    static const char *const titles[COLUMNS] = {"name",  "kind",   "device", "work",
                                                "steps", "passes", "limits", "source"};
    const char *cells[COLUMNS];
    const scankit_gallery_row *row;
    size_t width[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        width[c] = strlen(titles[c]);
    for (size_t i = 0; (row = scankit_gallery(i)) != NULL; i++) {
        cells_of(row, cells);
        for (int c = 0; c < COLUMNS; c++)
            width[c] = strlen(cells[c]) > width[c] ? strlen(cells[c]) : width[c];
    }
    print_line(titles, width);
    for (size_t i = 0; (row = scankit_gallery(i)) != NULL; i++) {
        cells_of(row, cells);
        print_line(cells, width);
    }
    cli_end_text();
}

/* ---- one of its rows ---- */

static bool does(const scankit_gallery_row *row, bool reduce)
{
    return reduce ? row->kind == SCANKIT_REDUCTION : row->kind == SCANKIT_BLOCK_SCAN || row->kind == SCANKIT_GRID_SCAN;
}

/* The row of --algorithm, best one first: for the chosen device, for another device, or of another kind, for a message.
 * */
static const scankit_gallery_row *find_row(const struct scan_request *request)
{
    const scankit_gallery_row *row, *found = NULL;
    int best = 0;
    for (size_t i = 0; (row = scankit_gallery(i)) != NULL; i++) {
        if (strcmp(row->name, request->algorithm) != 0)
            continue;
        int good = !does(row, request->reduce)                                      ? 1
                   : device_wanted(&request->common) == device_kind_of(row->device) ? 3
                                                                                    : 2;
        if (good > best) {
            best = good;
            found = row;
        }
    }
    return found;
}

void gallery_choose(struct scan_request *request)
{
    if (request->algorithm == NULL)
        return;
    const scankit_gallery_row *row = find_row(request);
    if (row == NULL)
        fail_usage("--algorithm=%s: no such algorithm; --list-algorithms prints them", request->algorithm);
    if (!does(row, request->reduce))
        fail_usage("--algorithm=%s is a %s, not a %s", row->name, kinds[row->kind],
                   request->reduce ? "reduction" : "scan");
    if (device_wanted(&request->common) == DEVICE_AUTO)
        request->common.device = row->device;
    if (device_wanted(&request->common) != device_kind_of(row->device))
        fail_usage("--algorithm=%s runs on %s, which is not the chosen device", row->name, row->device);
}

void gallery_check(const struct scan_request *request, scankit_type type)
{
    const scankit_gallery_row *row = request->algorithm == NULL ? NULL : find_row(request);
    if (row != NULL && !scankit_gallery_applies(row, type, request->op))
        fail_usage("--algorithm=%s does not do %s of %s; its limits: %s", row->name, scankit_operator_name(request->op),
                   scankit_type_name(type), row->limits);
}
