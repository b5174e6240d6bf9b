/* case.c - cases are drawn, changed, printed and read. See case.h. */
#include "case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/random.h"

/* ---- the words of the grammar ---- */

typedef struct word {
    const char *name;
    unsigned most; /* level */
    const char *meaning;
} word;

#define ENTRY(name, most, meaning) {#name, most, meaning},
static const word orders[] = {SEARCH_ORDERS(ENTRY)};
static const word distributions[] = {SEARCH_DISTRIBUTIONS(ENTRY)};
static const word bits[] = {SEARCH_BITS(ENTRY)};
static const word mixes[] = {SEARCH_MIXES(ENTRY)};
static const word forms[] = {SEARCH_FORMS(ENTRY)};

typedef struct vocabulary {
    const char *name;
    const word *words;
    unsigned count;
} vocabulary;

#define COUNT(array) (sizeof array / sizeof *array)
static const vocabulary order_words = {"ORDER", orders, COUNT(orders)};
static const vocabulary distribution_words = {"DISTRIBUTION", distributions, COUNT(distributions)};
static const vocabulary bit_words = {"BITS", bits, COUNT(bits)};
static const vocabulary mix_words = {"MIX", mixes, COUNT(mixes)};
static const vocabulary form_words = {"FORM", forms, COUNT(forms)};

void search_print_grammar(void)
{
    const vocabulary *all[] = {&order_words, &distribution_words, &bit_words, &mix_words, &form_words};
    for (size_t i = 0; i < COUNT(all); i++) {
        printf("%s\n", all[i]->name);
        for (unsigned w = 0; w < all[i]->count; w++)
            printf("  %-12s %2u  %s\n", all[i]->words[w].name, all[i]->words[w].most, all[i]->words[w].meaning);
    }
}

/* ---- draws ---- */

static uint64_t draw(uint64_t *random, uint64_t below)
{
    *random += UINT64_C(0x9e3779b97f4a7c15);
    return (uint64_t)(((unsigned __int128)random_mix(*random) * below) >> 64);
}

static search_gene draw_gene(const vocabulary *from, uint64_t *random)
{
    unsigned w = (unsigned)draw(random, from->count);
    return (search_gene){w, (unsigned)draw(random, from->words[w].most + 1)};
}

static search_part draw_part(uint64_t *random)
{
    search_part part = {draw_gene(&order_words, random), draw_gene(&distribution_words, random),
                        draw_gene(&bit_words, random)};
    /* Half of all orders are random, and half of all bits plain. */
    if (draw(random, 2) == 0)
        part.order = (search_gene){SEARCH_random, 0};
    if (draw(random, 2) == 0)
        part.bits = (search_gene){SEARCH_plain, 0};
    return part;
}

/* Every size is as likely as any other on a scale of logarithms. */
static size_t draw_size(const search_space *space, uint64_t *random)
{
    double unit = (double)draw(random, UINT64_C(1) << 53) * 0x1p-53;
    return (size_t)exp2(space->min_log2 + unit * (space->max_log2 - space->min_log2));
}

static search_gene draw_mix(uint64_t *random)
{
    return draw(random, 2) == 0 ? (search_gene){SEARCH_one, 0} : draw_gene(&mix_words, random);
}

search_case search_draw(const search_space *space, uint64_t *random)
{
    search_case drawn = {.type = space->types[draw(random, space->type_count)]};
    drawn.n = draw_size(space, random);
    drawn.seed = draw(random, UINT32_MAX);
    drawn.form = draw_gene(&form_words, random);
    drawn.mix = draw_mix(random);
    drawn.part[0] = draw_part(random);
    drawn.part[1] = draw_part(random);
    return drawn;
}

/* Another word, or another level of the same. */
static void mutate_gene(const vocabulary *from, search_gene *gene, uint64_t *random)
{
    unsigned most = from->words[gene->word].most;
    if (most == 0 || draw(random, 2) == 0)
        *gene = draw_gene(from, random);
    else
        gene->level = (unsigned)draw(random, most + 1);
}

