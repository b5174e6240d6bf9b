"""Measures a row: ours on each device, and the rivals, by turns."""
import csv
import hashlib
import os
import re
import statistics
import subprocess
import time

from . import commands, data, needs

CHUNK = 1 << 22  # bytes of content read at a time


class Way:
    """One way to do a row's work, and the cost of each round."""

    def __init__(self, name, command, content, printed=False):
        self.name, self.command, self.content, self.printed = name, command, content, printed
        self.costs = []
        self.digest = None
        self.error = ""  # of a rival that failed; it is not run again

    def seconds(self):
        return statistics.median(cost.seconds for cost in self.costs)

    def peak(self):
        return max(cost.peak for cost in self.costs)

    def ended(self):
        return all(cost.ended for cost in self.costs)

    def goes_on(self):
        return self.ended() and not self.error


class Measured:
    """A row's ways, with their costs."""

    def __init__(self, row, options):
        tool = re.search(r"\{(gpu\w+)\}", row.ours).group(1)
        self.row = row
        self.ours = [Way(f"{tool} {device}", row.ours.replace("{device}", device), row.content)
                     for device in needs.devices_of(row, options)]
        self.rivals = [Way(rival.name, rival.command.replace("{device}", "cpu"), rival.content, rival.printed)
                       for rival in row.rivals]

    def ways(self):
        return self.ours + self.rivals

    def ratio(self, ours, goal):
        """The median of the rounds' ratios to the goal's rivals. A rival that was stopped is not run again."""
        rivals = {way.name: way.costs for way in self.rivals}
        single = len(goal) == 1

        def limit(i):
            return sum((1 if single else factor) * rivals[name][min(i, len(rivals[name]) - 1)].seconds
                       for name, factor in goal.items())
        return statistics.median(cost.seconds / limit(i) for i, cost in enumerate(ours.costs))


# ---- one command ----

def names_of(row, options):
    """What the row's commands call {in}, {in2}, {out} and {scratch}, beside the programs."""
    inputs = [data.path_of(name, options) for name in row.data]
    place = options.programs["directory"]
    return {**options.programs, **dict(zip(("in", "in2"), inputs)), "out": os.path.join(place, "out"),
            "scratch": os.path.join(place, "scratch")}


def seconds_printed(output, row, options):
    """The time that bench/bench prints, for as many elements as the row has."""
    line = next(csv.reader(line for line in output.splitlines() if line.startswith('"')))
    return float(line[6]) / int(line[5]) * data.elements(row.data[0], options.scale)


def run_way(way, row, options, limit):
    names = names_of(row, options)
    commands.remove(names["out"])
    os.makedirs(names["scratch"])
    commands.settle(options)
    try:
        cost = commands.run(commands.fill(way.command, names), limit)
    finally:
        commands.remove(names["scratch"])
    if way.printed:
        cost = cost._replace(seconds=seconds_printed(cost.output, row, options))
    way.costs.append(cost)


# ---- outputs ----

def digest_of(command):
    """A digest of what a command prints."""
    digest = hashlib.blake2b()
    with subprocess.Popen(["bash", "-c", command], stdout=subprocess.PIPE) as child:
        while part := child.stdout.read(CHUNK):
            digest.update(part)
    if child.returncode != 0:
        raise commands.Failure(f"{command}: status {child.returncode}")
    return digest.hexdigest()


def check_ours(way, row, options):
    for check in row.checks:
        try:
            commands.run(commands.fill(check, names_of(row, options)))
        except commands.Failure as failure:
            raise commands.Failure(f"wrong output of {way.name}: {failure}") from failure


def check_once(way, measured, options):
    """After its first round: our output passes the row's checks, and all outputs that can be compared are the same."""
    row = measured.row
    if len(way.costs) != 1 or not way.ended():
        return
    if way in measured.ours:
        check_ours(way, row, options)
    if any(rival.content for rival in measured.rivals) and way.content:
        way.digest = digest_of(commands.fill(way.content, names_of(row, options)))
        if way.digest != measured.ours[0].digest:
            raise commands.Failure(f"{row.name}: {way.name} and {measured.ours[0].name} have different outputs")


# ---- rounds ----

def limit_of(way, measured):
    """Seconds after which a rival is stopped, or None."""
    if way in measured.ours or not measured.row.patience:
        return None
    return max(5, measured.row.patience * max(ours.seconds() for ours in measured.ours))


def run_and_check(way, measured, options):
    """A rival may fail, for example because its memory is short. Ours must not."""
    try:
        run_way(way, measured.row, options, limit_of(way, measured))
    except commands.Failure as failure:
        if way in measured.ours:
            raise
        way.error = str(failure)
    else:
        check_once(way, measured, options)
    commands.remove(names_of(measured.row, options)["out"])


def run_round(measured, options):
    for way in measured.ways():
        if way.goes_on():
            run_and_check(way, measured, options)


def measure(row, options):
    """Runs a row's rounds, fewer if time is short."""
    for name in row.data:
        data.make(name, options)
    measured = Measured(row, options)
    rounds = min(row.rounds or options.repeat, options.repeat)
    for i in range(rounds):
        before = time.monotonic()
        run_round(measured, options)
        took = time.monotonic() - before
        if time.monotonic() + took > options.deadline:
            break
    return measured
