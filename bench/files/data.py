"""The files that rows read, made by bench/gendata or from another file."""
import os
import subprocess
from typing import NamedTuple

from . import commands


class Data(NamedTuple):
    shape: str  # of gendata
    type: str
    count: int  # elements at --scale=1
    source: str = ""  # another file that it is made from, by `command`
    command: str = ""
    growth: float = 1  # bytes relative to the raw elements


GIB = 1 << 30
BYTES = {"u32": 4, "u64": 8, "f64": 8, "bytes100": 100}

DATA = {
    "u32": Data("uniform", "u32", 8 * GIB // 4),
    "u32-6g": Data("uniform", "u32", 6 * GIB // 4),
    "u64": Data("uniform", "u64", GIB // 8),
    "u64-768m": Data("uniform", "u64", GIB // 8 * 3 // 4),
    "u64-8g": Data("uniform", "u64", GIB),
    "records": Data("records", "bytes100", 80_000_000),
    "records-16g": Data("records", "bytes100", 160_000_000),
    "f64": Data("uniform", "f64", 10**9),
    "f64-parquet": Data("uniform", "f64", 10**9, "f64", "{python} {rivals} to-parquet {source} {out}"),
    "f64-text": Data("uniform", "f64", 10**9, "f64", "{python} {rivals} to-text {source} {out}", growth=2.5),
    "stamps": Data("timestamps", "u64", GIB // 8),
    "stamps-gz": Data("timestamps", "u64", GIB // 8, "stamps",
                      "{gpucompact} --device=cpu --type=u64 --where=1 --gzip=1 {source} --output={out}"),
}


def elements(name, scale):
    return max(1, int(DATA[name].count * scale))


def expected_bytes(name, scale):
    return int(elements(name, scale) * BYTES[DATA[name].type] * DATA[name].growth)


def with_sources(names):
    return {*names, *(DATA[name].source for name in names if DATA[name].source)}


def path_of(name, options):
    """The number of elements is part of the name: files of another scale are other files."""
    return os.path.join(options.directory, f"{name}.{elements(name, options.scale)}")


def missing_bytes(names, options):
    """The bytes that make() would write."""
    missing = [name for name in with_sources(names) if not os.path.exists(path_of(name, options))]
    return sum(expected_bytes(name, options.scale) for name in missing)


def generate(path, data, count, options):
    """Each processor generates a part of the file, with its own seed."""
    parts = min(options.threads, count)
    ends = [count * i // parts for i in range(parts + 1)]
    children = []
    for seed, (first, end) in enumerate(zip(ends, ends[1:]), 1):
        with open(path, "r+b" if children else "wb") as file:
            file.seek(first * BYTES[data.type])
            command = [options.programs["gendata"], data.shape, data.type, str(end - first), f"--seed={seed}"]
            children.append(subprocess.Popen(command, stdout=file))
    if any([child.wait() for child in children]):
        raise commands.Failure("gendata failed")


def make(name, options):
    """Returns the file's path. An incomplete file has another name."""
    path, data = path_of(name, options), DATA[name]
    if os.path.exists(path):
        return path
    part = path + ".part"
    if data.source:
        names = {**options.programs, "source": make(data.source, options), "out": part}
        commands.run(commands.fill(data.command, names))
    else:
        generate(part, data, elements(name, options.scale), options)
    os.rename(part, path)
    return path


def remove_unneeded(needed, options):
    """Removes the files that no row to come reads."""
    for name in DATA.keys() - with_sources(needed):
        commands.remove(path_of(name, options))
