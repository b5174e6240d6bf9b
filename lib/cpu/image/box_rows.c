/* box_rows.c - see box_rows.h. The sum of a window is that of the one before it, and the difference of the columns that
 * enter and leave. So the time does not depend on the radius. */
#include "box_rows.h"
#include "image_rows.h"
#include "row_flow.h"

#define CHUNK ((size_t)960) /* elements of a row at a time: a multiple of 192 */

/* ---- beyond the edges ---- */

/* `places` times the same pixel. */
static void repeat_pixel(char *to, const char *pixel, size_t places, size_t size)
{
    memcpy(to, pixel, size);
    for (size_t done = 1; done < places; done *= 2)
        memcpy(to + done * size, to, sk_min(done, places - done) * size);
}

static void fill_places(const sk_box_line *line, char *to, const char *columns, const int64_t *shown, size_t places)
{
    const size_t size = line->pixel;
    if (line->box->edge == SCANKIT_EDGE_OMIT)
        memset(to, 0, places * size);
    else if (line->box->edge == SCANKIT_EDGE_CLAMP)
        repeat_pixel(to, columns + (size_t)shown[0] * size, places, size);
    else
        for (size_t i = 0; i < places; i++)
            memcpy(to + i * size, columns + (size_t)shown[i] * size, size);
}

/* ---- means ---- */

/* Elements [begin, end) of a row of sums of windows, and their means. */
typedef struct part_of_row {
    size_t begin, end;
    char *sums, *means;
} part_of_row;

/* Pixels [begin, end), each by its own length. */
static void divide_each(const sk_box_line *line, const part_of_row *part, size_t begin, size_t end, uint64_t rows)
{
    const unsigned channels = line->out->channels;
    const bool narrow = line->sum_type == SCANKIT_U32;
    const int64_t scale = SK_BOX_UNIT * SK_BOX_UNIT / (line->unit * line->unit);
    for (size_t i = begin * channels; i < end * channels; i++) {
        const size_t at = i - part->begin;
        sk_box_total sum;
        if (narrow)
            sum.integer = ((const uint32_t *)(const void *)part->sums)[at];
        else
            memcpy(&sum, part->sums + at * sizeof sum, sizeof sum);
        sk_write_mean(line->out->type, part->means, at, sum, scale, line->lengths[i / channels] * rows,
                      line->box->shift);
    }
}

/* The pixels whose windows have the full length come first, as steps.means() writes whole registers. */
static void divide(const sk_box_line *line, const part_of_row *part, const sk_box_divisor *by, uint64_t rows)
{
    const size_t channels = line->out->channels, width = line->out->width, begin = part->begin / channels,
                 end = part->end / channels;
    const size_t reach = line->box->edge == SCANKIT_EDGE_OMIT ? line->whole + (line->part > 0) : 0;
    size_t from = begin > reach ? begin : reach, to = sk_min(end, width > reach ? width - reach : 0);
    if (from >= to || !line->by_steps)
        from = to = end;
    const size_t skip = from * channels - part->begin;
    line->steps.means(part->sums + skip * scankit_type_size(line->sum_type), by,
                      part->means + skip * scankit_type_size(line->out->type), (to - from) * channels);
    divide_each(line, part, begin, from, rows);
    divide_each(line, part, to, end, rows);
}

/* ---- rows in the making ---- */

typedef struct open_row {
    _Alignas(64) char carry[SK_BOX_CARRY];
    sk_row_flow flow;
    sk_box_move move;
    const char *above;     /* sums of columns of the row above */
    char *columns, *leave; /* of this row, and the first place before them */
    char *out;
} open_row;

typedef struct open_rows {
    open_row row[SK_BOX_ROWS];
    unsigned count;
    const sk_box_line *line;
    const sk_box_divisor *by;
    uint64_t length; /* units of rows in a window */
    size_t ahead;    /* bytes from rows of the input to those that come next */
    size_t moved;    /* elements whose sums of columns are the row's */
} open_rows;

/* The lines at both ends of a row are written in part, through the caches. A store that waits for its line holds up the
 * stores behind it, so this row's last line and the first line of a row to come are asked for early. */
