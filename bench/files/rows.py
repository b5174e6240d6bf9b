"""The rows: what is measured, beside what, and the goal.

Commands name files and programs in braces: {in} and {in2} are the row's data, {out} is the output, {scratch} a folder
that is removed after each command, {device} one of --devices. Programs are in host.PROGRAMS."""
import math
from typing import NamedTuple

from . import data


class Rival(NamedTuple):
    name: str
    command: str
    content: str = ""  # prints the output's elements, to be compared with ours
    printed: bool = False  # bench/bench prints the time


class Row(NamedTuple):
    name: str
    title: str
    data: tuple  # names of data.DATA
    ours: str
    rivals: tuple = ()
    goals: tuple = ()  # each {rival: factor}: ours takes at most the sum of the rivals' seconds times their factors
    checks: tuple = ()  # commands that succeed if {out} is right
    content: str = "cat {out}"  # prints our output's elements
    devices: tuple = ("cuda", "cpu")
    place: str = ""  # tmpfs or disk; "": either
    room: float = 1  # free space for output and temporaries, relative to the data named first
    memory: float = 0  # GiB of free memory at --scale=1
    programs: tuple = ()
    modules: tuple = ()  # of the rivals' Python
    peak: float = 0  # goal of peak memory at --scale=1, MiB
    rounds: int = 0  # at most; 0: --repeat
    patience: float = 0  # a rival is stopped after this multiple of our time; 0: never


# ---- commands ----

RECORDS = "--format=key:bytes10,number:u64,rest:bytes82"
FILES = "{in} --output={out}"
COPY = Rival("cp", "cp {in} {out}")
COPY_OF_HALF = Rival("cp of 3/4", "cp {in2} {out}")  # moves as many bytes as reading all and writing half
CAT = Rival("cat | cat", "cat {in} | cat > {out}")


def sort(kind, more=""):
    return f"{{gpusort}} --device={{device}} --type={kind} {more}{FILES}"


def sort_records(more=""):
    return f"{{gpusort}} --device={{device}} {RECORDS} --key=key {more}{FILES}"


def scan(kind):
    return f"{{gpuscan}} --device={{device}} --type={kind} {FILES}"


def half(kind):
    return f"{{gpucompact}} --device={{device}} --type={kind} --where='x & 8' {FILES}"


def piped(command):
    return "cat {in} | " + command.replace(FILES, "> {out}")


# ---- checks ----

def has_the_same(options):
    """Input and output have equal sums and equal exclusive ors."""
    for op in ("sum", "xor"):
        reduce = f"{{gpuscan}} --device=cpu {options} --reduce --op={op}"
        yield f'[ "$({reduce} {{in}})" = "$({reduce} {{out}})" ]'


def is_sorted(kind):
    return (f"{{gpusort}} --device=cpu --check --type={kind} {{out}}", *has_the_same(f"--type={kind}"))


def records_are_sorted():
    return (f"{{gpusort}} --device=cpu --check {RECORDS} --key=key {{out}}",
            *has_the_same(f"{RECORDS} --value=number"))


def is_scanned(kind):
    return (f"{{python3}} {{checks}} scanned {kind} {{in}} {{out}}",)


def is_half(kind):
    count = f"{{gpucompact}} --device=cpu --type={kind} --where='x & 8' --count {{in}}"
    return (f"{{python3}} {{checks}} half {kind} {{in}} {{out}} $({count})",)


# ---- rows ----

