#!/usr/bin/env python3
"""Draws the data path of the tools as SVG, from the tables below. Each part names the header that declares it.

    doc/figures/data-path.py >doc/figures/data-path.svg
"""
import os
import re
import sys
from typing import NamedTuple
from xml.sax.saxutils import escape

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools")

# ---- the parts ----


class Part(NamedTuple):
    title: str
    note: str
    header: str  # below tools/


SOURCES = (
    Part("file", "several threads read", "io/reader.h"),
    Part("pipe", "one thread reads", "io/reader.h"),
    Part("gzip, zstd", "all processors decode", "codec/decoder.h"),
)
STAGES = (
    Part("gpuscan", "scans a block", "scan/scanner.h"),
    Part("gpucompact", "keeps a part of it", "compact/filter.h"),
    Part("gpurle", "finds its runs", "rle/runs.h"),
)
SINKS = (
    Part("file", "by write() or into pages", "io/choose.h"),
    Part("pipe", "one thread writes", "io/writer.h"),
    Part("gzip, zstd", "all processors encode", "codec/encoder.h"),
)
RING = Part("ring of blocks", "full: the left side waits", "io/block_queue.h")
IN_MEMORY = (
    Part("read everything", "to the device", "sort/in_memory.h"),
    Part("sort", "on the device", "sort/in_memory.h"),
    Part("write", "each part once it is final", "sort/prefix_writer.h"),
)
FORMATION = (
    Part("read chunk 3", "as large as fits", "sort/external/intake.h"),
    Part("sort chunk 2", "on the device", "sort/external/formation.h"),
    Part("keep run 1", "in memory or on a disk", "io/run_store.h"),
)
RUNS = Part("sorted runs", "each block of a run on a disk has a checksum", "io/run_store.h")
SPLITTERS = Part("exact splitters", "cut all runs for ranges of equal size", "sort/external/items/splitters.h")
MERGING = (
    Part("load range 3", "from all runs", "sort/external/ranges.h"),
    Part("merge range 2", "on the device", "sort/external/merging.h"),
    Part("write range 1", "in order", "io/output.h"),
)

# Where the splitters cut each run, in tenths of its length.
CUTS = ((2.5, 6.5), (4.0, 7.5), (3.0, 5.0), (3.8, 7.7))

# ---- drawing ----

WIDTH, HEIGHT = 940, 580
LEFT, MIDDLE, RIGHT = 30, 382, 734  # of the columns
BOX_WIDTH, BOX_HEIGHT = 176, 46
SLOT = 22

STYLE = """
.paper { fill: #ffffff; } .box { fill: #f3f5f8; stroke-width: 1.5; } .slot { stroke-width: 1.5; }
.ink { fill: #1f2328; } .faint { fill: #59636e; } .line { stroke: #59636e; fill: none; stroke-width: 1.5; }
.tip { fill: #59636e; } .cut { stroke: #1f2328; fill: none; stroke-width: 2; }
.in { stroke: #0072b2; } .work { stroke: #00794f; } .out { stroke: #c04a00; }
.range1 { fill: #f6c9a8; } .range2 { fill: #a9dcc5; } .range3 { fill: #a8cfe8; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #0d1117; } .box { fill: #1a212b; }
  .ink { fill: #e6edf3; } .faint { fill: #a3adb8; } .line { stroke: #a3adb8; }
  .tip { fill: #a3adb8; } .cut { stroke: #e6edf3; }
  .in { stroke: #56b4e9; } .work { stroke: #2fc69a; } .out { stroke: #ff9a5c; }
  .range1 { fill: #7a4420; } .range2 { fill: #1d6a50; } .range3 { fill: #1f5a80; }
}
"""


def text(x, y, words, kind="ink", size=14, anchor="middle", weight="normal"):
    return (f'<text x="{x}" y="{y}" class="{kind}" font-size="{size}" text-anchor="{anchor}" '
            f'font-weight="{weight}">{escape(words)}</text>')


def rectangle(x, y, width, height, kind):
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" class="{kind}"/>'


def path(points, kind, end=""):
    return f'<path d="M{" L".join(f"{x} {y}" for x, y in points)}" class="{kind}"{end}/>'


def arrow(*points):
    return path(points, "line", ' marker-end="url(#tip)"')


def box(part, x, y, kind):
    yield rectangle(x, y, BOX_WIDTH, BOX_HEIGHT, f"box {kind}")
    yield text(x + BOX_WIDTH / 2, y + 20, part.title, weight="bold")
    yield text(x + BOX_WIDTH / 2, y + 37, part.note, "faint", 12)


def column(parts, x, y, step, kind):
    for i, part in enumerate(parts):
        yield from box(part, x, y + i * step, kind)


