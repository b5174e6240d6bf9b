/* positions.c - see positions.h. */
#include "positions.h"

#include "common/buffer.h"
#include "common/schema.h"

static size_t size_of(const scankit_column *column)
{
    return column->type == SCANKIT_BYTES ? column->size : scankit_type_size(column->type);
}

static void sort_on_device(scankit_context *context, const scankit_column *columns, size_t count, size_t n,
                           uint64_t *positions)
{
    struct buffer buffers[KEYS_MAX] = {{0}}, result = {0};
    scankit_column there[KEYS_MAX];
    for (size_t i = 0; i < count; i++) {
        there[i] = columns[i];
        there[i].data = buffer_upload(&buffers[i], context, columns[i].data, n * size_of(&columns[i]));
    }
    void *to = buffer_room(&result, context, n * sizeof *positions);
    check_call(context, scankit_sort_columns(context, there, count, to, n, NULL));
    buffer_download(&result, positions, n * sizeof *positions);
    buffer_free(&result);
    for (size_t i = 0; i < count; i++)
        buffer_free(&buffers[i]);
}

void sort_positions(scankit_context *context, const scankit_column *columns, size_t count, size_t n,
                    uint64_t *positions)
{
    if (n == 0)
        return;
    if (scankit_is_host(context))
        check_call(context, scankit_sort_columns(context, columns, count, positions, n, NULL));
    else
        sort_on_device(context, columns, count, n, positions);
}
