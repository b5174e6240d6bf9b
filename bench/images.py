#!/usr/bin/env python3
"""Measures the library's pictures beside OpenCV's, by turns, in one process.

    bench/images.py [--library=build/lib/.libs/libscankit.so] [--device=cpu:2] [--side=8192] [--repeats=9] [--only=NAME]

Needs a shared library, numpy and OpenCV (PyPI: opencv-python-headless). Prints medians, and the median of the ratios.
OpenCV gets as many threads as the device. Pictures are random.
"""

import argparse
import ctypes
import statistics
import sys
import time

try:
    import cv2
    import numpy
except ImportError as error:
    sys.exit(f"images.py: {error}")

TYPES = {"uint8": 0, "uint16": 1, "uint32": 2, "uint64": 3, "float32": 9, "float64": 10}


class Image(ctypes.Structure):
    """scankit_image"""

    _fields_ = [
        ("type", ctypes.c_int),
        ("channels", ctypes.c_uint),
        ("width", ctypes.c_size_t),
        ("height", ctypes.c_size_t),
        ("pitch", ctypes.c_size_t),
        ("data", ctypes.c_void_p),
    ]


class BoxOptions(ctypes.Structure):
    """scankit_box_options"""

    _fields_ = [
        ("radius", ctypes.c_double),
        ("radii", ctypes.POINTER(Image)),
        ("edge", ctypes.c_int),
        ("passes", ctypes.c_uint),
    ]


class TableOptions(ctypes.Structure):
    """scankit_table_options"""

    _fields_ = [("method", ctypes.c_int), ("wrap", ctypes.c_int), ("mean", ctypes.c_void_p)]


def image_of(array):
    """The array of rows, columns and perhaps channels as a scankit_image."""
    channels = array.shape[2] if array.ndim == 3 else 1
    return Image(TYPES[array.dtype.name], channels, array.shape[1], array.shape[0], 0, array.ctypes.data)


class Library:
    """scankit's calls on one context."""

    def __init__(self, path, device):
        self.calls = ctypes.CDLL(path)
        self.context = ctypes.c_void_p()
        self.check(self.calls.scankit_open(ctypes.byref(self.context), device.encode()))

    def check(self, error):
        """Ends the program unless the call succeeded."""
        if error != 0:
            self.calls.scankit_error_string.restype = ctypes.c_char_p
            sys.exit(f"images.py: {self.calls.scankit_error_string(error).decode()}")

    def table(self, picture, out, wrap=1):
        """A summed-area table."""
        options = TableOptions(0, wrap, None)
        a, b = image_of(picture), image_of(out)
        call = self.calls.scankit_summed_area_table
        self.check(call(self.context, ctypes.byref(a), ctypes.byref(b), ctypes.byref(options)))

    def box(self, picture, out, radius):
        """A box filter."""
        options = BoxOptions(radius, None, 0, 1)
        a, b = image_of(picture), image_of(out)
        call = self.calls.scankit_box_filter
        self.check(call(self.context, ctypes.byref(a), ctypes.byref(b), ctypes.byref(options)))

    def halve(self, picture, out):
        """Level 1 of the pyramid."""
        a, b = image_of(picture), image_of(out)
        self.check(self.calls.scankit_mipmap(self.context, ctypes.byref(a), ctypes.byref(b), 1, 1))


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
    for kind, channels in (("uint8", 1), ("uint8", 3), ("float32", 1)):
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
