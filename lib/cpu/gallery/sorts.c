/* sorts.c - the gallery's sorts on a CPU (gallery.h). Each method is a template over the shapes of columns, in a file
 * of its own. */
#include "cpu/cpu.h"
#include "cpu/kernel/shapes.h"
#include "gallery.h"

/* The arguments of a sort. in may be out; spare is a second array. */
typedef struct sk_gallery_sorting {
    sk_device *device;
    sk_shape shape;
    sk_const_columns in;
    sk_columns out, spare;
    size_t n;
} sk_gallery_sorting;

typedef scankit_error sort_function(const sk_gallery_sorting *sorting);

#define TEMPLATE "cpu/gallery/lsd_radix.inc"
#include "cpu/kernel/shapes.inc"
#undef TEMPLATE
#define TEMPLATE "cpu/gallery/american_flag.inc"
#include "cpu/kernel/shapes.inc"
#undef TEMPLATE
#define TEMPLATE "cpu/gallery/merge_sort.inc"
#include "cpu/kernel/shapes.inc"
#undef TEMPLATE
#define TEMPLATE "cpu/gallery/sample_sort.inc"
#include "cpu/kernel/shapes.inc"
#undef TEMPLATE

/* ---- the rows ---- */

#define TABLE(row, method)                                         \
    static scankit_error row(const sk_gallery_sorting *sorting)    \
    {                                                              \
        static sort_function *const table[] = {SK_SHAPES(method)}; \
        return table[sk_shape_row(sorting->shape)](sorting);       \
    }
#define LSD_RADIX(k, v) SK_SHAPE_ROW(k, v) = SK_NAME(lsd_radix, k, v),
#define AMERICAN_FLAG(k, v) SK_SHAPE_ROW(k, v) = SK_NAME(american_flag, k, v),
#define MERGE(k, v) SK_SHAPE_ROW(k, v) = SK_NAME(merge_sort, k, v),
#define SAMPLE(k, v) SK_SHAPE_ROW(k, v) = SK_NAME(sample_sort, k, v),
TABLE(lsd_radix_sort, LSD_RADIX)
TABLE(american_flag_sort, AMERICAN_FLAG)
TABLE(merge_sort, MERGE)
TABLE(sample_sort_cpu, SAMPLE)

/* With a second array, which american-flag does without. */
static scankit_error run(sk_gallery_sorting *sorting, const char *name, sort_function *sort)
{
    sk_device *device = sorting->device;
    size_t mark = sk_arena_mark(&device->workspace);
    device->algorithm = name;
    scankit_error error = SCANKIT_E_MEMORY;
    if (sort == american_flag_sort || sk_take_columns(device, sorting->shape, sorting->n, &sorting->spare))
        error = sk_rehearses(device) ? SCANKIT_OK : sort(sorting);
    sk_arena_reset(&device->workspace, mark);
    return error;
}

scankit_error sk_cpu_gallery_sort(sk_device *device, unsigned row, unsigned scan, sk_shape shape, sk_const_columns in,
                                  sk_columns out, size_t n)
{
    (void)scan;
    sk_gallery_sorting sorting = {device, shape, in, out, {NULL, NULL}, n};
    switch (row) {
#define X(function, name, ...) \
    case SK_ROW_##function: return run(&sorting, name, function);
        SK_GALLERY_CPU_SORTS(X)
#undef X
    default: return SCANKIT_E_ARGUMENT;
    }
}
