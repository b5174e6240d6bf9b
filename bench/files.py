#!/usr/bin/env python3
"""Whole commands on whole files: gpusort on each device, beside a numpy script that does the same.

Makes files by bench/gendata, sorts each, checks gpusort's output against numpy's, and prints wall time and peak memory. Needs
numpy.

    bench/files.py --build=build --directory=/tmp/files --devices=cpu,cuda
"""
import argparse
import gzip
import os
import resource
import subprocess
import sys
import time

NUMPY = {
    "u64": "import numpy as n, sys; a = n.fromfile(sys.argv[1], '<u8'); a.sort(); a.tofile(sys.argv[2])",
    # bytes10 as numpy compares it: a string would drop trailing zeros, so the key is two big-endian numbers.
    "records": "import numpy as n, sys; d = n.dtype([('a', '>u8'), ('b', '>u2'), ('rest', 'V90')]); "
               "a = n.fromfile(sys.argv[1], d); a[n.lexsort((a['b'], a['a']))].tofile(sys.argv[2])",
    "npy": "import numpy as n, sys, gzip; a = n.load(gzip.open(sys.argv[1])); a.sort(); n.save(open(sys.argv[2], 'wb'), a)",
}


def run(command, **options):
    """Seconds and peak MiB of a command that must succeed."""
    before = time.monotonic()
    child = subprocess.Popen(command, **options)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {status}")
    return time.monotonic() - before, usage.ru_maxrss / 1024


def is_right(kind, source, expected, output):
    """Byte for byte numpy's. Of floats, numpy mixes zeros of both signs and rewrites NaNs: there the values must be numpy's, and
    the bit patterns the input's."""
    if kind != "npy":
        return subprocess.run(["cmp", "-s", expected, output]).returncode == 0
    import numpy
    before, theirs, ours = numpy.load(gzip.open(source)), numpy.load(expected), numpy.load(output)
    bits = [numpy.sort(array.view("<u4")) for array in (before, ours)]
    return numpy.array_equal(theirs, ours, equal_nan=True) and numpy.array_equal(*bits)


def generate(gendata, path, shape, kind, count):
    with open(path, "wb") as file:
        run([gendata, shape, kind, str(count)], stdout=file)


def make_npy(gendata, path, count):
    import numpy
    raw = subprocess.run([gendata, "normal", "f32", str(count)], stdout=subprocess.PIPE, check=True).stdout
    with gzip.open(path, "wb", 1) as file:
        numpy.save(file, numpy.frombuffer(raw, "<f4"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--directory", default="/tmp/scankit-files")
    parser.add_argument("--devices", default="cpu")
    parser.add_argument("--scale", type=float, default=1, help="of the sizes: 1 GiB of u64 and 10 million records")
    options = parser.parse_args()
    gpusort, gendata = os.path.join(options.build, "gpusort"), os.path.join(options.build, "bench/gendata")
    os.makedirs(options.directory, exist_ok=True)
    place = lambda name: os.path.join(options.directory, name)
    elements, records = int(options.scale * (1 << 27)), int(options.scale * 10_000_000)

    cases = [(shape, "u64", ["-t", "u64"], ["-t", "u64"]) for shape in ("uniform", "fb", "wiki")]
    fields = ["-f", "key:bytes10,rest:bytes90", "-k", "key"]
    cases += [("records", "records", fields, fields), ("npy", "npy", [], [])]
    print(f"{'input':10} {'by':10} {'seconds':>8} {'peak MiB':>9}")
    for shape, kind, arguments, check in cases:
        source, expected, sorted_file = place(shape), place("numpy.out"), place("gpusort.out")
        if kind == "npy":
            make_npy(gendata, source, elements // 2)
        else:
            generate(gendata, source, shape, "bytes100" if kind == "records" else kind, records if kind == "records" else elements)
        rows = [("numpy", run([sys.executable, "-c", NUMPY[kind], source, expected]))]
        for device in options.devices.split(","):
            rows.append((device, run([gpusort, "-d", device, *arguments, "-o", sorted_file, source])))
            run([gpusort, "-c", *check, sorted_file])
            if not is_right(kind, source, expected, sorted_file):
                sys.exit(f"{shape} on {device}: not sorted as by numpy")
        for name, (seconds, peak) in rows:
            print(f"{shape:10} {name:10} {seconds:8.2f} {peak:9.0f}", flush=True)

    for device in options.devices.split(","):
        pipe = "gzip -1 -c $1 >$2 && zcat $2 | $3 -d $4 -t u64 | $3 -c -t u64"
        seconds, _ = run(["sh", "-c", pipe, "sh", place("wiki"), place("wiki.gz"), gpusort, device])
        print(f"{'zcat pipe':10} {device:10} {seconds:8.2f}           (with the gzip before it)", flush=True)


main()