static void ask_for_ends(const sk_box_line *line, const char *row, size_t ahead)
{
    const size_t bytes = line->out->width * line->out->channels * scankit_type_size(line->out->type);
    if (line->stream) {
        __builtin_prefetch((const void *)((uintptr_t)row + bytes - 1), 1);
        __builtin_prefetch((const void *)((uintptr_t)row + ahead), 1);
    }
}

/* Moves sums up to element `to`, a part of a row at a time: it is still in the first cache when it is used. */
static void move_columns(const open_rows *rows, const open_row *row, size_t to)
{
    const sk_box_line *line = rows->line;
    const size_t from = rows->moved, size = scankit_type_size(line->in->type), sum = scankit_type_size(line->type);
    if (row->move.next != NULL && from < to)
        line->steps.slide(row->move.next + from * size, row->move.last + from * size, row->above + from * sum,
                          row->columns + from * sum, to - from, rows->ahead);
}

/* `written` bytes of the part before have gone out meanwhile. */
static void write_means(const sk_box_line *line, open_row *row, size_t begin, size_t end, size_t written)
{
    const size_t size = scankit_type_size(line->out->type), bytes = (end - begin) * size;
    if (line->stream) {
        sk_flow_written(&row->flow, line->kernels, written);
        sk_flow_add(&row->flow, bytes);
    } else
        memcpy(row->out + begin * size, sk_flow_stage(&row->flow), bytes);
}

/* ---- elements [begin, end), step by step ---- */

static size_t elements_of(const sk_box_line *line)
{
    return line->out->width * line->out->channels;
}

/* Elements whose columns enter windows before element `end`. */
static size_t reach_of(const sk_box_line *line, size_t end)
{
    const size_t reach = line->whole + (line->part > 0);
    return sk_min(end + sk_min(reach, line->out->width) * line->out->channels, elements_of(line));
}

static void make_part(const open_rows *rows, open_row *row, size_t begin, size_t end)
{
    _Alignas(64) char sums[CHUNK * sizeof(uint64_t) + SK_BOX_ROOM];
    const sk_box_line *line = rows->line;
    const unsigned channels = line->out->channels;
    const size_t n = elements_of(line), size = line->pixel / channels, moved = reach_of(line, end),
                 ahead = sk_min(line->whole, line->out->width) * channels;
    const char *enter = row->columns + (begin + ahead) * size, *leave = row->leave + begin * size;
    /* cppcheck-suppress legacyUninitvar */
    const part_of_row part = {begin, end, sums, sk_flow_stage(&row->flow)};
    move_columns(rows, row, moved);
    if (moved == n && (rows->moved < n || begin == 0))
        fill_places(line, row->columns + n * size, row->columns, line->shown + line->before, line->after);
    line->steps.windows(enter, leave, row->carry, sums, end - begin);
    if (line->part != 0)
        line->steps.spread(enter, leave, channels, (int64_t)line->part, sums, end - begin);
    divide(line, &part, rows->by, rows->length);
    write_means(line, row, begin, end, 0);
}

/* ---- the same in one pass ---- */

/* The elements that are made in one pass, in which columns move as they enter windows. None of their windows reaches
 * beyond the far edge, and beyond the near one only where the same column stands there again. */
static sk_range one_pass(const sk_box_line *line, const sk_box_divisor *by)
{
    const size_t n = elements_of(line), ahead = line->whole * line->out->channels;
    const size_t begin = line->box->edge == SCANKIT_EDGE_CLAMP ? 0 : (ahead / SK_CHUNK_UNIT + 1) * SK_CHUNK_UNIT;
    if (line->steps.pass == NULL || line->whole == 0 || line->part != 0 || begin + ahead >= n ||
        (2 * line->whole + 1) * line->pixel < line->steps.least || (!by->by_floats && line->type != SCANKIT_F64))
        return (sk_range){n, n};
    return (sk_range){begin, begin + (n - 1 - ahead - begin) / SK_CHUNK_UNIT * SK_CHUNK_UNIT};
}