static void mutate_part(search_part *part, uint64_t *random)
{
    switch (draw(random, 3)) {
    case 0: mutate_gene(&order_words, &part->order, random); break;
    case 1: mutate_gene(&distribution_words, &part->distribution, random); break;
    default: mutate_gene(&bit_words, &part->bits, random);
    }
}

static void mutate_once(const search_space *space, search_case *change, uint64_t *random)
{
    switch (draw(random, 8)) {
    case 0: change->n = draw_size(space, random); break;
    case 1: change->type = space->types[draw(random, space->type_count)]; break;
    case 2: change->mix = draw_mix(random); break;
    case 3: mutate_gene(&form_words, &change->form, random); break;
    case 4: mutate_part(&change->part[1], random); break;
    default: mutate_part(&change->part[0], random);
    }
}

search_case search_mutate(const search_space *space, const search_case *from, uint64_t *random)
{
    search_case changed = *from;
    changed.seed = draw(random, UINT32_MAX);
    for (uint64_t times = 1 + draw(random, 2); times > 0; times--)
        mutate_once(space, &changed, random);
    return changed;
}

/* ---- text ---- */

static int print_gene(const vocabulary *from, search_gene gene, char *text, size_t room)
{
    return snprintf(text, room, ":%s.%u", from->words[gene.word].name, gene.level);
}

static size_t print_part(const search_part *part, char *text, size_t room)
{
    size_t used = (size_t)print_gene(&order_words, part->order, text, room);
    used += (size_t)print_gene(&distribution_words, part->distribution, text + used, room - used);
    return used + (size_t)print_gene(&bit_words, part->bits, text + used, room - used);
}

void search_print(const search_case *from, char text[SEARCH_TEXT])
{
    size_t used = (size_t)snprintf(text, SEARCH_TEXT, "%s:%zu:%llu", scankit_type_name(from->type), from->n,
                                   (unsigned long long)from->seed);
    used += (size_t)print_gene(&form_words, from->form, text + used, SEARCH_TEXT - used);
    used += print_part(&from->part[0], text + used, SEARCH_TEXT - used);
    if (from->mix.word == SEARCH_one)
        return;
    used += (size_t)print_gene(&mix_words, from->mix, text + used, SEARCH_TEXT - used);
    print_part(&from->part[1], text + used, SEARCH_TEXT - used);
}

/* Reads ":NAME.LEVEL" and moves *text behind it. */
static bool parse_gene(const vocabulary *from, const char **text, search_gene *gene)
{
    char name[16];
    int used = 0;
    if (sscanf(*text, ":%15[a-z].%u%n", name, &gene->level, &used) != 2)
        return false;
    *text += used;
    for (gene->word = 0; gene->word < from->count; gene->word++)
        if (strcmp(from->words[gene->word].name, name) == 0)
            return gene->level <= from->words[gene->word].most;
    return false;
}

static bool parse_part(const char **text, search_part *part)
{
    return parse_gene(&order_words, text, &part->order) && parse_gene(&distribution_words, text, &part->distribution) &&
           parse_gene(&bit_words, text, &part->bits);
}

bool search_parse(const char *text, search_case *to)
{
    char type[16];
    unsigned long long seed;
    int used = 0;
    memset(to, 0, sizeof *to);
    if (sscanf(text, "%15[a-z0-9]:%zu:%llu%n", type, &to->n, &seed, &used) != 3 ||
        scankit_type_from_name(&to->type, type) != SCANKIT_OK)
        return false;
    to->seed = seed;
    text += used;
    if (to->n == 0 || !parse_gene(&form_words, &text, &to->form) || !parse_part(&text, &to->part[0]))
        return false;
    if (*text != '\0' && (!parse_gene(&mix_words, &text, &to->mix) || !parse_part(&text, &to->part[1])))
        return false;
    return *text == '\0';
}
