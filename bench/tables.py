#!/usr/bin/env python3
"""Measures summed-area tables on a GPU beside two cumulative sums by CuPy and by PyTorch, by turns, in one process.

    bench/tables.py [--library=build/lib/.libs/libscankit.so] [--sides 512 1024 4096 8192] [--repeats=15]

Needs a shared library, and CuPy; PyTorch is measured if it is there. Prints medians in microseconds, of calls that are
waited for, and the medians of the ratios. Pictures are random.
"""

import argparse
import importlib
import statistics
import sys
import time

from pictures import Library

try:
    import cupy
except ImportError as error:
    sys.exit(f"tables.py: {error}")

KINDS = (("float32", "float32"), ("float32", "float64"), ("uint8", "uint32"))


def draw(kind, side):
    """A random picture on the GPU."""
    random = cupy.random.default_rng(1)
    if kind == "float32":
        return random.random((side, side), dtype=kind)
    return random.integers(0, 256, (side, side), dtype=kind)


def by_cupy(picture, to):
    """Sums along columns, then along rows."""
    return lambda: picture.cumsum(axis=0, dtype=to).cumsum(axis=1)


def by_torch(torch, picture, to):
    """The same; PyTorch has no sums of unsigned integers of 32 bits."""
    tensor, kind = torch.as_tensor(picture, device="cuda"), getattr(torch, to.replace("uint32", "int32"))
    return lambda: tensor.cumsum(0, dtype=kind).cumsum(1, dtype=kind)


def microseconds(call, wait):
    """The time until what the call queued is done."""
    begin = time.perf_counter()
    call()
    wait()
    return 1e6 * (time.perf_counter() - begin)


def others(picture, to):
    """Each: a name, a call, and the wait for it."""
    yield "CuPy", by_cupy(picture, to), cupy.cuda.Device().synchronize
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return
    yield "PyTorch", by_torch(torch, picture, to), torch.cuda.synchronize


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--library", default="build/lib/.libs/libscankit.so")
    parser.add_argument("--sides", type=int, nargs="+", default=[512, 1024, 4096, 8192])
    parser.add_argument("--repeats", type=int, default=15)
    options = parser.parse_args()
    library = Library(options.library, "cuda")
    print("| picture | side | scankit, us | other | us | ratio |\n| --- | ---: | ---: | --- | ---: | ---: |")
    failed = False
    for kind, to in KINDS:
        for side in options.sides:
            picture = draw(kind, side)
            table = cupy.zeros((side, side), to)
            cupy.cuda.Device().synchronize()
            for name, other, wait in others(picture, to):
                library.table(picture, table)
                library.wait()
                theirs = cupy.asarray(other()).astype(to)
                right = bool(cupy.allclose(theirs.astype("float64"), table.astype("float64"), rtol=1e-2))
                failed |= not right
                pairs = [(microseconds(lambda: library.table(picture, table), library.wait), microseconds(other, wait))
                         for _ in range(options.repeats)]
                ours, theirs = (statistics.median(side_of) for side_of in zip(*pairs))
                ratio = statistics.median(t / o for o, t in pairs)
                print(f"| {kind} to {to} | {side} | {ours:.1f} | {name} | {theirs:.1f} | {ratio:.2f} |"
                      f"{'' if right else ' DIFFERS'}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
