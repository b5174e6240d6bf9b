/* rank_pieces.c - see rank_pieces.h. */
#include "rank_pieces.h"

#include <stdlib.h>

#include "mpi/rank_stream.h"

struct pieces {
    const struct compact_request *request;
    struct filter filter;
    size_t size, room, matches;          /* bytes of an element; elements for which there is room */
    char *kept, *others;                 /* NULL: not wanted */
    struct rank_stream stream, rejected; /* of these */
};

static void count(void *state, char *piece, size_t bytes)
{
    struct pieces *pieces = state;
    pieces->matches += filter_block(&pieces->filter, piece, bytes / pieces->size, NULL, NULL);
}

/* The first piece is the longest. */
static void make_room(struct pieces *pieces, size_t n)
{
    if (pieces->room > 0)
        return;
    pieces->room = n;
    pieces->kept = get_memory(n * filter_kept_size(&pieces->filter));
    if (pieces->request->rejects != NULL)
        pieces->others = get_memory(n * pieces->size);
}

static void choose(void *state, char *piece, size_t bytes)
{
    struct pieces *pieces = state;
    size_t n = bytes / pieces->size;
    make_room(pieces, n);
    size_t kept = filter_block(&pieces->filter, piece, n, pieces->kept, pieces->others);
    rank_stream_put(&pieces->stream, pieces->kept, kept * filter_kept_size(&pieces->filter));
    if (pieces->others != NULL)
        rank_stream_put(&pieces->rejected, pieces->others, (n - kept) * pieces->size);
}

static void write_pieces(struct pieces *pieces, struct rank_files *files)
{
    bool rejects = pieces->request->rejects != NULL;
    rank_stream_open_elements(&pieces->stream, files, 0, filter_kept_size(&pieces->filter), pieces->matches);
    if (rejects)
        rank_stream_open_elements(&pieces->rejected, files, 1, pieces->size, files->n - pieces->matches);
    rank_files_pass(files, choose, pieces);
    rank_stream_close(&pieces->stream);
    if (rejects)
        rank_stream_close(&pieces->rejected);
    rank_files_place(files);
    free(pieces->kept);
    free(pieces->others);
}

size_t filter_pieces(const struct compact_request *request, struct rank_files *files, scankit_predicate *predicate)
{
    struct pieces pieces = {.request = request, .size = files->schema.size};
    const scankit_compact_options options = {.invert = request->invert, .first = files->begin};
    pieces.filter = (struct filter){.context = files->context, .predicate = predicate, .options = options};
    stats_phase(&files->job->stats, PHASE_filter, files->n * files->schema.size * (request->count ? 1 : 2));
    rank_files_pass(files, count, &pieces);
    pieces.filter.options = options;
    pieces.filter.positions = request->index;
    if (!request->count)
        write_pieces(&pieces, files);
    filter_free(&pieces.filter);
    return pieces.matches;
}
