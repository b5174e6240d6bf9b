#!/usr/bin/env python3
"""Measures commands on whole files: gpusort and gpucompact on each device, beside numpy scripts for the same work.

Makes files with bench/gendata, sorts or filters each, checks the output against numpy's, and prints wall time and peak
memory. Needs numpy.

    bench/files.py --build=build --directory=/tmp/files --devices=cpu,cuda
"""
import argparse
import gzip
import os
import subprocess
import sys
import time
from typing import NamedTuple


class Case(NamedTuple):
    name: str
    source: str  # a key of SOURCES
    tool: str
    arguments: list
    numpy: str  # the script; reads file sys.argv[1], writes file sys.argv[2]
    bits_differ: bool = False  # numpy rewrites NaNs and mixes zeros of both signs


# name: shape of data, type
SOURCES = {
    "uniform": ("uniform", "u64"),
    "fb": ("fb", "u64"),
    "wiki": ("wiki", "u64"),
    "u32": ("uniform", "u32"),
    "records": ("records", "bytes100"),
    "npy": ("normal", "f32"),  # gzipped
}

SORT_U64 = "import numpy as n, sys; a = n.fromfile(sys.argv[1], '<u8'); a.sort(); a.tofile(sys.argv[2])"
# The key is two big-endian numbers, since numpy's strings drop trailing zeros.
SORT_RECORDS = """import numpy as n, sys
a = n.fromfile(sys.argv[1], n.dtype([('a', '>u8'), ('b', '>u2'), ('rest', 'V90')]))
a[n.lexsort((a['b'], a['a']))].tofile(sys.argv[2])"""
LOAD_NPY = "import numpy as n, sys, gzip; a = n.load(gzip.open(sys.argv[1])); "
FILTER_U32 = "import numpy as n, sys; a = n.fromfile(sys.argv[1], '<u4'); a[(a & 8) != 0].tofile(sys.argv[2])"
FILTER_RECORDS = """import numpy as n, sys
a = n.fromfile(sys.argv[1], n.dtype([('key', 'V10'), ('number', '<u8'), ('rest', 'V82')]))
a[a['number'] % 10 == 3].tofile(sys.argv[2])"""

# Each script runs in its own process, because a child's peak memory is at least its parent's.
MAKE_NPY = """import numpy as n, sys, gzip
with gzip.open(sys.argv[1], 'wb', 1) as file:
    n.save(file, n.frombuffer(sys.stdin.buffer.read(), '<f4'))"""
SAME_VALUES = """import numpy as n, sys, gzip
before, theirs, ours = n.load(gzip.open(sys.argv[1])), n.load(sys.argv[2]), n.load(sys.argv[3])
bits = [n.sort(array.view('<u4')) for array in (before, ours)]
sys.exit(not (n.array_equal(theirs, ours, equal_nan=True) and n.array_equal(*bits)))"""

CASES = [Case(name, name, "gpusort", ["-t", "u64"], SORT_U64) for name in ("uniform", "fb", "wiki")] + [
    Case("records", "records", "gpusort", ["-f", "key:bytes10,rest:bytes90", "-k", "key"], SORT_RECORDS),
    Case("npy", "npy", "gpusort", [], LOAD_NPY + "a.sort(); n.save(open(sys.argv[2], 'wb'), a)", bits_differ=True),
    Case("half", "u32", "gpucompact", ["-t", "u32", "-w", "x & 8"], FILTER_U32),
    Case("records", "records", "gpucompact", ["-f", "key:bytes10,number:u64,rest:bytes82", "-w", "number % 10 == 3"],
         FILTER_RECORDS),
    Case("npy", "npy", "gpucompact", ["-w", "!isnan(x)"], LOAD_NPY + "n.save(open(sys.argv[2], 'wb'), a[~n.isnan(a)])"),
]


def run(command, **options):
    """Seconds and peak MiB of a command that must succeed."""
    before = time.monotonic()
    child = subprocess.Popen(command, **options)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {status}")
    return time.monotonic() - before, usage.ru_maxrss / 1024


def is_right(case, source, expected, output):
    """Byte for byte numpy's output; or, if bits differ, numpy's values and the input's bit patterns."""
    same_values = [sys.executable, "-c", SAME_VALUES, source, expected, output]
    return subprocess.run(same_values if case.bits_differ else ["cmp", "-s", expected, output]).returncode == 0


def generate(gendata, path, shape, kind, count):
    with open(path, "wb") as file:
        run([gendata, shape, kind, str(count)], stdout=file)


def make_npy(gendata, path, count):
    raw = subprocess.Popen([gendata, "normal", "f32", str(count)], stdout=subprocess.PIPE)
    run([sys.executable, "-c", MAKE_NPY, path], stdin=raw.stdout)
    if raw.wait() != 0:
        sys.exit(f"{gendata}: status {raw.returncode}")


def make_source(gendata, path, name, scale):
    shape, kind = SOURCES[name]
    if name == "npy":
        make_npy(gendata, path, int(scale * (1 << 26)))
    elif name == "records":
        generate(gendata, path, shape, kind, int(scale * 10_000_000))
    else:
        generate(gendata, path, shape, kind, int(scale * (1 << 30)) // (int(kind[1:]) // 8))


def print_row(case, by, seconds, peak):
    print(f"{case.tool:11} {case.name:10} {by:10} {seconds:8.2f} {peak:9.0f}", flush=True)


def measure(case, options, place):
    source, expected, output = place(case.source), place("numpy.out"), place("tool.out")
    print_row(case, "numpy", *run([sys.executable, "-c", case.numpy, source, expected]))
    tool = os.path.join(options.build, case.tool)
    for device in options.devices.split(","):
        cost = run([tool, "-d", device, *case.arguments, "-o", output, source])
        if case.tool == "gpusort":
            run([tool, "-c", *case.arguments, output])
        if not is_right(case, source, expected, output):
            sys.exit(f"{case.tool} of {case.name} on {device}: not the same as numpy's output")
        print_row(case, device, *cost)


def measure_pipe(options, place):
    gpusort = os.path.join(options.build, "gpusort")
    for device in options.devices.split(","):
        pipe = "gzip -1 -c $1 >$2 && zcat $2 | $3 -d $4 -t u64 | $3 -c -t u64"
        seconds, _ = run(["sh", "-c", pipe, "sh", place("wiki"), place("wiki.gz"), gpusort, device])
        print(f"{'gpusort':11} {'zcat pipe':10} {device:10} {seconds:8.2f}            (including gzip)", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--directory", default="/tmp/scankit-files")
    parser.add_argument("--devices", default="cpu")
    parser.add_argument("--tools", default="gpusort,gpucompact")
    parser.add_argument("--scale", type=float, default=1, help="factor for the sizes: 1 GiB, or 10 million records")
    options = parser.parse_args()
    os.makedirs(options.directory, exist_ok=True)
    place = lambda name: os.path.join(options.directory, name)
    cases = [case for case in CASES if case.tool in options.tools.split(",")]
    for name in {case.source: None for case in cases}:
        make_source(os.path.join(options.build, "bench/gendata"), place(name), name, options.scale)
    print(f"{'':11} {'input':10} {'by':10} {'seconds':>8} {'peak MiB':>9}")
    for case in cases:
        measure(case, options, place)
    if "gpusort" in options.tools.split(","):
        measure_pipe(options, place)


main()