static void pass_part(open_rows *rows, size_t begin, size_t end)
{
    const sk_box_line *line = rows->line;
    const size_t channels = line->out->channels, size = line->pixel / channels, at = rows->moved,
                 in = at * scankit_type_size(line->in->type);
    sk_box_row of[SK_BOX_ROWS];
    for (unsigned r = 0; r < rows->count; r++) {
        open_row *row = &rows->row[r];
        of[r] = (sk_box_row){.next = row->move.next + in,
                             .last = row->move.last + in,
                             .above = row->above + at * size,
                             .columns = row->columns + at * size,
                             .leave = row->leave + begin * size,
                             .carry = row->carry,
                             .due = row->flow.due,
                             .means = sk_flow_stage(&row->flow)};
    }
    line->steps.pass(of, rows->ahead, rows->by, end - begin);
    for (unsigned r = 0; r < rows->count; r++)
        write_means(line, &rows->row[r], begin, end, (end - begin) * scankit_type_size(line->out->type));
}

/* ---- all of a row ---- */

unsigned sk_box_rows_of_pass(const sk_box_line *line, const sk_box_divisor *by)
{
    const sk_range fused = one_pass(line, by);
    return fused.begin < fused.end ? line->steps.rows : 1;
}

/* Nothing is asked for behind the image: pages that do not exist take long to look up. */
static size_t ahead_of(const scankit_image *in, const char *next, unsigned count)
{
    const size_t ahead = count * in->pitch;
    return next != NULL && (size_t)(next - (const char *)in->data) + ahead < in->height * in->pitch ? ahead : 0;
}

/* The window before the first one has the first `begun` columns, and so have the places before them. */
static void begin_row(const open_rows *rows, open_row *row, char *at, char *out, size_t begun)
{
    const sk_box_line *line = rows->line;
    row->columns = sk_box_columns(line, at);
    row->leave = at + line->pad;
    row->out = out;
    sk_flow_begin(&row->flow, out);
    ask_for_ends(line, out, rows->count * line->out->pitch);
    move_columns(rows, row, begun * line->out->channels);
    fill_places(line, row->leave, row->columns, line->shown, line->before);
    line->steps.weigh(row->columns, line->counts, begun, line->out->channels, row->carry);
}

/* The sums of the last row stay in the first line, for the rows to come. */
static void begin_rows(open_rows *rows, char *lines, const sk_box_move *moves, size_t y, size_t begun)
{
    const scankit_image *out = rows->line->out;
    const char *above = sk_box_columns(rows->line, lines);
    rows->ahead = ahead_of(rows->line->in, moves[rows->count - 1].next, rows->count);
    rows->moved = 0;
    for (unsigned r = 0; r < rows->count; r++) {
        open_row *row = &rows->row[r];
        row->move = moves[r];
        row->above = above;
        begin_row(rows, row, lines + (rows->count - 1 - r) * rows->line->bytes,
                  (char *)out->data + (y + r) * out->pitch, begun);
        above = row->columns;
    }
    rows->moved = begun * out->channels;
}

void sk_box_rows_write(const sk_box_line *line, char *lines, const sk_box_move *moves, unsigned count, size_t y,
                       const sk_box_divisor *by, uint64_t length)
{
    open_rows rows;
    const size_t n = elements_of(line);
    const bool passes = moves[0].next != NULL && count == line->steps.rows;
    const sk_range none = {n, n}, fused = passes ? one_pass(line, by) : none;
    rows.line = line;
    rows.count = count;
    rows.by = by;
    rows.length = length;
    begin_rows(&rows, lines, moves, y, fused.begin == 0 && fused.end > 0 ? line->whole : line->counted);
    for (size_t i = 0, end; i < n; i = end) {
        end = sk_min(i + CHUNK, i < fused.begin ? fused.begin : i < fused.end ? fused.end : n);
        if (i >= fused.begin && i < fused.end)
            pass_part(&rows, i, end);
        else
            for (unsigned r = 0; r < count; r++)
                make_part(&rows, &rows.row[r], i, end);
        rows.moved = reach_of(line, end);
    }
    if (line->stream)
        for (unsigned r = 0; r < count; r++)
            sk_flow_end(&rows.row[r].flow, line->kernels);
}
