/* slices.c - see slices.h. */
#include "slices.h"

#include <stdlib.h>

/* Writes a range for each slice of a column that is not empty. Returns their number. */
static size_t fill_ranges(const sk_slice *slices, size_t count, size_t size, const void *data, scankit_range *ranges)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (slices[i].n > 0)
            ranges[used++] =
                (scankit_range){slices[i].member, (char *)(uintptr_t)data + slices[i].begin * size, slices[i].n * size};
    return used;
}

typedef scankit_error exchange_function(sk_member *member, const scankit_range *send, size_t sends,
                                        const scankit_range *receive, size_t receives);

static scankit_error exchange(sk_member *member, exchange_function *run, const sk_slice *send, size_t sends,
                              const sk_slice *receive, size_t receives, const sk_column *columns, size_t column_count)
{
    scankit_range *out = sk_host_array(column_count * (sends + receives), sizeof *out);
    if (out == NULL)
        return SCANKIT_E_MEMORY;
    scankit_range *in = out + column_count * sends;
    size_t outs = 0, ins = 0;
    for (size_t c = 0; c < column_count; c++) {
        outs += fill_ranges(send, sends, columns[c].size, columns[c].from, out + outs);
        ins += fill_ranges(receive, receives, columns[c].size, columns[c].to, in + ins);
    }
    scankit_error error = run(member, out, outs, in, ins);
    free(out);
    return error;
}

scankit_error sk_exchange_slices(sk_member *member, const sk_slice *send, size_t sends, const sk_slice *receive,
                                 size_t receives, const sk_column *columns, size_t column_count)
{
    return exchange(member, sk_exchange, send, sends, receive, receives, columns, column_count);
}

scankit_error sk_start_slices(sk_member *member, const sk_slice *send, size_t sends, const sk_slice *receive,
                              size_t receives, const sk_column *columns, size_t column_count)
{
    return exchange(member, sk_start_exchange, send, sends, receive, receives, columns, column_count);
}
