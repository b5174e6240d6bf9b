#!/usr/bin/env python3
"""Speeds of numpy on uniform u32 in memory, for comparison with the rows of bench/bench. Prints medians in millions of
elements a second. Needs numpy.

    bench/arrays.py --log2=28
"""
import argparse
import functools
import statistics
import time

import numpy

# The predicates of bench/rivals/predicates.h in numpy.
ROWS = {
    "copy of 3/4": lambda a: a[:a.size - a.size // 4].copy(),
    "a[(a & 8) != 0]": lambda a: a[(a & 8) != 0],
    "four comparisons": lambda a: a[(a < 858993459) | ((a > 1717986918) & (a < 2576980377)) | (a > 3865470566)],
    "1 in 1000": lambda a: a[a < 4294967],
    "flatnonzero(a & 8)": lambda a: numpy.flatnonzero(a & 8),
}


def heads_of(a):
    """The positions where runs begin."""
    return numpy.concatenate(([0], numpy.flatnonzero(a[1:] != a[:-1]) + 1))


def encode(a):
    """Values and counts of the runs."""
    heads = heads_of(a)
    return a[heads], numpy.diff(heads, append=a.size)


# Primitives on runs. Preparing the arguments is not measured. Speeds are in elements, not in runs.
RUN_ROWS = {
    "flatnonzero(diff(a))": lambda a: lambda: numpy.flatnonzero(numpy.diff(a)),
    "flatnonzero(a[1:] != a[:-1])": lambda a: lambda: numpy.flatnonzero(a[1:] != a[:-1]),
    "values and counts": lambda a: lambda: encode(a),
    "repeat(values, counts)": lambda a: functools.partial(numpy.repeat, *encode(a)),
    "add.reduceat(a, heads)": lambda a: functools.partial(numpy.add.reduceat, a, heads_of(a)),
}


def seconds(work):
    begin = time.monotonic()
    work()
    return time.monotonic() - begin


def measure(name, work, size, repeats):
    work()
    median = statistics.median(seconds(work) for _ in range(repeats))
    print(f"{name:42} {size / median / 1e6:9.1f} million/s", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log2", type=int, default=28, help="of the number of elements")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    array = numpy.random.default_rng(options.seed).integers(0, 1 << 32, 1 << options.log2, numpy.uint32)
    print(f"numpy {numpy.__version__}, 2^{options.log2} u32, medians of {options.repeats}")
    for name, work in ROWS.items():
        measure(name, functools.partial(work, array), array.size, options.repeats)
    for label, runs in ("all distinct", array), ("runs of 8", numpy.repeat(array[:array.size // 8], 8)):
        for name, prepare in RUN_ROWS.items():
            measure(f"{name}, {label}", prepare(runs), runs.size, options.repeats)


main()