def gpu_rows(scale):
    """A host with a GPU. Files are in tmpfs, in the last two rows on its disk."""
    in_tmpfs = {"place": "tmpfs"}
    yield Row("gpu-sort", "sort 8 GiB of u32", ("u32",), sort("u32"), (COPY,), ({"cp": 0.65},), is_sorted("u32"),
              **in_tmpfs)
    yield Row("gpu-scan", "scan 8 GiB of u32", ("u32",), scan("u32"), (COPY,), ({"cp": 0.9},), is_scanned("u32"),
              **in_tmpfs)
    yield Row("gpu-half", "keep half of 8 GiB of u32", ("u32", "u32-6g"), half("u32"), (COPY_OF_HALF,),
              ({"cp of 3/4": 0.9},), is_half("u32"), **in_tmpfs)
    yield Row("gpu-rle", "encode 8 GiB of distinct u32", ("u32",),
              f"{{gpurle}} --device={{device}} --type=u32 {FILES}", (COPY,), ({"cp": 1.2},),
              ("{gpurle} --device=cpu --decode {out} | cmp - {in}",), room=1.6, **in_tmpfs)
    yield Row("gpu-sort-pipe", "sort 8 GiB of u32 in a pipe", ("u32",), piped(sort("u32")), (CAT,),
              ({"cat | cat": 1.3},), is_sorted("u32"), **in_tmpfs)
    yield Row("gpu-scan-pipe", "scan 8 GiB of u32 in a pipe", ("u32",), piped(scan("u32")), (CAT,),
              ({"cat | cat": 1.1},), is_scanned("u32"), **in_tmpfs)
    yield Row("gpu-half-pipe", "keep half of 8 GiB of u32 in a pipe", ("u32",), piped(half("u32")), (CAT,),
              ({"cat | cat": 1.1},), is_half("u32"), **in_tmpfs)
    yield Row("gpu-records", "sort 80 million records of 100 bytes", ("records",), sort_records(), (COPY,),
              ({"cp": 1.1},), records_are_sorted(), **in_tmpfs)
    yield Row("gpu-sort-disk", "sort 8 GiB of u32", ("u32",), sort("u32"), (COPY,), ({"cp": 0.95},), is_sorted("u32"),
              place="disk")
    limited = f"--buffer-size={max(128, int(4096 * scale))}M --temporary-directory={{directory}} "
    two_passes = Rival("dd, two passes", "dd if={in} of={scratch}/pass bs=16M status=none && "
                       "dd if={scratch}/pass of={out} bs=16M status=none")
    yield Row("gpu-records-disk", "sort 16 GB of records in 4 GiB", ("records-16g",), sort_records(limited),
              (two_passes,), ({two_passes.name: 0.8},), records_are_sorted(), place="disk", room=2)


def sort_alone(scale):
    """The sort primitive by itself, on the power of two nearest to the row's size."""
    log2 = round(math.log2(data.elements("u64", scale)))
    return Rival("sort alone", "{bench} --device=cpu --primitive=sort --type=u64 --variant=auto --alone --repeats=1 "
                 f"--min-log2={log2} --max-log2={log2} --csv=/dev/stdout", printed=True)


def cpu_rows(scale):
    """Two processors, 1 GiB in tmpfs, then on a disk beside numpy."""
    in_tmpfs = {"place": "tmpfs", "devices": ("cpu",)}
    yield Row("cpu-sort", "sort 1 GiB of u64", ("u64",), sort("u64"), (COPY, sort_alone(scale)),
              ({"cp": 1, "sort alone": 0.75},), is_sorted("u64"), memory=4, programs=("bench",), **in_tmpfs)
    yield Row("cpu-scan", "scan 1 GiB of u64", ("u64",), scan("u64"), (COPY,), ({"cp": 1.1},), is_scanned("u64"),
              **in_tmpfs)
    yield Row("cpu-half", "keep half of 1 GiB of u64", ("u64", "u64-768m"), half("u64"), (COPY_OF_HALF,),
              ({"cp of 3/4": 1.1},), is_half("u64"), **in_tmpfs)
    for work, ours, checks in (("sort", sort("u64"), is_sorted("u64")), ("scan", scan("u64"), is_scanned("u64")),
                               ("half", half("u64"), is_half("u64"))):
        numpy = Rival("numpy", f"{{python}} {{rivals}} {work} {{in}} {{out}}", content="cat {out}")
        yield Row(f"disk-{work}", {"half": "keep half of"}.get(work, work) + " 1 GiB of u64", ("u64",), ours, (numpy,),
                  ({"numpy": 1},), checks, place="disk", devices=("cpu",), memory=4, modules=("numpy",))


