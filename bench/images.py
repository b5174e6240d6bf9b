#!/usr/bin/env python3
"""Measures the library's pictures beside OpenCV's, by turns, in one process.

    bench/images.py [--library=build/lib/.libs/libscankit.so] [--device=cpu:2] [--side=8192] [--repeats=9] [--only=NAME]

Needs a shared library, numpy and OpenCV (PyPI: opencv-python-headless). Prints medians, and the median of the ratios.
OpenCV gets as many threads as the device. Pictures are random.
"""

import argparse
import statistics
import sys
import time

from pictures import Library

try:
    import cv2
    import numpy
except ImportError as error:
    sys.exit(f"images.py: {error}")

def draw(kind, side, channels):
    """A random picture."""
    shape = (side, side) if channels == 1 else (side, side, channels)
    random = numpy.random.default_rng(1)
    if kind == "float32":
        return random.random(shape, dtype=numpy.float32)
    return random.integers(0, 256, shape, dtype=kind)


def table(library, side, kind, channels, to):
    """Our call, OpenCV's, and a check that both did the same: a summed-area table of side x side elements."""
    depth = {"uint32": cv2.CV_32S, "float32": cv2.CV_32F, "float64": cv2.CV_64F}[to]
    picture = draw(kind, side // int(channels**0.5), channels)
    ours = numpy.zeros(picture.shape, to)
    theirs = numpy.zeros((len(picture) + 1, len(picture) + 1) + picture.shape[2:], "int32" if to == "uint32" else to)
    tolerance = 1e-2 if to == "float32" else 1e-9
    return (lambda: library.table(picture, ours), lambda: cv2.integral(picture, theirs, sdepth=depth),
            lambda: numpy.allclose(ours, theirs[1:, 1:].astype(ours.dtype), rtol=tolerance))


def box(library, side, kind, channels, radius):
    """The same for a box filter."""
    picture = draw(kind, side, channels)
    ours, theirs = numpy.zeros_like(picture), numpy.zeros_like(picture)
    square = (2 * radius + 1, 2 * radius + 1)
    return (lambda: library.box(picture, ours, radius),
            lambda: cv2.blur(picture, square, theirs, borderType=cv2.BORDER_REPLICATE),
            lambda: numpy.allclose(ours.astype("f4"), theirs, atol=1 if kind == "uint8" else 1e-3))


def half(library, side, kind):
    """The same for level 1 of a pyramid."""
    picture = draw(kind, side, 1)
    ours = numpy.zeros((side // 2, side // 2), kind)
    theirs = numpy.zeros_like(ours)
    return lambda: library.halve(picture, ours), lambda: cv2.pyrDown(picture, theirs), lambda: True


def rows():
    """Names, and what to measure."""
    for kind, channels, to in (("uint8", 1, "uint32"), ("uint8", 4, "uint32"), ("float32", 1, "float32"),
                               ("float32", 1, "float64"), ("float32", 4, "float64")):
        yield f"table {kind} x {channels} to {to}", table, (kind, channels, to)
    for kind, channels in (("uint8", 1), ("uint8", 3), ("uint8", 4), ("float32", 1)):
        for radius in (1, 5, 100):
            yield f"box {kind} x {channels}, radius {radius}", box, (kind, channels, radius)
    for kind in ("uint8", "float32"):
        yield f"half {kind} (2 x 2 means; pyrDown: 5 x 5)", half, (kind,)


def seconds(call):
    """The time that a call takes."""
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--library", default="build/lib/.libs/libscankit.so")
    parser.add_argument("--device", default="cpu:2")
    parser.add_argument("--side", type=int, default=8192)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--only", default="", help="rows whose names begin so")
    options = parser.parse_args()
    library = Library(options.library, options.device)
    if ":" in options.device:
        cv2.setNumThreads(int(options.device.split(":")[1]))
    print(f"{options.side} x {options.side}, {options.device}, OpenCV {cv2.__version__}, {cv2.getNumThreads()} threads")
    print(f"{'':40} {'scankit ms':>11} {'OpenCV ms':>11} {'ratio':>7}")
    failed = False
    for name, prepare, of in rows():
        if not name.startswith(options.only):
            continue
        ours, theirs, same = prepare(library, options.side, *of)
        ours()
        theirs()
        right = same()
        failed |= not right
        times = [(seconds(ours), seconds(theirs)) for _ in range(options.repeats)]
        ratio = statistics.median(t / o for o, t in times)
        print(f"{name:40} {1e3 * statistics.median(o for o, _ in times):11.2f} "
              f"{1e3 * statistics.median(t for _, t in times):11.2f} {ratio:7.2f}{'' if right else '  DIFFERS'}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
