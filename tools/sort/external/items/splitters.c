/* splitters.c - see splitters.h. */
#include "splitters.h"

#include "common/cli.h"

void find_splitter(const scankit_key *keys, size_t key_count, const scankit_sequence *lists, size_t k, uint64_t rank,
                   uint64_t *low, uint64_t *high)
{
    scankit_error error = scankit_select(keys, key_count, lists, k, rank, low, high);
    if (error != SCANKIT_OK)
        fail(NULL, "cannot divide the runs: %s", scankit_error_string(error));
}
