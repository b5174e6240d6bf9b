/* in_memory.c - see in_memory.h. */
#include "in_memory.h"

#include "whole_sort.h"

bool sort_in_memory(const struct sort_request *request, struct input *inputs, size_t count, struct ahead *ahead,
                    struct result *result, struct job *job)
{
    struct sorting sorting = {
        .request = request, .schema = result->schema, .job = job, .inputs = inputs, .count = count};
    uint64_t bytes = inputs_size(inputs, count);
    sorting.result = result;
    if (bytes != SIZE_UNKNOWN ? !load_known(&sorting, bytes) : !load_unknown(&sorting, ahead))
        return false;
    sorting.n = sorting.data.used / sorting.schema->size;
    job->stats.elements += sorting.n;
    job->stats.bytes_in += sorting.data.used;
    sort_whole(&sorting);
    job->stats.bytes_out += result_end(result, sorting_wanted(&sorting));
    buffer_free(&sorting.data);
    buffer_free(&sorting.positions);
    return true;
}
