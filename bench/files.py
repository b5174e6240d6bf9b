#!/usr/bin/env python3
"""Measures the tools on whole files: each beside the same work done another way, by turns, in the same run. Prints a
Markdown table for bench/results/. NOTES.md says how to run it.

    bench/files.py --build=build --directory=/dev/shm/files --rows='cpu-*'
    bench/files.py --build=build --directory=/tmp/files --rivals=/tmp/rivals
    bench/files.py --build=build --directory=/tmp/files --scale=0.02       all rows, in a minute or two
    bench/files.py --list
"""
import argparse
import fnmatch
import os
import sys
import time

from files import commands, data, host, measure, needs, report, rows


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="the folder of the tools (default: build)")
    parser.add_argument("--directory", default="/tmp/scankit-files", help="for data, outputs and temporaries")
    parser.add_argument("--rows", default="*", help="patterns of names of rows, with commas between")
    parser.add_argument("--scale", type=float, default=1, help="factor for all sizes and memory limits")
    parser.add_argument("--devices", default="cpu", help="cpu, cuda or both, for rows of the GPU host")
    parser.add_argument("--repeat", type=int, default=5, help="rounds of a row (default: 5)")
    parser.add_argument("--seconds-limit", type=float, default=float("inf"), help="start no round that would end later")
    parser.add_argument("--rivals", default="", help="a virtual environment with numpy, duckdb and polars")
    parser.add_argument("--keep", action="store_true", help="keep the data, for another call")
    parser.add_argument("--list", action="store_true", help="list the rows")
    return parser.parse_args()


def prepare(options):
    """Adds what options and host decide together."""
    options.failures = 0
    options.deadline = time.monotonic() + options.seconds_limit
    options.threads = len(os.sched_getaffinity(0))
    options.programs = host.programs(options)
    os.makedirs(options.directory, exist_ok=True)
    options.place = "tmpfs" if host.file_system(options.directory) == "tmpfs" else "disk"


def try_row(row, options):
    """Prints the row, or why there is none. Returns what was measured, or None if the row is skipped."""
    reason = needs.lacks(row, options)
    if not reason and time.monotonic() >= options.deadline:
        reason = "no time left (--seconds-limit)"
    if reason:
        report.print_other(row, f"skipped: {reason}")
        return None
    try:
        measured = measure.measure(row, options)
    except commands.Failure as failure:
        print(f"files.py: {failure}", file=sys.stderr)
        report.print_other(row, "failed")
        options.failures += 1
        return None
    report.print_row(measured, options)
    return measured


def run(wanted, options):
    """Returns the measured rows. Removes data that no later row reads."""
    done = []
    for i, row in enumerate(wanted):
        if not options.keep:
            data.remove_unneeded({name for later in wanted[i:] for name in later.data}, options)
        measured = try_row(row, options)
        if measured:
            done.append(measured)
    if not options.keep:
        data.remove_unneeded(set(), options)
    return done


def main():
    options = parse()
    prepare(options)
    wanted = [row for row in rows.all_rows(options)
              if any(fnmatch.fnmatch(row.name, pattern) for pattern in options.rows.split(","))]
    if options.list:
        print("\n".join(f"{row.name:16} {row.title}" for row in wanted))
        return
    if not wanted:
        sys.exit(f"files.py: no row is named {options.rows}")
    report.print_head(options)
    done = run(wanted, options)
    report.print_commands(done, options)
    sys.exit(1 if options.failures else 0)


if __name__ == "__main__":
    main()
