#!/usr/bin/env python3
"""What a sort over many nodes takes: python3 model.py [--curve] [FOLDER]

Reads clusters.csv and measured.csv beside it. Prints a table of the clusters, with what binds each, as Markdown;
with --curve, lines for model.gp: nodes, and the rate of the whole cluster in GB/s, today's and overlapped.

A node with b bytes of the data works in phases, one after the other:

    read      b / read rate
    sort      b / min(cores x rate of a core, memory rate / SORT_PASSES)
    cuts      CUT_ROUNDS gathers of log2(nodes) x LATENCY, and as many bytes as the samples have
    exchange  b x (1 - 1 / nodes) / network rate, and MESSAGE for each other node
    merge     b / min(cores x rate of a core, memory rate / MERGE_PASSES)
    write     b / write rate

Data that do not fit into the memories go through a job array: sorted parts are written and read once more instead of
exchanged. "Overlapped" is the least that these resources allow: disks, network and processors all work at all times."""

import csv
import math
import os
import sys

TOTAL = 100e12  # bytes: the sort benchmark's 100 TB
RECORD = 100  # bytes, of which 10 are the key
ROOM = (3 * RECORD + 40) / RECORD  # memory of a rank over its data: two copies, one more to merge, positions
SORT_PASSES = 6  # a sort of records by position: read keys, sort them in two passes, gather the records
MERGE_PASSES = 2
LATENCY = 5e-6  # seconds of a message
MESSAGE = 20e-6  # seconds of a processor for each message of an exchange
CUT_ROUNDS = 6
SAMPLE = 64 * 16  # bytes that a node gathers in such a round


def rows(name):
    path = os.path.join(FOLDER, name)
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def number(row, name):
    return float(row[name]) * (1e9 if name.endswith("rate") or name == "memory" else 1)


class Node:
    """What a node can do, in bytes a second."""

    def __init__(self, row, core):
        self.memory = number(row, "memory")
        self.read, self.write = number(row, "read_rate"), number(row, "write_rate")
        self.network = number(row, "network_rate")
        self.remote = row["storage"] == "network"
        memory_rate, cores = number(row, "memory_rate"), number(row, "cores")
        self.sort = min(cores * core["sort"], memory_rate / SORT_PASSES)
        self.merge = min(cores * core["merge"], memory_rate / MERGE_PASSES)


def phases(node, nodes, total):
    """Seconds of each phase, and the method."""
    part = total / nodes
    if part * ROOM > node.memory:
        return "job array", {
            "read": 2 * part / node.read,
            "sort": part / node.sort,
            "exchange": 0.0,
            "merge": part / node.merge,
            "write": 2 * part / node.write,
        }
    cuts = CUT_ROUNDS * (math.log2(max(nodes, 2)) * LATENCY + nodes * SAMPLE / node.network)
    exchange = part * (1 - 1 / nodes) / node.network + nodes * MESSAGE
    return "ranks", {
        "read": part / node.read,
        "sort": part / node.sort,
        "exchange": cuts + exchange,
        "merge": part / node.merge,
        "write": part / node.write,
    }


def resources(node, seconds):
    """Seconds that each resource is needed."""
    storage = seconds["read"] + seconds["write"]
    return {
        "storage": 0.0 if node.remote else storage,
        "network": seconds["exchange"] + (storage if node.remote else 0.0),
        "processors": seconds["sort"] + seconds["merge"],
    }


def predict(row, core, nodes, total=TOTAL):
    node = Node(row, core)
    method, seconds = phases(node, nodes, total)
    needed = resources(node, seconds)
    binds = max(needed, key=needed.get)
    return method, seconds, sum(seconds.values()), needed[binds], binds


def core_rates():
    return {row["phase"]: float(row["bytes_a_second"]) for row in rows("measured.csv") if row["phase"] != "ranks"}


def short(seconds):
    return f"{seconds:.0f}" if seconds >= 100 else f"{seconds:.3g}"


def print_table(core):
    print("| cluster | nodes | method | read | sort | exchange | merge | write | all | overlapped | binds | record |")
    print("| --- " * 12 + "|")
    for row in rows("clusters.csv"):
        nodes = int(row["nodes"])
        method, seconds, total, least, binds = predict(row, core, nodes)
        each = " | ".join(short(seconds[phase]) for phase in ("read", "sort", "exchange", "merge", "write"))
        record = row["record_seconds"] or "-"
        print(f"| {row['name']} | {nodes} | {method} | {each} | {short(total)} | {short(least)} | {binds} | {record} |")


def print_curve(core):
    """Nodes like the third line's, with a tenth of a terabyte each."""
    row = rows("clusters.csv")[2]
    for step in range(0, 41):
        nodes = max(1, round(10 ** (step / 10)))
        total = nodes * 0.1e12
        _, _, seconds, least, _ = predict(row, core, nodes, total)
        print(f"model,{nodes},{total / seconds / 1e9:.6g},{total / least / 1e9:.6g},")
    for row in rows("clusters.csv"):
        if row["record_seconds"]:
            print(f"record,{row['nodes']},{TOTAL / float(row['record_seconds']) / 1e9:.6g},,{row['name']}")
    for row in rows("measured.csv"):
        if row["phase"] == "ranks":
            print(f"measured,{row['ranks']},{float(row['bytes_a_second']) / 1e9:.6g},,")


ARGUMENTS = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
FOLDER = ARGUMENTS[0] if ARGUMENTS else os.path.dirname(os.path.abspath(__file__))

if __name__ == "__main__":
    (print_curve if "--curve" in sys.argv else print_table)(core_rates())
