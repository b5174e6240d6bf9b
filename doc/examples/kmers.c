/* kmers.c - the k-mers of a genome as numbers: kmers K <genome.fa >kmers.u64
 *
 * SPDX-License-Identifier: MIT
 *
 * Reads FASTA, writes a u64 for each K bases in a row that have no other letter between them, for K from 1 to 32. A
 * base is two bits (A 0, C 1, G 2, T 3), so numbers sort as their text does. A strand may be read from either end: the
 * smaller one of the k-mer and its reverse complement stands for both. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The last k bases, and their reverse complement. */
typedef struct window {
    unsigned k, filled;
    uint64_t forward, reverse;
} window;

/* 0 to 3, or -1 for a letter that is no base. */
static int base_of(int letter)
{
    switch (letter) {
    case 'A':
    case 'a': return 0;
    case 'C':
    case 'c': return 1;
    case 'G':
    case 'g': return 2;
    case 'T':
    case 't': return 3;
    default: return -1;
    }
}

/* 1 if the window is full with this base. */
static int push(window *w, unsigned base)
{
    uint64_t mask = ~UINT64_C(0) >> (64 - 2 * w->k);
    w->forward = (w->forward << 2 | base) & mask;
    w->reverse = w->reverse >> 2 | (uint64_t)(3 - base) << (2 * w->k - 2);
    w->filled += w->filled < w->k;
    return w->filled == w->k;
}

static void write_kmer(const window *w)
{
    uint64_t kmer = w->forward < w->reverse ? w->forward : w->reverse;
    fwrite(&kmer, sizeof kmer, 1, stdout);
}

static void skip_line(void)
{
    int letter;
    do
        letter = getchar_unlocked();
    while (letter != '\n' && letter != EOF);
}

/* A k-mer goes on over the end of a line, but not over a header. */
static void write_kmers(window *w)
{
    for (int letter = getchar_unlocked(); letter != EOF; letter = getchar_unlocked()) {
        int base = base_of(letter);
        if (letter == '>')
            skip_line();
        if (base >= 0 && push(w, (unsigned)base))
            write_kmer(w);
        else if (base < 0 && letter != '\n' && letter != '\r')
            w->filled = 0;
    }
}

int main(int argc, char **argv)
{
    window w = {.k = argc == 2 ? (unsigned)atoi(argv[1]) : 0};
    if (w.k < 1 || w.k > 32) {
        fprintf(stderr, "Usage: kmers K <FASTA >U64, with K from 1 to 32\n");
        return 2;
    }
    write_kmers(&w);
    return ferror(stdin) || ferror(stdout) || fclose(stdout) != 0 ? 2 : 0;
}
