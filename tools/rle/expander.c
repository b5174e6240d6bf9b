/* expander.c - see expander.h. */
#include "expander.h"

#include <string.h>

#include "common/device.h"

void expander_run(struct expander *expander, size_t size, const char *values, const uint64_t *counts, size_t runs,
                  char *out, size_t n)
{
    scankit_context *context = expander->context;
    if (runs == n) { /* all counts are 1 */
        memcpy(out, values, n * size);
        return;
    }
    if (scankit_is_host(context)) {
        check_call(context, scankit_run_length_decode(context, size, values, counts, runs, out, n, NULL));
        return;
    }
    char *values_there = buffer_upload(&expander->values, context, values, runs * size);
    char *counts_there = buffer_upload(&expander->counts, context, counts, runs * sizeof *counts);
    char *out_there = buffer_room(&expander->out, context, n * size);
    check_call(context, scankit_run_length_decode(context, size, values_there, (uint64_t *)(void *)counts_there, runs,
                                                  out_there, n, NULL));
    buffer_download(&expander->out, out, n * size);
}

void expander_free(struct expander *expander)
{
    buffer_free(&expander->values);
    buffer_free(&expander->counts);
    buffer_free(&expander->out);
}
