/* room.c - the memory that a sort of whole inputs takes. */
#include "algorithm.h"
#include "whole_sort.h"

uint64_t sorting_cost(const struct sorting *sorting)
{
    uint64_t size = sorting->schema->size;
    if (sorting->request->gallery != NULL)
        return algorithm_cost(sorting->request, size);
    if (sorting->request->argsort)
        return size + 8 + 40;
    return 2 * size + (schema_is_number(sorting->schema) ? 0 : 40);
}

/* True if a CPU can sort the elements in place. See overwrite_input in scankit.h. */
static bool can_be_lean(const struct sorting *sorting)
{
    const struct sort_request *request = sorting->request;
    bool by_hybrid = request->algorithm == SCANKIT_AUTO || request->algorithm == SCANKIT_HYBRID;
    return by_hybrid && request->gallery == NULL && !request->argsort && schema_is_number(sorting->schema) &&
           scankit_is_host(sorting->context);
}

/* A sort in place takes a 64th of the elements' memory in addition. */
#define LEAN_PART 32

bool sorting_fits(struct sorting *sorting)
{
    const struct common *common = &sorting->request->common;
    bool host = scankit_is_host(sorting->context);
    uint64_t limit = host ? host_room(common) : device_limit(&sorting->job->device, common);
    bool has_enough = sorting->n <= limit / sorting_cost(sorting);
    sorting->lean = !has_enough && can_be_lean(sorting);
    return has_enough || (sorting->lean && sorting->n <= (limit - limit / LEAN_PART) / sorting->schema->size);
}

bool is_for_runs(const struct sort_request *request)
{
    return request->merge || request->workspace != NULL || (request->argsort && request->unique);
}
