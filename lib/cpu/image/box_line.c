/* box_line.c - see box_line.h. The sum of a window is that of the one before it, and the difference of the columns that
 * enter and leave. So the time does not depend on the radius. */
#include "box_line.h"
#include "image_rows.h"
#include "row_flow.h"

#define CHUNK ((size_t)960)            /* elements of a row at a time: a multiple of 192 */
#define PASS_BYTES_LEAST ((size_t)256) /* of columns: what leaves a window has left the store buffer */
#define ROOM ((size_t)64)              /* behind each array, for a whole register */

/* ---- what a pass needs ---- */

/* Integers in as few bits as sums, and what is divided, have room in. */
static void choose_types(sk_box_line *line, const scankit_image *in)
{
    const sk_box *box = line->box;
    const uint64_t side = 2 * (uint64_t)line->whole + 1, area = side * side, most = sk_picture_most(in->type);
    const uint64_t scale = box->shift > 0 ? 1u << box->shift : 1, divisor = box->shift < 0 ? area << -box->shift : area;
    if (sk_is_float_picture(in))
        line->type = SCANKIT_F64;
    else if (line->part != 0 || area * most * scale + divisor > UINT32_MAX)
        line->type = SCANKIT_U64;
    else
        line->type = in->type == SCANKIT_U8 && side * most <= UINT16_MAX ? SCANKIT_U16 : SCANKIT_U32;
    line->sum_type = line->type == SCANKIT_U16 ? SCANKIT_U32 : line->type;
}

/* Doubles are exact for these sums, or there are none. */
static bool steps_suffice(const sk_box_line *line, const scankit_image *in)
{
    const double side = 2 * (double)line->box->radius / SK_BOX_UNIT + 1,
                 area = side * side * (double)(line->unit * line->unit);
    const double scale = line->box->shift > 0 ? 256 : 1, below = line->box->shift < 0 ? 256 : 1;
    return line->type != SCANKIT_U64 || area * (2 * sk_picture_most(in->type) * scale + 2 * below) < 0x1p52;
}

static void count_columns(sk_box_line *line, size_t width)
{
    const int64_t whole = (int64_t)line->whole;
    memset(line->counts, 0, line->counted * sizeof *line->counts);
    for (int64_t place = -whole - 1; place < whole; place++) {
        int64_t column = sk_box_shown(place, width, line->box->edge);
        if (column >= 0)
            line->counts[column]++;
    }
}

static void set_places(sk_box_line *line, size_t width)
{
    const int64_t whole = (int64_t)line->whole, behind = (int64_t)(line->whole > width ? line->whole : width);
    for (size_t i = 0; i < line->before; i++)
        line->shown[i] = sk_box_shown((int64_t)i - whole - 1, width, line->box->edge);
    for (size_t i = 0; i < line->after; i++)
        line->shown[line->before + i] = sk_box_shown(behind + (int64_t)i, width, line->box->edge);
}

bool sk_box_line_open(sk_device *device, sk_box_line *line, const scankit_image *in, const scankit_image *out,
                      const sk_box *box)
{
    const size_t width = in->width;
    line->in = in;
    line->out = out;
    line->kernels = sk_kernels_of(device);
    line->box = box;
    line->whole = box->radius / SK_BOX_UNIT;
    line->part = box->radius % SK_BOX_UNIT;
    line->unit = line->part == 0 ? 1 : SK_BOX_UNIT;
    choose_types(line, in);
    line->by_steps = steps_suffice(line, in);
    line->steps = line->kernels->box(in->type, line->type, in->channels, out->type);
    line->pixel = in->channels * scankit_type_size(line->type);
    line->before = sk_min(line->whole + 1, width);
    line->after = sk_min(line->whole, width) + 1;
    line->pad = -(line->before + sk_min(line->whole, width)) * line->pixel % 64;
    line->bytes = (line->pad + (line->before + width + line->after) * line->pixel + ROOM + 255) / 256 * 256;
    line->counted = sk_min(line->whole + 1, width);
    line->stream = width * in->height * in->channels * scankit_type_size(out->type) >= SK_AROUND_CACHES_BYTES;
    line->shown = sk_arena_take(&device->workspace, (line->before + line->after) * sizeof *line->shown);
    line->counts = sk_arena_take(&device->workspace, line->counted * sizeof *line->counts);
    line->lengths = sk_arena_take(&device->workspace, width * sizeof *line->lengths);
    if (line->shown == NULL || line->counts == NULL || line->lengths == NULL)
        return false;
    if (sk_rehearses(device))
        return true;
    count_columns(line, width);
    set_places(line, width);
    for (size_t x = 0; x < width; x++)
        line->lengths[x] = sk_box_side_at(x, box->radius, width, box->edge).length;
    return true;
}

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

/* ---- a row ---- */

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

/* The lines at both ends of a row are written in part, through the caches. A store that waits for its line holds up the
 * stores behind it, so this row's last line and the next row's first one come early. */
