/* box_line.c - see box_line.h */
#include "box_line.h"
#include "image_rows.h"

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
    line->bytes = (line->pad + (line->before + width + line->after) * line->pixel + SK_BOX_ROOM + 255) / 256 * 256;
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