def ring(x, y, slots):
    """A row of slots between two columns. The last leads back to the first."""
    first = x + (MIDDLE - LEFT - BOX_WIDTH - slots * (SLOT + 4)) / 2
    last = first + slots * (SLOT + 4)
    yield arrow((x + 4, y), (first - 7, y))
    for i in range(slots):
        yield rectangle(first + 2 + i * (SLOT + 4), y - SLOT / 2, SLOT, SLOT, "box line")
    yield arrow((last + 2, y), (x + MIDDLE - LEFT - BOX_WIDTH - 6, y))
    yield arrow((last - 13, y + 14), (last - 13, y + 28), (first + 13, y + 28), (first + 13, y + 16))
    centre = x + (MIDDLE - LEFT - BOX_WIDTH) / 2
    yield text(centre, y - 22, RING.title, weight="bold")
    yield text(centre, y + 46, RING.note, "faint", 12)


def heading(y, words, more):
    yield f'<text x="{LEFT}" y="{y}" class="ink" font-size="15" font-weight="bold">{escape(words)}' \
          f'<tspan class="faint" font-size="13" font-weight="normal" dx="8">{escape(more)}</tspan></text>'


def pipeline(y, slots):
    yield from heading(y, "gpuscan, gpucompact, gpurle", "constant memory, whatever the input")
    yield from column(SOURCES, LEFT, y + 16, 54, "in")
    yield from column(STAGES, MIDDLE, y + 16, 54, "work")
    yield from column(SINKS, RIGHT, y + 16, 54, "out")
    for x in (LEFT, MIDDLE):
        yield from ring(x + BOX_WIDTH, y + 93, slots)


def in_memory(y):
    yield from heading(y, "gpusort", "if the size of the input is known and fits into memory")
    for part, x, kind in zip(IN_MEMORY, (LEFT, MIDDLE, RIGHT), ("in", "work", "out")):
        yield from box(part, x, y + 16, kind)
    for x in (LEFT, MIDDLE):
        yield arrow((x + BOX_WIDTH + 4, y + 39), (x + MIDDLE - LEFT - 6, y + 39))


def down(x, y, count):
    for i in range(count - 1):
        yield arrow((x, y + BOX_HEIGHT + 3 + i * 68), (x, y + 61 + i * 68))


def runs(x, y, width):
    """Sorted runs with the places where the splitters cut them, and the ranges that these make."""
    bar, step = 16, 25
    yield text(x + width / 2, y + 4, RUNS.title, weight="bold")
    yield text(x + width / 2, y + 20, RUNS.note, "faint", 12)
    top = y + 30
    for i, cuts in enumerate(CUTS):
        ends = [0, *(width * cut / 10 for cut in cuts), width]
        for number in range(3):
            yield rectangle(x + ends[number], top + i * step, ends[number + 1] - ends[number], bar,
                            f"range{number + 1}")
    for j in range(2):
        ends = [(x + width * cuts[j] / 10, top + i * step + dy) for i, cuts in enumerate(CUTS) for dy in (-2, bar + 2)]
        yield path(ends, "cut")
    bottom = top + len(CUTS) * step
    yield text(x + width / 2, bottom + 12, SPLITTERS.title, weight="bold")
    yield text(x + width / 2, bottom + 28, SPLITTERS.note, "faint", 12)
    for number in range(3):
        yield rectangle(x + width * number / 3, bottom + 38, width / 3, bar + 4, f"range{number + 1}")
        yield text(x + width * (number + 0.5) / 3, bottom + 53, f"range {number + 1}", size=12)


def external(y):
    yield from heading(y, "gpusort", "else: sorted runs, then one merge. In each column, all three at once.")
    top, left, width = y + 22, 268, 404
    yield from column(FORMATION, LEFT, top, 68, "in")
    yield from column(MERGING, RIGHT, top, 68, "out")
    yield from down(LEFT + BOX_WIDTH / 2, top, 3)
    yield from down(RIGHT + BOX_WIDTH / 2, top, 3)
    yield from runs(left, top + 4, width)
    low, high = top + 2 * 68 + BOX_HEIGHT / 2, top + BOX_HEIGHT / 2
    yield arrow((LEFT + BOX_WIDTH + 4, low), (237, low), (237, top + 78), (left - 8, top + 78))
    yield arrow((left + width + 4, top + 78), (703, top + 78), (703, high), (RIGHT - 6, high))


def figure(slots):
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    yield f"<title>The data path</title><style>{STYLE}</style>"
    yield ('<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
           'orient="auto"><path d="M0 0L8 4L0 8z" class="tip"/></marker></defs>')
    yield rectangle(0, 0, WIDTH, HEIGHT, "paper")
    yield from pipeline(30, slots)
    yield from in_memory(252)
    yield from external(352)
    yield "</svg>"


# ---- the sources ----


def read_header(name):
    try:
        with open(os.path.join(TOOLS, name), encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        sys.exit(f"data-path.py: {error.filename}: {error.strerror}")


def check_parts():
    for part in (*SOURCES, *STAGES, *SINKS, RING, *IN_MEMORY, *FORMATION, RUNS, SPLITTERS, *MERGING):
        read_header(part.header)


def main():
    check_parts()
    slots = int(re.search(r"#define QUEUE_BLOCKS (\d+)", read_header(RING.header)).group(1))
    print("\n".join(figure(slots)))


if __name__ == "__main__":
    main()
