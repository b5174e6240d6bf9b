#!/usr/bin/env python3
"""Makes the Arrow files of t/tools/arrow.t, in the folder that is given: python3 make.py FOLDER. Needs pyarrow."""
import sys

import pyarrow as pa
import pyarrow.ipc as ipc

BATCHES = (5, 0, 20, 3)
NUMBERS = [pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.int8(), pa.int16(), pa.int32(), pa.int64(),
           pa.float16(), pa.float32(), pa.float64()]
TIMES = [pa.date32(), pa.time32("s"), pa.time64("us"), pa.timestamp("us"), pa.timestamp("ns", "UTC"), pa.duration("ms")]
OTHERS = [pa.string(), pa.list_(pa.int8()), pa.bool_(), pa.struct([("a", pa.int32()), ("b", pa.string())])]
DAY = 86400000


def value(row):
    return row * 37 % 101


def column(kind, rows):
    values = [value(row) for row in rows]
    if kind in NUMBERS:
        return pa.array([float(v) if str(kind).endswith("float") else v for v in values]).cast(kind)
    if kind in TIMES:
        return pa.array(values, pa.int32() if kind.bit_width == 32 else pa.int64()).cast(kind)
    if kind == pa.date64():
        return pa.array([DAY * v for v in values], pa.int64()).cast(kind)
    made = {pa.string(): str, pa.bool_(): lambda v: v % 2 == 1, OTHERS[1]: lambda v: [1] * (v % 3)}
    return pa.array([made.get(kind, lambda v: {"a": v, "b": str(v)})(v) for v in values], kind)


def batches(kinds):
    schema = pa.schema([(str(kind), kind) for kind in kinds] + [("nulls", pa.int32())])
    first = 0
    for rows in BATCHES:
        part = range(first, first + rows)
        nulls = pa.array([None if row == 26 else row for row in part], pa.int32())
        yield pa.record_batch([column(kind, part) for kind in kinds] + [nulls], schema=schema)
        first += rows


def write(path, new, parts, schema=None, codec=None):
    with new(path, schema or parts[0].schema, options=ipc.IpcWriteOptions(compression=codec)) as writer:
        for part in parts:
            writer.write_batch(part)


folder = sys.argv[1]
parts = list(batches(OTHERS + NUMBERS + TIMES + [pa.date64()]))
write(f"{folder}/types.arrow", ipc.new_file, parts)
write(f"{folder}/types.arrows", ipc.new_stream, parts)
write(f"{folder}/zstd.arrow", ipc.new_file, parts, codec="zstd")
write(f"{folder}/lz4.arrow", ipc.new_file, parts, codec="lz4")
write(f"{folder}/none.arrow", ipc.new_file, [], parts[0].schema)
one = [pa.record_batch({"a": pa.array([30, 10, 20], pa.uint32())}), pa.record_batch({"a": pa.array([5], pa.uint32())})]
write(f"{folder}/one.arrow", ipc.new_file, one)
write(f"{folder}/one.arrows", ipc.new_stream, one)
long = [pa.record_batch({"a": pa.array([row * 1103515245 % 65536 // 4096 for row in range(9000)], pa.uint64())})]
write(f"{folder}/long.arrows", ipc.new_stream, long, codec="zstd")
words = pa.record_batch({"word": pa.array(["x", "y", "x"]).dictionary_encode(), "a": pa.array([1, 2, 3], pa.int8())})
write(f"{folder}/dictionary.arrow", ipc.new_file, [words])
same = pa.record_batch([pa.array([1]), pa.array([2])], names=["a", "a"])
write(f"{folder}/same.arrow", ipc.new_file, [same])
