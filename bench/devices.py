#!/usr/bin/env python3
"""Does --device=auto take the better device? Runs each tool on each device and with auto, for files of 2^10 to 2^N
elements, by turns in several rounds, and prints the medians and the ratio of auto to the better device.

    bench/devices.py --build=build --directory=/dev/shm/devices --max-log2=31

First the tools measure the machine (--calibrate), into a folder of this benchmark; --built-in skips that, so that auto
decides by the built-in figures. Exits with 1 if auto is slower than --tolerance allows for any size; differences below
--noise seconds do not count.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time

SHAPES = {"gpusort": "uniform", "gpucompact": "uniform", "gpuscan": "uniform", "gpurle": "runs8"}
ARGUMENTS = {"gpusort": [], "gpucompact": ["-w", "x & 8"], "gpuscan": [], "gpurle": []}


def fail(text):
    sys.exit(f"devices.py: {text}")


def seconds_of(command, environment, output):
    """Runs a command that writes a new file. Returns None if the device does not start."""
    if os.path.exists(output):
        os.unlink(output)
    before = time.monotonic()
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=False)
    seconds = time.monotonic() - before
    if "cannot start device" in done.stderr:
        return None
    if done.returncode != 0:
        fail(f"{' '.join(command)}: status {done.returncode}: {done.stderr}")
    return seconds


class Bench:
    def __init__(self, options):
        self.options = options
        self.source = os.path.join(options.directory, "source")
        self.made = None
        self.output = os.path.join(options.directory, "output")
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(options.directory, "cache"))
        self.environment.pop("SCANKIT_DEVICE", None)
        self.environment.pop("SCANKIT_NO_CACHE", None)

    def program(self, name):
        return os.path.join(self.options.build, name)

    def prepare(self):
        """Measures the machine; later runs do not change the figures."""
        os.makedirs(self.options.directory, exist_ok=True)
        if self.options.built_in:
            self.environment["SCANKIT_NO_CACHE"] = "1"
            return
        subprocess.run([self.program("gpusort"), "--calibrate"], env=self.environment, check=True)
        print(flush=True)

    def make_source(self, tool, log2):
        """Tools that take the same data share the file."""
        if self.made == (SHAPES[tool], log2):
            return
        self.made = SHAPES[tool], log2
        with open(self.source, "wb") as file:
            command = [self.program("bench/gendata"), SHAPES[tool], self.options.type, str(1 << log2)]
            if subprocess.run(command, stdout=file, check=False).returncode != 0:
                fail(f"{' '.join(command)} failed")

    def command(self, tool, device):
        return [self.program(tool), f"--device={device}", "-t", self.options.type, *ARGUMENTS[tool], "-o", self.output,
                self.source]

    def choice(self, tool):
        """The device that auto takes, by what --verbose says."""
        done = subprocess.run(self.command(tool, "auto") + ["--verbose"], env=self.environment, stderr=subprocess.PIPE,
                              text=True, check=True)
        return "cuda" if "device cuda" in done.stderr else "cpu"

    def times(self, tool, log2):
        """{device: median seconds}, by turns. Small files get more rounds."""
        rounds = self.options.rounds if log2 > 24 else 3 * self.options.rounds
        times = {"cpu": [], "cuda": [], "auto": []}
        for _ in range(rounds):
            for device in list(times):
                seconds = seconds_of(self.command(tool, device), self.environment, self.output)
                if seconds is None:
                    del times[device]
                else:
                    times[device].append(seconds)
        return {device: statistics.median(values) for device, values in times.items()}

    def row(self, tool, log2):
        """Measures and prints a row. Returns True if auto is good enough."""
        self.make_source(tool, log2)
        took = self.choice(tool)  # also brings the file and the programs into memory
        times = self.times(tool, log2)
        best = min(times["cpu"], times.get("cuda", float("inf")))
        good = times["auto"] <= best * self.options.tolerance or times["auto"] - best < self.options.noise
        cuda = f"{times['cuda']:9.4f}" if "cuda" in times else f"{'-':>9}"
        print(f"| {tool:10} | {log2:4} | {times['cpu']:9.4f} | {cuda} | {times['auto']:9.4f} | {took:4} | "
              f"{times['auto'] / best:5.2f} |{'' if good else ' slower'}", flush=True)
        return good

    def table(self):
        print("| tool       | log2 | cpu, s    | cuda, s   | auto, s   | took | auto/best |")
        print("| ---------- | ---- | --------- | --------- | --------- | ---- | --------- |")
        good = True
        for log2 in range(self.options.min_log2, self.options.max_log2 + 1, self.options.step_log2):
            for tool in self.options.tools.split(","):
                good = self.row(tool, log2) and good
        return good

    def clean(self):
        for path in (self.source, self.output):
            if os.path.exists(path):
                os.unlink(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--directory", default="/dev/shm/scankit-devices", help="of the files: in tmpfs")
    parser.add_argument("--tools", default=",".join(ARGUMENTS))
    parser.add_argument("--type", default="u32")
    parser.add_argument("--min-log2", type=int, default=10)
    parser.add_argument("--max-log2", type=int, default=28)
    parser.add_argument("--step-log2", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tolerance", type=float, default=1.1)
    parser.add_argument("--noise", type=float, default=0.01, help="seconds")
    parser.add_argument("--built-in", action="store_true", help="do not measure the machine first")
    bench = Bench(parser.parse_args())
    bench.prepare()
    good = bench.table()
    bench.clean()
    sys.exit(0 if good else 1)


main()
