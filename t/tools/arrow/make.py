#!/usr/bin/env python3
"""Makes the Arrow files of t/tools/arrow.t and t/gpusort/table.t: python3 make.py FOLDER. Needs pyarrow."""
import decimal
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


def write(path, new, parts, schema=None, codec=None, deltas=False):
    with new(path, schema or parts[0].schema, options=ipc.IpcWriteOptions(compression=codec, emit_dictionary_deltas=deltas)) as writer:
        for part in parts:
            writer.write_batch(part)


def encode(indices, kind, words):
    return pa.DictionaryArray.from_arrays(pa.array(indices, kind), pa.array(words))


def table(rows):
    """Rows of a table for gpusort --by, with nulls; the tests compute the same values."""
    values = [value(row) for row in rows]
    columns = {
        "row": pa.array(rows, pa.uint32()),
        "few": pa.array([None if v % 7 == 3 else v % 5 - 2 for v in values], pa.int32()),
        "float": pa.array([v / 4 - 10 for v in values], pa.float64()),
        "text": pa.array([None if v % 9 == 4 else "prefix " * (v % 3) + str(v % 8) for v in values], pa.string()),
        "large": pa.array(["x" * (v % 4) for v in values], pa.large_string()),
        "truth": pa.array([None if v % 6 == 5 else v % 2 == 1 for v in values], pa.bool_()),
        "word": encode([v % 3 for v in values], pa.int8(), ["u", "v", "w"]),
        "when": pa.array(values, pa.int64()).cast(pa.timestamp("us", "UTC")),
        "code": pa.array([bytes([v % 3, v % 2, 7]) for v in values], pa.binary(3)),
        "money": pa.array([decimal.Decimal(v - 50) for v in values], pa.decimal128(12, 2)),
        "nothing": pa.nulls(len(values)),
    }
    fields = [pa.field(name, part.type, name != "row", {"about": name}) for name, part in columns.items()]
    return pa.record_batch(list(columns.values()), schema=pa.schema(fields, {"made": "by make.py"}))


def small_batch(numbers, texts, indices, words=("u", "v")):
    columns = {"a": pa.array(numbers, pa.int32()), "b": pa.array(texts), "c": encode(indices, pa.int32(), words)}
    return pa.record_batch(columns)


def tables(folder):
    first, parts = 0, []
    for rows in BATCHES:
        parts.append(table(list(range(first, first + rows))))
        first += rows
    write(f"{folder}/table.arrow", ipc.new_file, parts)
    write(f"{folder}/table.arrows", ipc.new_stream, parts)
    write(f"{folder}/table-zstd.arrow", ipc.new_file, parts, codec="zstd")
    small = [small_batch([3, None, 2], ["three", "one", None], [0, 1, 0]), small_batch([1, 0], ["four", "five"], [1, 0])]
    write(f"{folder}/small.arrow", ipc.new_file, small)
    write(f"{folder}/small.arrows", ipc.new_stream, small)
    long = pa.record_batch({"a": pa.array(range(40, 0, -1), pa.int32()), "b": pa.array(["same text " * 9] * 40)})
    write(f"{folder}/small-zstd.arrows", ipc.new_stream, [long], codec="zstd")
    other = small_batch([5], ["six"], [1], ["v", "w"])
    write(f"{folder}/replaced.arrows", ipc.new_stream, [small[0], other])
    write(f"{folder}/other.arrow", ipc.new_file, [other])
    grown = [small_batch([1, 2], ["x", "y"], [1, 0], ["a", "c"]), small_batch([0, 4, 5], ["z", "", ""], [2, 1, 0], ["a", "c", "d"])]
    write(f"{folder}/delta.arrows", ipc.new_stream, grown, deltas=True)
    write(f"{folder}/holes.arrow", ipc.new_file, [small_batch([1, 2], ["x", "y"], [1, 0], ["a", None])])
    view = pa.record_batch({"a": pa.array([1]), "b": pa.array(["x"], pa.string_view())})
    write(f"{folder}/view.arrow", ipc.new_file, [view])


folder = sys.argv[1]
tables(folder)
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