static void ask_for_ends(const sk_box_line *line, const char *row)
{
    const size_t bytes = line->out->width * line->out->channels * scankit_type_size(line->out->type);
    if (line->stream) {
        __builtin_prefetch((const void *)((uintptr_t)row + bytes - 1), 1);
        __builtin_prefetch((const void *)((uintptr_t)row + line->out->pitch), 1);
    }
}

/* `written` bytes of the part before have gone out meanwhile. */
static void write_means(const sk_box_line *line, const part_of_row *part, char *row, sk_row_flow *flow, size_t written)
{
    const size_t size = scankit_type_size(line->out->type), bytes = (part->end - part->begin) * size;
    if (line->stream) {
        sk_flow_written(flow, line->kernels, written);
        sk_flow_add(flow, bytes);
    } else
        memcpy(row + part->begin * size, part->means, bytes);
}

/* Moves the sums of elements [from, to), a part of a row at a time: it is still in the first cache when it is used. */
static void move_columns(const sk_box_line *line, char *columns, sk_box_move move, size_t from, size_t to)
{
    const size_t size = scankit_type_size(line->in->type), sum = scankit_type_size(line->type);
    if (move.next != NULL && from < to)
        line->steps.slide(move.next + from * size, move.last + from * size, columns + from * sum, to - from,
                          line->in->pitch);
}

/* Sums of windows, and means. */
static void make_part(const sk_box_line *line, const char *enter, const char *leave, char *carry,
                      const part_of_row *part, const sk_box_divisor *by, uint64_t rows)
{
    const unsigned channels = line->out->channels;
    const size_t n = part->end - part->begin;
    line->steps.windows(enter, leave, carry, part->sums, n);
    if (line->part != 0)
        line->steps.spread(enter, leave, channels, (int64_t)line->part, part->sums, n);
    divide(line, part, by, rows);
}

/* The elements that are made in one pass, in which columns move as they enter windows. None of their windows reaches
 * beyond the far edge, and beyond the near one only where the same column stands there again. */
static sk_range one_pass(const sk_box_line *line, sk_box_move move, const sk_box_divisor *by)
{
    const size_t n = line->out->width * line->out->channels, ahead = line->whole * line->out->channels;
    const size_t begin = line->box->edge == SCANKIT_EDGE_CLAMP ? 0 : (ahead / SK_CHUNK_UNIT + 1) * SK_CHUNK_UNIT;
    if (line->steps.pass == NULL || move.next == NULL || line->part != 0 || begin + ahead >= n ||
        (2 * line->whole + 1) * line->pixel < PASS_BYTES_LEAST || (!by->by_floats && line->type != SCANKIT_F64))
        return (sk_range){n, n};
    return (sk_range){begin, begin + (n - 1 - ahead - begin) / SK_CHUNK_UNIT * SK_CHUNK_UNIT};
}

void sk_box_line_write(const sk_box_line *line, char *at, sk_box_move move, size_t y, const sk_box_divisor *by,
                       uint64_t rows)
{
    _Alignas(64) char sums[CHUNK * sizeof(uint64_t) + ROOM], carry[SK_BOX_CARRY];
    sk_row_flow flow;
    const unsigned channels = line->out->channels;
    const size_t width = line->out->width, n = width * channels, size = line->pixel / channels;
    const size_t ahead = sk_min(line->whole, width) * channels, from = scankit_type_size(line->in->type),
                 to_size = scankit_type_size(line->out->type);
    char *columns = sk_box_columns(line, at), *enter = columns + ahead * size, *leave = at + line->pad;
    const sk_range fused = one_pass(line, move, by);
    char *row = (char *)line->out->data + y * line->out->pitch;
    const size_t begun = fused.begin == 0 && fused.end > 0 ? line->whole : line->counted;
    size_t moved = begun * channels, end;
    sk_flow_begin(&flow, row);
    ask_for_ends(line, row);
    move_columns(line, columns, move, 0, moved);
    fill_places(line, leave, columns, line->shown, line->before);
    line->steps.weigh(columns, line->counts, begun, channels, carry);
    for (size_t i = 0; i < n; i = end) {
        end = sk_min(i + CHUNK, i < fused.begin ? fused.begin : i < fused.end ? fused.end : n);
        /* cppcheck-suppress legacyUninitvar */
        const part_of_row part = {i, end, sums, sk_flow_stage(&flow)};
        const size_t reached = moved;
        size_t written = 0;
        if (i >= fused.begin && i < fused.end) {
            line->steps.pass(move.next + (i + ahead) * from, move.last + (i + ahead) * from, line->in->pitch,
                             enter + i * size, leave + i * size, carry, by, &flow.due, part.means, end - i);
            written = (end - i) * to_size;
            moved = end + ahead;
        } else {
            moved = sk_min(end + ahead + (line->part > 0 ? channels : 0), n);
            move_columns(line, columns, move, reached, moved);
            if (moved == n && (reached < n || i == 0))
                fill_places(line, columns + n * size, columns, line->shown + line->before, line->after);
            make_part(line, enter + i * size, leave + i * size, carry, &part, by, rows);
        }
        write_means(line, &part, row, &flow, written);
    }
    if (line->stream)
        sk_flow_end(&flow, line->kernels);
}