def external_rows(scale):
    """More than the memory that --buffer-size allows. The limit is scaled like the data."""
    mebibytes = max(32, int(1024 * scale))
    limits = {"place": "disk", "devices": ("cpu",), "peak": 1.1 * 1024}
    limited = f"--buffer-size={mebibytes}M --temporary-directory={{directory}} "
    yield Row("external-u64", "sort 8 GiB of u64 in 1 GiB", ("u64-8g",), sort("u64", limited),
              (Rival("in memory", sort("u64"), content="cat {out}"),), ({"in memory": 2.5},), is_sorted("u64"), room=2,
              memory=17, **limits)
    database = f"{{python}} {{rivals}} %s {{in2}} {{out}} {{scratch}} {max(250, int(1000 * scale))}"
    raw = "{python} {rivals} to-raw {out}"
    yield Row("external-f64", "sort 10^9 f64 in 1 GiB", ("f64", "f64-parquet"), sort("f64", limited),
              (Rival("DuckDB", database % "duckdb", content=raw), Rival("Polars", database % "polars", content=raw)),
              ({"DuckDB": 1 / 3}, {"Polars": 1 / 3}), is_sorted("f64")[:1], room=3, memory=4, rounds=3, patience=4,
              modules=("duckdb", "polars", "numpy"), **limits)
    text = f"LC_ALL=C sort -n --parallel=2 -S {mebibytes}M -T {{scratch}} {{in2}} -o {{out}}"
    yield Row("external-text", "sort 10^9 f64 in 1 GiB", ("f64", "f64-text"), sort("f64", limited),
              (Rival("sort -n", text),), ({"sort -n": 1 / 3},), is_sorted("f64")[:1], room=4, rounds=1, patience=4,
              programs=("sort",), modules=("duckdb", "numpy"), **limits)
    yield Row("external-pipe", "make, sort and check 30 GiB of u64", (),
              f"{{gendata}} uniform u64 {int(30 * data.GIB / 8 * scale)} | "
              "{gpusort} --device=cpu --type=u64 --temporary-directory={directory} | "
              "{gpusort} --device=cpu --type=u64 --check", place="disk", devices=("cpu",), room=30.5 * data.GIB * scale,
              rounds=1)


def gzip_rows(threads):
    ours = "--device=cpu --type=u64"
    pigz = Rival("pigz | gpusort | pigz", f"pigz -dc -p {threads} {{in}} | {{gpusort}} {ours} | "
                 f"pigz -1 -p {threads} > {{out}}", content="gzip -dc {out}")
    yield Row("gzip-sort", "sort 1 GiB of time stamps, gzip to gzip", ("stamps-gz",),
              f"{{gpusort}} {ours} --gzip=1 {FILES}", (pigz,), ({pigz.name: 1 / 3},),
              (f"{{gpusort}} --check {ours} {{out}}", "gzip -t {out}"), content="gzip -dc {out}", devices=("cpu",),
              place="tmpfs", programs=("pigz", "gzip"), memory=4)
    igzip = Rival("igzip, one thread", "igzip -1 -T 1 -c {in} > {out}")
    yield Row("gzip-write", "write 1 GiB of time stamps as gzip", ("stamps",),
              f"{{gpucompact}} {ours} --where=1 --gzip=1 {FILES}", (igzip,), ({igzip.name: 1 / (0.8 * threads)},),
              ("gzip -dc {out} | cmp - {in}",), devices=("cpu",), place="tmpfs", programs=("igzip", "gzip"))


def all_rows(options):
    scale = options.scale
    return [*gpu_rows(scale), *cpu_rows(scale), *external_rows(scale), *gzip_rows(options.threads)]
