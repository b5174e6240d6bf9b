#!/usr/bin/env python3
"""Measures the Python package beside NumPy, by turns, in one process.

    export PYTHONPATH=python SCANKIT_LIBRARY=build/lib/.libs/libscankit.so
    bench/python.py [--log2=26] [--device=cpu:2] [--rows sorts searches passes calls] [--match=TEXT]

Prints medians in milliseconds, the median of the ratios, and the time of a call on 16 elements. Needs numpy. Results
are compared first, in calls that are not measured. Both sides make a new array for each result, as a program would.
"""

import argparse
import os
import statistics
import sys
import time
import timeit

try:
    import numpy as np
    import scankit
except ImportError as error:
    sys.exit(f"python.py: {error}")

REPORT = "{:40} {:>11} {:>11} {:>7}"
SORTED = ("u4", "u8", "i4", "i8", "f4", "f8")


def draw(dtype, size):
    """Uniform integers over the whole range of a type; floats from 0 to 1."""
    random = np.random.default_rng(1)
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return random.random(size, dtype)
    info = np.iinfo(kind)
    return random.integers(info.min, info.max, size, dtype, endpoint=True)


def sorts(size):
    """Each row: a name, our call, NumPy's call, and perhaps what to compare of the results."""
    for dtype in SORTED:
        a = draw(dtype, size)
        yield f"sort {a.dtype}", lambda: scankit.sort(a), lambda: np.sort(a)


def searches(size):
    """Rows that sort for positions or for distinct values."""
    for dtype in ("u4", "f8"):
        a = draw(dtype, size)
        yield f"argsort {a.dtype}, both stable", lambda: scankit.argsort(a), lambda: np.argsort(a, kind="stable")
        yield f"argsort {a.dtype}, NumPy's not stable", lambda: scankit.argsort(a), lambda: np.argsort(a), a.take
    a = draw("u4", size) >> 12
    yield "distinct uint32 of 2^20, by np.sort", lambda: scankit.unique(scankit.sort(a)), lambda: heads_of(np.sort(a))
    yield "distinct uint32 of 2^20, by np.unique", lambda: scankit.unique(scankit.sort(a)), lambda: np.unique(a)


def heads_of(a):
    """The first element of each run."""
    return a[np.append(True, a[1:] != a[:-1])]


def passes(size):
    """Rows that read the array once."""
    a, longs = draw("u4", size), draw("i8", size)
    yield "cumsum int64", lambda: scankit.cumsum(longs), lambda: np.cumsum(longs)
    yield "sum int64", lambda: scankit.reduce(longs), lambda: np.sum(longs)
    text = "x & 8 && x > 1000"
    yield f"compact uint32: {text}", lambda: scankit.compact(a, text), lambda: a[((a & 8) != 0) & (a > 1000)]
    mask = (a & 8) != 0
    yield "compact uint32 by a mask", lambda: scankit.compact(a, mask), lambda: a[mask]
    yield "positions of a mask", lambda: scankit.compact_positions(a, mask), lambda: np.flatnonzero(mask)
    runs = np.repeat(a[: size // 8], 8)
    yield "unique uint32, runs of 8", lambda: scankit.unique(runs), lambda: heads_of(runs)


def seconds(call):
    """The time that a call takes."""
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def show(repeats, name, ours, theirs, compared=np.asarray):
    """Prints one row; False if the results differ."""
    is_same = np.array_equal(compared(ours()), compared(theirs()))
    times = [(seconds(ours), seconds(theirs)) for _ in range(repeats)]
    mine, his = (f"{1e3 * statistics.median(column):.1f}" for column in zip(*times))
    ratio = statistics.median(b / a for a, b in times)
    print(REPORT.format(name, mine, his, f"{ratio:.2f}{'' if is_same else '  DIFFERS'}"), flush=True)
    return is_same


def show_calls():
    """Prints what calls on 16 elements cost."""
    a, mask, out = draw("u4", 16), np.ones(16, bool), np.empty(16, "u4")
    print("\nMicroseconds a call, 16 elements of uint32")
    for name, call in {
        "sort": lambda: scankit.sort(a),
        "sort, out=": lambda: scankit.sort(a, out=out),
        "argsort": lambda: scankit.argsort(a),
        "cumsum": lambda: scankit.cumsum(a),
        "reduce": lambda: scankit.reduce(a),
        "compact by a predicate": lambda: scankit.compact(a, "x > 3"),
        "compact by a mask": lambda: scankit.compact(a, mask),
        "unique": lambda: scankit.unique(a),
        "merge": lambda: scankit.merge(a, a),
        "run_length_encode": lambda: scankit.run_length_encode(a),
        "np.sort": lambda: np.sort(a),
        "np.cumsum": lambda: np.cumsum(a),
    }.items():
        print(f"{name:40} {min(timeit.repeat(call, number=5000, repeat=5)) / 5000 * 1e6:11.2f}")


def main():
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--log2", type=int, default=26, help="of the number of elements")
    parser.add_argument("--device", default="cpu:2")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--match", default="", help="only rows whose names contain this")
    parser.add_argument("--rows", choices=("sorts", "searches", "passes", "calls"), nargs="*")
    options = parser.parse_args()
    wanted = options.rows or ("sorts", "searches", "passes", "calls")
    good = True
    with scankit.Context(options.device) as context:
        print(f"2^{options.log2} elements, {context.device}, NumPy {np.__version__}, {os.cpu_count()} processors")
        print(REPORT.format("", "scankit ms", "NumPy ms", "ratio"))
        for group in (sorts, searches, passes):
            if group.__name__ in wanted:
                for row in group(1 << options.log2):
                    good &= options.match not in row[0] or show(options.repeats, *row)
        if "calls" in wanted:
            show_calls()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
