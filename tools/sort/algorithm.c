/* algorithm.c - see algorithm.h. */
#include "algorithm.h"

#include <stdlib.h>

#include "common/device.h"
#include "gallery/gallery.h"

#define KINDS GALLERY_KIND(SORT)

void algorithm_list(void)
{
    static const scankit_gallery_row automatic = {.name = "auto",
                                                  .kind = SCANKIT_SORT,
                                                  .device = "",
                                                  .work = "",
                                                  .steps = "",
                                                  .passes = "",
                                                  .is_stable = 1,
                                                  .limits = "",
                                                  .source = "production's choice"};
    gallery_list(KINDS, GALLERY_KIND_NAME, &automatic);
}

/* ---- the choice ---- */

static void refuse_options(const struct sort_request *request)
{
    const char *name = request->gallery->name;
    const char *option = request->top != UINT64_MAX            ? "--top"
                         : request->workspace != NULL          ? "--workspace"
                         : request->argsort && request->unique ? "--argsort with --unique"
                                                               : NULL;
    if (option != NULL)
        fail_usage("--algorithm=%s does not take %s; hybrid, radix and chunk-merge do", name, option);
    if (request->argsort && !request->gallery->is_stable)
        fail_usage("--algorithm=%s is not stable, which --argsort requires", name);
}

void algorithm_choose(struct sort_request *request)
{
    const char *name = request->algorithm_name;
    if (name == NULL || scankit_algorithm_from_name(&request->algorithm, name) == SCANKIT_OK)
        return;
    request->gallery = gallery_choose(name, KINDS, "sort", &request->common);
    refuse_options(request);
}

void algorithm_check(const struct sort_request *request, const struct schema *schema)
{
    const scankit_gallery_row *row = request->gallery;
    const scankit_key *key = &schema->keys[0];
    if (row == NULL)
        return;
    if (!schema_is_number(schema))
        fail_usage("--algorithm=%s sorts numbers, not records or keys that are parts of elements", row->name);
    if (key->big_endian)
        fail_usage("--algorithm=%s does not sort big-endian numbers", row->name);
    if (!scankit_gallery_applies(row, key->type, SCANKIT_SUM))
        fail_usage("--algorithm=%s does not sort %s; its limits: %s", row->name, scankit_type_name(key->type),
                   row->limits);
}

void algorithm_check_memory(const struct sort_request *request)
{
    if (request->gallery != NULL)
        fail(NULL, "--algorithm=%s sorts in memory, and the input does not fit there", request->gallery->name);
}

/* ---- the sort ---- */

/* Keys and values, and at most four times as much workspace: see scankit_gallery_sort(). */
uint64_t algorithm_cost(const struct sort_request *request, size_t element)
{
    return 5 * (element + (request->argsort ? sizeof(uint64_t) : 0));
}

#define BLOCK ((size_t)1 << 16)

/* Writes 0, 1, 2 and so on. */
static void number(scankit_context *context, uint64_t *positions, size_t n)
{
    uint64_t *block = get_memory(BLOCK * sizeof *block);
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < BLOCK ? n - done : BLOCK;
        for (size_t i = 0; i < part; i++)
            block[i] = done + i;
        check_call(context, scankit_upload(context, positions + done, block, part * sizeof *block));
    }
    free(block);
}

void algorithm_sort(const struct sort_request *request, scankit_context *context, const scankit_key *key, void *numbers,
                    uint64_t *positions, size_t n)
{
    size_t value_size = positions == NULL ? 0 : sizeof *positions;
    if (positions != NULL)
        number(context, positions, n);
    check_call(context, scankit_gallery_sort(context, request->gallery->name, key->type, key->descending, numbers,
                                             numbers, value_size, positions, positions, n));
}
