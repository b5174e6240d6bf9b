/* draw.h - draw_SHAPE(stream): the next value of each shape of data. */
#ifndef BENCH_DRAW_H
#define BENCH_DRAW_H

#include "shapes.h"

#define DRAW_DECLARE_spread(name) uint64_t draw_##name(shape_stream *stream);
#define DRAW_DECLARE_count(name) uint64_t draw_##name(shape_stream *stream);
#define DRAW_DECLARE_real(name) double draw_##name(shape_stream *stream);
#define DRAW_DECLARE_wide(name) uint64_t draw_##name(shape_stream *stream);
#define DRAW_DECLARE_record(name)
#define X(name, kind, text) DRAW_DECLARE_##kind(name)
SHAPES(X)
#undef X

#endif
