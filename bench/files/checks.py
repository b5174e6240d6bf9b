#!/usr/bin/env python3
"""Checks outputs at their ends and at places between, by the elements there. Needs only the standard library.

    checks.py scanned TYPE IN OUT         OUT has the inclusive sums of IN, which wrap
    checks.py half TYPE IN OUT COUNT      OUT has the COUNT elements of IN with x & 8
"""
import array
import os
import sys

CODES = {"u32": "I", "u64": "Q"}
PART = 1 << 18  # elements checked at a place
PLACES = 16


def elements_of(path, kind):
    return os.path.getsize(path) // array.array(CODES[kind]).itemsize


def read(path, kind, first, count):
    values = array.array(CODES[kind])
    with open(path, "rb") as file:
        file.seek(first * values.itemsize)
        values.frombytes(file.read(count * values.itemsize))
    return values


def is_scanned(kind, source, output):
    count = elements_of(source, kind)
    if elements_of(output, kind) != count:
        return False
    mask = (1 << (8 * array.array(CODES[kind]).itemsize)) - 1
    for place in range(PLACES):
        first = max(0, (count - PART) * place // (PLACES - 1))
        before = read(output, kind, first - 1, 1)[0] if first > 0 else 0
        for value, total in zip(read(source, kind, first, PART), read(output, kind, first, PART)):
            before = (before + value) & mask
            if before != total:
                return False
    return True


def is_half(kind, source, output, count):
    size = elements_of(source, kind)
    head = array.array(CODES[kind], (x for x in read(source, kind, 0, PART) if x & 8))
    tail = array.array(CODES[kind], (x for x in read(source, kind, max(0, size - PART), PART) if x & 8))
    return (elements_of(output, kind) == int(count) and read(output, kind, 0, len(head)) == head and
            read(output, kind, int(count) - len(tail), len(tail)) == tail)


def main():
    work = {"scanned": is_scanned, "half": is_half}.get(sys.argv[1] if len(sys.argv) > 4 else "")
    if work is None:
        sys.exit(__doc__)
    if not work(*sys.argv[2:]):
        sys.exit(f"checks.py: {sys.argv[4]}: wrong elements")


if __name__ == "__main__":
    main()
