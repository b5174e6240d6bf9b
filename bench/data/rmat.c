/* rmat.c - writes the edges of a random graph to standard output: rmat SCALE EDGES [SEED].
 *
 * The graph has 2^SCALE vertices. An edge is a record from:u32,to:u32. As in the graphs of the web, few vertices have
 * most edges, and some edges come twice. Source: Chakrabarti, Zhan and Faloutsos, R-MAT: A Recursive Model for Graph
 * Mining, 2004, with the probabilities of the Graph500 benchmark: at each bit of the two numbers, 0.57 for (0, 0), 0.19
 * for (0, 1) and for (1, 0), 0.05 for (1, 1). */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

typedef struct edge {
    uint32_t from, to;
} edge;

static edge draw_edge(random_state *random, unsigned scale)
{
    edge drawn = {0, 0};
    for (unsigned bit = 0; bit < scale; bit++) {
        uint64_t percent = random_below(random, 100);
        drawn.from = drawn.from << 1 | (percent >= 76);
        drawn.to = drawn.to << 1 | ((percent >= 57 && percent < 76) || percent >= 95);
    }
    return drawn;
}

int main(int argc, char **argv)
{
    unsigned scale = argc >= 3 ? (unsigned)atoi(argv[1]) : 0;
    if (scale < 1 || scale > 32 || argc > 4) {
        fprintf(stderr, "Usage: rmat SCALE EDGES [SEED], with SCALE from 1 to 32\n");
        return 2;
    }
    random_state random;
    random_seed(&random, argc == 4 ? strtoull(argv[3], NULL, 10) : 1);
    for (unsigned long long left = strtoull(argv[2], NULL, 10); left > 0 && !ferror(stdout); left--) {
        edge drawn = draw_edge(&random, scale);
        fwrite(&drawn, sizeof drawn, 1, stdout);
    }
    return ferror(stdout) || fclose(stdout) != 0 ? 2 : 0;
}
