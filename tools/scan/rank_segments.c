/* rank_segments.c - see rank_segments.h. Each rank finds heads in its own elements. Its first element is compared with
 * the last key of the ranks before, which goes from rank to rank. */
#include "rank_segments.h"

#include <stdlib.h>
#include <string.h>

#include "common/device.h"

#define BLOCK_ELEMENTS ((size_t)1 << 20)

void rank_segments_open(struct rank_segments *found, const char *text, const struct rank_files *files)
{
    const struct common *common = files->job->common;
    uint64_t elements = inputs_elements(files->inputs, files->count);
    struct segments *segments = &found->segments;
    if (strcmp(text, "-") == 0)
        fail_usage("ranks of MPI cannot share standard input");
    char *own = common->shards && strstr(text, "%r") != NULL ? shard_path(text) : copy_text(text);
    segments_open(segments, own, &files->schema, common, elements);
    if (common->shards && segments->input != NULL && strstr(text, "%r") == NULL)
        fail(text, "has no %%r, for the rank's number, which --shards requires");
    free(own);
}

/* ---- heads ---- */

/* Fills heads, of the host, and the first key. The last one is left in the segments. */
static void find_heads(struct rank_segments *found, const struct rank_files *files, const char *elements,
                       uint8_t *heads, char *first)
{
    struct segments *segments = &found->segments;
    size_t size = files->schema.size;
    char *block = get_memory(BLOCK_ELEMENTS * size);
    const char *key;
    for (size_t done = 0, n; done < files->n; done += n) {
        n = files->n - done < BLOCK_ELEMENTS ? files->n - done : BLOCK_ELEMENTS;
        check_call(files->context, scankit_download(files->context, block, elements + done * size, n * size));
        memcpy(heads + done, segments_next_part(segments, block, n, &key), n);
        if (done == 0 && key != NULL)
            memcpy(first, key, segments->element);
    }
    free(block);
}

/* The last key that was seen goes to the next rank. */
static void compare_first(const struct rank_segments *found, const struct rank_files *files, uint8_t *heads,
                          const char *first)
{
    const struct segments *segments = &found->segments;
    size_t bytes = 1 + segments->element;
    char *before = get_memory(bytes);
    before[0] = 0; /* whether there is a key */
    ranks_receive(before, bytes);
    if (files->n > 0)
        heads[0] = heads[0] != 0 || before[0] == 0 || segments_differ(segments, before + 1, first);
    if (files->n > 0) {
        before[0] = 1;
        if (segments->key_count > 0)
            memcpy(before + 1, segments->last, segments->element);
    }
    ranks_send(before, bytes);
    free(before);
}

/* ---- tails ---- */

/* Whether a segment begins behind this rank's elements, or nothing follows. */
static bool head_behind(const struct rank_files *files, const uint8_t *heads)
{
    enum { NONE = 2 };
    uint64_t *firsts = get_memory(rank_count() * sizeof *firsts);
    bool head = true;
    ranks_all(files->n == 0 ? NONE : heads[0] != 0, firsts);
    for (size_t r = rank_count(); r-- > rank_number() + 1;)
        head = firsts[r] == NONE ? head : firsts[r] != 0;
    free(firsts);
    return head;
}

static uint8_t *upload(const struct rank_files *files, const uint8_t *flags)
{
    uint8_t *there = rank_files_room(files, files->n);
    check_call(files->context, scankit_upload(files->context, there, flags, files->n));
    return there;
}

/* ---- both ---- */

static void check_end(struct segments *segments, const struct rank_files *files)
{
    if (files->job->common->shards || rank_number() + 1 == rank_count())
        segments_end_part(segments);
}

void rank_segments_find(struct rank_segments *found, const struct rank_files *files, const char *elements, bool tails)
{
    struct segments *segments = &found->segments;
    uint8_t *heads = get_memory(files->n + 1);
    char *first = get_memory(segments->element);
    segments_start_part(segments, BLOCK_ELEMENTS, files->job->common->shards ? 0 : files->begin);
    find_heads(found, files, elements, heads, first);
    check_end(segments, files);
    compare_first(found, files, heads, first);
    heads[files->n] = head_behind(files, heads);
    found->heads = upload(files, heads);
    found->tails = tails ? upload(files, heads + 1) : NULL;
    free(heads);
    free(first);
}

void rank_segments_close(struct rank_segments *found, const struct rank_files *files)
{
    scankit_free(files->context, found->heads);
    scankit_free(files->context, found->tails);
    segments_close(&found->segments);
}
