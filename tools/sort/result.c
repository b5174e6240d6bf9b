/* result.c - see result.h. */
#include "result.h"

#include <stdlib.h>

#include "io/npy.h"

static bool has_header(const struct result *result)
{
    return result->first->has_own && !result->request->common.raw;
}

bool result_has_head(const struct result *result)
{
    return result->request->in_place || has_header(result);
}

bool result_can_begin_early(const struct result *result)
{
    const struct output *output = result->output;
    return !result->request->unique &&
           (output->target != NULL || (!result_has_head(result) && output_is_seekable(output)));
}

bool result_needs_count(const struct result *result)
{
    return has_header(result) && !output_is_seekable(result->output);
}

void result_begin(struct result *result, uint64_t count, bool exactly)
{
    if (result->request->in_place)
        output_write(result->output, result->first->prefix, result->first->skip);
    if (!has_header(result))
        return;
    const char *descr = result->request->argsort ? "'<u8'" : result->schema->descr;
    result->header = npy_make_header(descr, result->schema->npy_version, count, &result->header_bytes);
    if (!exactly) {
        output_write_head(result->output, result->header, result->header_bytes);
        return;
    }
    output_write(result->output, result->header, result->header_bytes);
    free(result->header);
    result->header = NULL;
}

uint64_t result_end(struct result *result, uint64_t n)
{
    if (result->header != NULL) {
        npy_set_count(result->output->name, result->header, result->header_bytes, n);
        output_rewrite_head(result->output, result->header, result->header_bytes);
        free(result->header);
    }
    return output_finish(result->output);
}
