#!/usr/bin/env python3
"""Measures the Python package beside NumPy or CuPy, by turns, in one process.

    export PYTHONPATH=python SCANKIT_LIBRARY=build/lib/.libs/libscankit.so
    bench/python.py [--log2=26] [--device=cpu:2] [--rows sorts searches passes calls] [--match=TEXT]
    bench/python.py --arrays=cupy [--log2=26] ...

Prints medians in milliseconds, the median of the ratios, and the time of a call on 16 elements. Needs numpy, and cupy for
--arrays=cupy: then all arrays are on the GPU. Results are compared first, in calls that are not measured. Both sides
make a new array for each result, as a program would.
"""

import argparse
import importlib
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


def draw(xp, dtype, size):
    """Uniform integers over the whole range of a type; floats from 0 to 1. xp: NumPy or CuPy, as below."""
    return xp.asarray(draw_on_host(dtype, size))


def draw_on_host(dtype, size):
    """The same as an array of NumPy."""
    random = np.random.default_rng(1)
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return random.random(size, dtype)
    info = np.iinfo(kind)
    return random.integers(info.min, info.max, size, dtype, endpoint=True)


def sorts(xp, size):
    """Each row: a name, our call, the other's call, and perhaps what to compare of the results."""
    for dtype in SORTED:
        a = draw(xp, dtype, size)
        yield f"sort {a.dtype}", lambda: scankit.sort(a), lambda: xp.sort(a)


def searches(xp, size):
    """Rows that sort for positions or for distinct values."""
    for dtype in ("u4", "f8"):
        a = draw(xp, dtype, size)
        yield f"argsort {a.dtype}, both stable", lambda: scankit.argsort(a), lambda: xp.argsort(a, kind="stable")
        yield f"argsort {a.dtype}, the other's not stable", lambda: scankit.argsort(a), lambda: xp.argsort(a), a.take
    a = draw(xp, "u4", size) >> 12
    yield "distinct uint32 of 2^20, by sort", lambda: scankit.unique(scankit.sort(a)), lambda: heads_of(xp, xp.sort(a))
    yield "distinct uint32 of 2^20, by unique", lambda: scankit.unique(scankit.sort(a)), lambda: xp.unique(a)


def heads_of(xp, a):
    """The first element of each run."""
    is_head = xp.ones(a.size, bool)
    is_head[1:] = a[1:] != a[:-1]
    return a[is_head]


def passes(xp, size):
    """Rows that read the array once."""
    a, longs = draw(xp, "u4", size), draw(xp, "i8", size)
    yield "cumsum int64", lambda: scankit.cumsum(longs), lambda: xp.cumsum(longs)
    yield "sum int64", lambda: scankit.reduce(longs), lambda: xp.sum(longs)
    text = "x & 8 && x > 1000"
    yield f"compact uint32: {text}", lambda: scankit.compact(a, text), lambda: a[((a & 8) != 0) & (a > 1000)]
    mask = (a & 8) != 0
    yield "compact uint32 by a mask", lambda: scankit.compact(a, mask), lambda: a[mask]
    yield "positions of a mask", lambda: scankit.compact_positions(a, mask), lambda: xp.flatnonzero(mask)
    runs = xp.repeat(a[: size // 8], 8)
    yield "unique uint32, runs of 8", lambda: scankit.unique(runs), lambda: heads_of(xp, runs)


def finish(xp):
    """Waits for the GPU's work."""
    if xp is not np:
        xp.cuda.Device().synchronize()


def on_host(a):
    """An array of NumPy."""
    return a.get() if hasattr(a, "get") else np.asarray(a)


def seconds(xp, call):
    """The time that a call takes."""
    begin = time.perf_counter()
    call()
    finish(xp)
    return time.perf_counter() - begin


def show(xp, repeats, name, ours, theirs, compared=lambda a: a):
    """Prints one row; False if the results differ."""
    is_same = np.array_equal(on_host(compared(ours())), on_host(compared(theirs())))
    times = [(seconds(xp, ours), seconds(xp, theirs)) for _ in range(repeats)]
    mine, his = (f"{1e3 * statistics.median(column):.2f}" for column in zip(*times))
    ratio = statistics.median(b / a for a, b in times)
    print(REPORT.format(name, mine, his, f"{ratio:.2f}{'' if is_same else '  DIFFERS'}"), flush=True)
    return is_same


def show_calls(xp):
    """Prints what calls on 16 elements cost."""
    a, mask, out = draw(xp, "u4", 16), xp.ones(16, bool), xp.empty(16, "u4")
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
        f"{xp.__name__}.sort": lambda: xp.sort(a),
        f"{xp.__name__}.cumsum": lambda: xp.cumsum(a),
    }.items():
        print(f"{name:40} {min(timeit.repeat(call, number=5000, repeat=5)) / 5000 * 1e6:11.2f}")


def main():
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--log2", type=int, default=26, help="of the number of elements")
    parser.add_argument("--arrays", choices=("numpy", "cupy"), default="numpy", help="whose arrays, and the other side")
    parser.add_argument("--device", default="cpu:2", help="of arrays of NumPy")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--match", default="", help="only rows whose names contain this")
    parser.add_argument("--rows", choices=("sorts", "searches", "passes", "calls"), nargs="*")
    options = parser.parse_args()
    wanted = options.rows or ("sorts", "searches", "passes", "calls")
    good = True
    xp = importlib.import_module(options.arrays)
    with scankit.Context("cuda" if xp is not np else options.device) as context:
        print(f"2^{options.log2} elements, {context.device}, {options.arrays} {xp.__version__}, {os.cpu_count()} processors")
        print(REPORT.format("", "scankit ms", f"{options.arrays} ms", "ratio"))
        for group in (sorts, searches, passes):
            if group.__name__ in wanted:
                for row in group(xp, 1 << options.log2):
                    good &= options.match not in row[0] or show(xp, options.repeats, *row)
        if "calls" in wanted:
            show_calls(xp)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
