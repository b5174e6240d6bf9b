#!/usr/bin/env python3
"""What numpy does with uniform u32 in memory, to be put beside the rows of bench/bench: medians, in millions of elements a
second. Needs numpy.

    bench/arrays.py --log2=28
"""
import argparse
import statistics
import time

import numpy

# The predicates of bench/predicates.h as numpy has them.
ROWS = {
    "copy of 3/4": lambda a: a[:a.size - a.size // 4].copy(),
    "a[(a & 8) != 0]": lambda a: a[(a & 8) != 0],
    "four comparisons": lambda a: a[(a < 858993459) | ((a > 1717986918) & (a < 2576980377)) | (a > 3865470566)],
    "1 in 1000": lambda a: a[a < 4294967],
    "flatnonzero(a & 8)": lambda a: numpy.flatnonzero(a & 8),
}


def seconds(work, array):
    begin = time.monotonic()
    work(array)
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log2", type=int, default=28, help="of the number of elements")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    array = numpy.random.default_rng(options.seed).integers(0, 1 << 32, 1 << options.log2, numpy.uint32)
    print(f"numpy {numpy.__version__}, 2^{options.log2} u32, medians of {options.repeats}")
    for name, work in ROWS.items():
        work(array)
        median = statistics.median(seconds(work, array) for _ in range(options.repeats))
        print(f"{name:20} {array.size / median / 1e6:9.1f} million/s", flush=True)


main()
