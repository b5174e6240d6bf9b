#!/usr/bin/env python3
"""Compares two builds of the benchmark on one machine, in one run: is the new one as fast as the old one?

    bench/compare.py OLD_BENCH NEW_BENCH                          the rows with a goal, on a GPU
    bench/compare.py --seconds=450 OLD_BENCH NEW_BENCH
    bench/compare.py --primitives=sort OLD_BENCH NEW_BENCH -- --device=cpu --max-log2=20

Runs both by turns, primitive by primitive, in several rounds. Every second round begins with the new build. Arguments
after "--" replace the default options for the benchmark. Prints the medians over all rounds for each row:

    old, new       billions of items a second
    new/old        speed of the new build relative to the old one: the median over the rounds, and the range in brackets
    ratio          speed relative to the rival (old, new)
    of copy        speed relative to a copy of the same bytes (old, new)

A row is "slower" or "faster" if new/old is outside of the tolerance. Exits with 0 if no row is slower, 1 if some are, 2
if a run failed, a result was wrong, a primitive was not measured, or only one of the builds has a row.
"""
import argparse
import csv
import os
import statistics
import subprocess
import sys
import tempfile
import time

PRIMITIVES = "scan,compact,rle,sort,pairs,merge"
FLAGS = ["--goals", "--min-log2=16", "--max-log2=28", "--step-log2=12", "--patience=1"]


class Failure(Exception):
    """A message for the user."""


def key_of(row):
    """A row's identity. The algorithm that "auto" chose, after the colon, may have another name in the new build."""
    return row["primitive"], row["type"], row["variant"].split(":")[0], row["shape"], int(row["n"])


def number(text):
    return float(text) if text else None


def read_times(file):
    """{row: (seconds, seconds of the rival or None, seconds of a copy or None)}"""
    times = {}
    for row in csv.DictReader(file):
        if row["correct"] != "yes":
            raise Failure(f"wrong result: {' '.join(map(str, key_of(row)))}")
        times[key_of(row)] = tuple(number(row[name]) for name in ("scankit_seconds", "rival_seconds", "copy_seconds"))
    return times


def run(bench, primitive, flags, deadline):
    """The times of one run of a primitive, or None if the time is up."""
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as file:
        command = [bench, f"--primitive={primitive}", *flags, f"--csv={file.name}"]
        try:
            left = max(1, deadline - time.monotonic())
            done = subprocess.run(command, stdout=subprocess.PIPE, timeout=left, check=False)
        except subprocess.TimeoutExpired:
            return None
        times = read_times(file) if done.returncode in (0, 1) else {}
        if done.returncode != 0:
            raise Failure(f"{' '.join(command)}: status {done.returncode}")
        return times


class Comparison:
    """The times of both builds: rows is {row: [(old, new), ...]}, one pair for each round."""

    def __init__(self, options):
        self.options = options
        self.rows = {}
        self.lonely = {}  # rows of one build only
        self.costs = {}  # the longest pair of each primitive, in seconds
        self.deadline = time.monotonic() + options.seconds

    def fits(self, primitive):
        """False if another pair of runs would not end in time, by the longest one so far."""
        return time.monotonic() + self.costs.get(primitive, 0) < self.deadline

    def run_pair(self, primitive, swapped):
        """Measures both builds, one right after the other. False if the time is up."""
        begin = time.monotonic()
        benches = [self.options.old, self.options.new]
        found = {}
        for side in (1, 0) if swapped else (0, 1):
            times = run(benches[side], primitive, self.options.flags, self.deadline)
            if times is None:
                return False
            found[side] = times
        self.add(found[0], found[1])
        self.costs[primitive] = max(self.costs.get(primitive, 0), time.monotonic() - begin)
        return True

    def add(self, old, new):
        for key in {**old, **new}:
            if key in old and key in new:
                self.rows.setdefault(key, []).append((old[key], new[key]))
            else:
                self.lonely[key] = "old" if key in old else "new"

    def run_all(self):
        """Returns the number of whole rounds."""
        for done in range(self.options.rounds):
            for primitive in self.options.primitives.split(","):
                if not self.fits(primitive) or not self.run_pair(primitive, done % 2 == 1):
                    return done
            print(f"compare.py: round {done + 1} of {self.options.rounds} is done", file=sys.stderr, flush=True)
        return self.options.rounds


def median_speed(pairs, side, of):
    """The median of the speed relative to `of`, 1 for the rival and 2 for a copy; None if it was not measured."""
    ratios = [pair[side][of] / pair[side][0] for pair in pairs if pair[side][of]]
    return statistics.median(ratios) if ratios else None


def cell(value, form):
    return format(value, form) if value is not None else " " * int(form.split(".")[0])


def verdict_of(change, tolerance):
    if abs(change - 1) <= tolerance:
        return ""
    return "slower" if change < 1 else "faster"


def print_row(key, pairs, tolerance):
    """Returns the verdict."""
    primitive, kind, variant, shape, n = key
    changes = [old[0] / new[0] for old, new in pairs]
    verdict = verdict_of(statistics.median(changes), tolerance)
    rates = [n / statistics.median(pair[side][0] for pair in pairs) / 1e9 for side in (0, 1)]
    size = f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else str(n)
    print(f"{primitive:8} {kind:4} {variant:30} {shape:8} {size:>5} {rates[0]:8.4g} {rates[1]:8.4g}",
          f"{statistics.median(changes):7.3f} [{min(changes):.3f} {max(changes):.3f}]",
          *(cell(median_speed(pairs, side, of), "6.2f") for of in (1, 2) for side in (0, 1)), verdict)
    return verdict


def print_table(comparison):
    """Returns the verdicts."""
    print(f"{'':8} {'type':4} {'':30} {'shape':8} {'n':>5} {'old':>8} {'new':>8} {'new/old':>7} {'[range]':>13}",
          f"{'ratio':>13} {'of copy':>13}")
    return [print_row(key, pairs, comparison.options.tolerance) for key, pairs in comparison.rows.items()]


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=420, help="time for all runs together (default 420)")
    parser.add_argument("--rounds", type=int, default=9, help="most rounds (default 9)")
    parser.add_argument("--tolerance", type=float, default=0.02, help="most that new/old differs from 1 (default 0.02)")
    parser.add_argument("--primitives", default=PRIMITIVES, help=f"default {PRIMITIVES}")
    parser.add_argument("old", metavar="OLD_BENCH")
    parser.add_argument("new", metavar="NEW_BENCH")
    arguments = sys.argv[1:]
    at = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:at])
    options.flags = arguments[at + 1:] or FLAGS
    options.old, options.new = os.path.abspath(options.old), os.path.abspath(options.new)
    return options


def main():
    comparison = Comparison(parse_options())
    try:
        rounds = comparison.run_all()
    except (Failure, OSError) as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 2
    verdicts = print_table(comparison)
    pairs = [len(pairs) for pairs in comparison.rows.values()]
    print(f"\n{rounds} whole rounds; {min(pairs, default=0)} to {max(pairs, default=0)} pairs of runs a row;",
          f"{verdicts.count('slower')} rows slower, {verdicts.count('faster')} faster, of {len(verdicts)}")
    for key, build in comparison.lonely.items():
        print(f"only in the {build} build: {' '.join(map(str, key))}")
    missing = [name for name in comparison.options.primitives.split(",") if name not in comparison.costs]
    if missing:
        print(f"not measured, out of time: {', '.join(missing)}")
    if missing or not verdicts or comparison.lonely:
        return 2
    return 1 if "slower" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
