#!/usr/bin/env python3
"""Draws the ratio to the rival against the number of elements, from the tables of a results file, as SVG.

    bench/chart.py bench/results/h100.md > bench/results/h100.svg
"""

import math
import re
import sys

# Each line: (primitive, type, variant, shape of data) of its rows, its label, its colour (Okabe and Ito).
LINES = [
    ("scan", "u32", "exclusive sum", "uniform", "scan u32", "#0072b2"),
    ("scan", "u64", "exclusive sum", "uniform", "scan u64", "#56b4e9"),
    ("compact", "u32", "half, compiled", "uniform", "compact u32, half kept", "#009e73"),
    ("rle", "u32", "encode, runs of 8", "runs8", "encode runs of 8", "#cc79a7"),
    ("sort", "u32", "auto", "uniform", "sort u32", "#d55e00"),
    ("sort", "u64", "auto", "uniform", "sort u64", "#e69f00"),
    ("pairs", "u32", "auto", "uniform", "sort u32 with u32", "#000000"),
    ("merge", "u32", "two halves", "sorted", "merge u32", "#8a8a8a"),
]

ROW = re.compile(r"^(\w+) +([uif]\d+) +(.*?) +(\w+) +2\^(\d+) +(\S+) +(\S+) +(\d+\.\d+)\b")

WIDTH, HEIGHT = 860, 440
LEFT, RIGHT, TOP, BOTTOM = 60, 640, 50, 410
APART = 15  # least distance of labels


def read_rows(path):
    """{(primitive, type, variant, shape): {log2 n: ratio}}; if a row comes twice, the first counts, which is the newest."""
    rows = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            match = ROW.match(line)
            if match is None:
                continue
            primitive, kind, variant, shape, log2, _, _, ratio = match.groups()
            key = primitive, kind, variant.split(":")[0], shape
            rows.setdefault(key, {}).setdefault(int(log2), float(ratio))
    return rows


class Frame:
    """Maps log2 n and ratios to places on the page."""

    def __init__(self, drawn):
        sizes = [log2 for line in drawn for log2 in line]
        self.first, self.last = min(sizes), max(sizes)
        self.top = math.ceil(2 * max(ratio for line in drawn for ratio in line.values()) + 0.2) / 2

    def x(self, log2):
        return LEFT + (RIGHT - LEFT) * (log2 - self.first) / max(1, self.last - self.first)

    def y(self, ratio):
        return BOTTOM - (BOTTOM - TOP) * ratio / self.top


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'


def rule(x1, y1, x2, y2, colour, width=1):
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def axes(frame):
    yield text(LEFT, 28, "Speed as a multiple of CUB's, by the number of elements", 'font-size="16"')
    ratio = 0.0
    while ratio <= frame.top:
        even = ratio == 1
        yield rule(LEFT, frame.y(ratio), RIGHT, frame.y(ratio), "#444" if even else "#ddd", 1.5 if even else 1)
        yield text(LEFT - 8, frame.y(ratio) + 4, f"{ratio:.1f}", 'text-anchor="end"')
        ratio += 0.5
    for log2 in range(frame.first, frame.last + 1, 2):
        yield rule(frame.x(log2), BOTTOM, frame.x(log2), BOTTOM + 5, "#444")
        power = f'2<tspan dy="-6" font-size="10">{log2}</tspan>'
        yield text(frame.x(log2), BOTTOM + 22, power, 'text-anchor="middle"')


def curve(frame, points, colour):
    places = [(frame.x(log2), frame.y(ratio)) for log2, ratio in sorted(points.items())]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    yield f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>'
    for x, y in places:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>'


def labels(frame, drawn):
    """Labels beside the ends of the lines, moved apart if ends are close."""
    ends = sorted((frame.y(points[max(points)]), name, colour, points[max(points)]) for points, name, colour in drawn)
    places, lowest = [], BOTTOM
    for y, *_ in ends:
        places.append(max(y, places[-1] + APART) if places else y)
    for i in reversed(range(len(places))):
        places[i] = min(places[i], lowest)
        lowest = places[i] - APART
    for place, (y, name, colour, ratio) in zip(places, ends):
        yield rule(RIGHT + 6, y, RIGHT + 22, place, colour)
        yield text(RIGHT + 27, place + 4, f"{name}: {ratio:.2f}", f'fill="{colour}"')


def draw(rows):
    drawn = [(rows[tuple(key)], name, colour) for *key, name, colour in LINES if tuple(key) in rows]
    frame = Frame([points for points, _, _ in drawn])
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
    yield ' font-family="sans-serif" font-size="13">'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    yield from axes(frame)
    for points, _, colour in drawn:
        yield from curve(frame, points, colour)
    yield from labels(frame, drawn)
    yield "</svg>"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rows = read_rows(sys.argv[1])
    if not rows:
        sys.exit(f"chart.py: {sys.argv[1]}: no table of the benchmark")
    print("\n".join(draw(rows)))


if __name__ == "__main__":
    main()
