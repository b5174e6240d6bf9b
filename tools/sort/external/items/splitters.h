/* splitters.h - exact splitters of sorted lists. */
#ifndef SPLITTERS_H
#define SPLITTERS_H

#include <stdint.h>

#include "scankit.h"

/* scankit_select(), which has to succeed. */
void find_splitter(const scankit_key *keys, size_t key_count, const scankit_sequence *lists, size_t k, uint64_t rank,
                   uint64_t *low, uint64_t *high);

#endif
