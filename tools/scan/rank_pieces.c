/* rank_pieces.c - see rank_pieces.h. */
#include "rank_pieces.h"

#include <stdlib.h>

#include "common/device.h"
#include "mpi/rank_stream.h"

struct pieces {
    const struct scan_request *request;
    const struct value *value;
    struct scanner scanner;
    char *values; /* NULL: the elements are values */
    struct rank_stream stream;
};

/* The first piece is the longest. */
static char *values_of(struct pieces *pieces, char *piece, size_t n)
{
    const struct value *value = pieces->value;
    if (value->whole)
        return piece;
    if (pieces->values == NULL)
        pieces->values = get_memory(n * value->size);
    value_gather(value, piece, n, pieces->values);
    return pieces->values;
}

static void reduce_piece(void *state, char *piece, size_t bytes)
{
    struct pieces *pieces = state;
    size_t n = bytes / pieces->value->element;
    scanner_reduce(&pieces->scanner, values_of(pieces, piece, n), n);
}

static void scan_piece(void *state, char *piece, size_t bytes)
{
    struct pieces *pieces = state;
    size_t n = bytes / pieces->value->element;
    char *values = values_of(pieces, piece, n);
    scanner_scan(&pieces->scanner, values, NULL, values, n);
    if (!pieces->value->whole)
        value_scatter(pieces->value, values, n, piece);
    rank_stream_put(&pieces->stream, piece, bytes);
}

/* ---- from rank to rank ---- */

static char *upload_total(const struct pieces *pieces, const struct rank_files *files)
{
    char *there = rank_files_room(files, pieces->value->size);
    check_call(files->context, scankit_upload(files->context, there, pieces->scanner.total, pieces->value->size));
    return there;
}

/* The scanner's total becomes the reduction of the ranks before, which may have no elements. */
static void begin_behind(struct pieces *pieces, const struct rank_files *files)
{
    struct scanner *scanner = &pieces->scanner;
    size_t n = scanner->begun;
    void *out = upload_total(pieces, files);
    const void *in = out;
    ranks_check(files->group,
                scankit_group_scan(files->group, scanner->type, scanner->op, SCANKIT_EXCLUSIVE, NULL, &in, &out, &n));
    check_call(files->context, scankit_download(files->context, scanner->total, out, pieces->value->size));
    scanner->begun = ranks_before(n) > 0;
    scankit_free(files->context, out);
}

static void put_total(struct pieces *pieces, struct rank_files *files)
{
    struct scanner *scanner = &pieces->scanner;
    size_t n = scanner->begun;
    _Alignas(VALUE_BYTES) char total[VALUE_BYTES];
    char *there = upload_total(pieces, files);
    const void *in = there;
    ranks_check(files->group, scankit_group_reduce(files->group, scanner->type, scanner->op, &in, total, &n));
    if (rank_number() == 0)
        scan_put_total(pieces->request, pieces->value, total, &files->job->stats);
    scankit_free(files->context, there);
}

static void scan(struct pieces *pieces, struct rank_files *files)
{
    begin_behind(pieces, files);
    rank_stream_open_elements(&pieces->stream, files, 0, files->schema.size, files->n);
    rank_files_pass(files, scan_piece, pieces);
    rank_stream_close(&pieces->stream);
    rank_files_place(files);
}

void scan_pieces(const struct scan_request *request, struct rank_files *files, const struct value *value)
{
    struct pieces pieces = {.request = request, .value = value};
    pieces.scanner = (struct scanner){.type = value->type, .op = request->op};
    pieces.scanner.kind = request->exclusive ? SCANKIT_EXCLUSIVE : SCANKIT_INCLUSIVE;
    scanner_start(&pieces.scanner, files->context, request->deterministic);
    stats_phase(&files->job->stats, PHASE_scan, files->n * files->schema.size * (request->reduce ? 1 : 2));
    rank_files_pass(files, reduce_piece, &pieces);
    (request->reduce ? put_total : scan)(&pieces, files);
    scanner_free(&pieces.scanner);
    free(pieces.values);
}
