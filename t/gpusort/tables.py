#!/usr/bin/env python3
"""Random tables: gpusort --by against a sort by Python. tables.py FOLDER SEED ROUNDS prints what is wrong. Needs pyarrow.

The order is computed from the bits of floats and from Python's own comparisons, column by column, last one first.
"""
import decimal
import io
import random
import subprocess
import sys

import pyarrow as pa
import pyarrow.ipc as ipc

WIDTHS = {pa.float16(): 16, pa.float32(): 32, pa.float64(): 64}
NUMBERS = [pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.int8(), pa.int16(), pa.int32(), pa.int64()]
TIMES = [pa.date32(), pa.date64(), pa.time32("s"), pa.time64("us"), pa.timestamp("ms"), pa.timestamp("ns", "UTC"),
         pa.duration("s")]
DECIMALS = [pa.decimal128(30, 2), pa.decimal256(60, 3)]
TEXTS = [pa.string(), pa.binary(), pa.large_string(), pa.large_binary()]
OTHERS = [pa.bool_(), pa.binary(1), pa.binary(5)]
DICTIONARIES = [pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.uint32(), pa.int64()),
                pa.dictionary(pa.int64(), pa.binary(3))]
KEYS = [*WIDTHS, *NUMBERS, *TIMES, *DECIMALS, *TEXTS, *OTHERS, *DICTIONARIES]
CARRIED = [pa.null(), pa.month_day_nano_interval()]
SPECIAL = [0, 1 << 15, 1 << 31, 1 << 63, 0x7C00, 0xFC00, 0x7E01, 0xFE02, 0x7F800000, 0xFFC00001, 0x7FF8 << 48, 0xFFF8 << 48]


def value(rng, kind, few):
    """A random value, of a few or of many."""
    if kind in WIDTHS:
        bits = rng.choice(SPECIAL) if rng.random() < 0.4 else rng.getrandbits(WIDTHS[kind])
        return bits % (1 << WIDTHS[kind])
    if kind in NUMBERS:
        low = -(1 << kind.bit_width - 1) if str(kind).startswith("int") else 0
        return rng.randint(max(low, -2), 2) if few else rng.randint(low, low + (1 << kind.bit_width) - 1)
    if kind in TIMES:
        if kind == pa.date64():
            return rng.randint(-3 if few else -9000, 3 if few else 9000) * 86400000
        return rng.randint(0, 3 if few else 80000) if str(kind).startswith("time") else rng.randint(-3, 3 if few else 30000)
    if kind in DECIMALS:
        return decimal.Decimal(rng.randint(-3, 3) if few else rng.randint(-10**25, 10**25))
    if kind in TEXTS:
        alphabet = "a\0" if few else "ab\0\x7fz"
        text = rng.choice(["", "prefix", "a long prefix of more than one word ", "seven b" * rng.choice([1, 2, 40])]) + "".join(
            rng.choice(alphabet) for _ in range(rng.randint(0, 3 if few else 20)))
        return text if "string" in str(kind) else text.encode() + bytes([rng.choice([0, 255])] * rng.randint(0, 1))
    if kind == pa.bool_():
        return rng.random() < 0.5
    if pa.types.is_fixed_size_binary(kind):
        return bytes(rng.choice([0, 128, 255]) for _ in range(kind.byte_width))
    if kind == pa.month_day_nano_interval():
        return (rng.randint(0, 5), rng.randint(0, 5), rng.randint(0, 5))
    return None


def array(rng, kind, rows):
    few = rng.random() < 0.6
    nulls = rng.choice([0, 0, 0.2, 1])
    if kind == pa.null():
        return pa.nulls(rows)
    if pa.types.is_dictionary(kind):
        words = {pa.string(): ["x", "", "a long word", None], pa.int64(): [7, -1, 1 << 40, None]}
        words = words.get(kind.value_type, [b"abc", b"\xff\0\0", b"abd", b"\0\0\0"])
        return pa.array([rng.choice(words) for _ in range(rows)], kind.value_type).dictionary_encode().cast(kind)
    values = [None if rng.random() < nulls else value(rng, kind, few) for _ in range(rows)]
    if kind in WIDTHS:
        return pa.array(values, getattr(pa, f"uint{WIDTHS[kind]}")()).view(kind)
    if kind in TIMES:
        width = pa.int32() if kind.bit_width == 32 else pa.int64()
        return pa.array(values, width).view(kind)
    return pa.array(values, kind)


def plain(column):
    """A column's values, floats and times as their bits."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    column = pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column
    if column.type in WIDTHS:
        column = column.view(getattr(pa, f"uint{WIDTHS[column.type]}")())
    elif column.type in TIMES:
        column = column.view(pa.int32() if column.type.bit_width == 32 else pa.int64())
    return column.to_pylist()


def order(kind, number):
    """A float's place in the order of values, from its bits."""
    if kind not in WIDTHS:
        return number.encode() if isinstance(number, str) else number
    width = WIDTHS[kind]
    negative, magnitude = number >> width - 1, number & (1 << width - 1) - 1
    infinity = {16: 0x7C00, 32: 0x7F800000, 64: 0x7FF << 52}[width]
    is_nan = magnitude > infinity
    return (2 + negative if is_nan else 1 - negative, -magnitude if negative else magnitude)


def sort_rows(table, keys, reverse, nulls_first):
    rows = list(range(table.num_rows))
    for name, descending in reversed(keys):
        kind, values = table.schema.field(name).type, plain(table[name])
        there = [row for row in rows if values[row] is not None]
        there.sort(key=lambda row: order(kind, values[row]), reverse=descending != reverse)
        missing = [row for row in rows if values[row] is None]
        rows = missing + there if nulls_first else there + missing
    return rows


def keep_first(table, keys, rows):
    columns = [plain(table[name]) for name, _ in keys]
    kept, before = [], None
    for row in rows:
        this = [column[row] for column in columns]
        if not kept or this != before:
            kept.append(row)
        before = this
    return kept


def random_table(rng, rows):
    kinds = [rng.choice(KEYS) for _ in range(rng.randint(1, 4))]
    arrays = [array(rng, kind, rows) for kind in kinds]
    names = [f"key{i}" for i in range(len(kinds))]
    for i in range(rng.randint(0, 4)):
        names.append(f"other{i}")
        arrays.append(array(rng, rng.choice(KEYS + CARRIED), rows))
    arrays.append(pa.array(range(rows), pa.uint64()))
    fields = [pa.field(name, each.type, metadata={"m": name}) for name, each in zip([*names, "row"], arrays)]
    fields[-1] = pa.field("row", pa.uint64(), nullable=False)
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields, metadata={"made": "by chance", "": "x"}))


def write(table, path, rng, is_file):
    options = ipc.IpcWriteOptions(compression=rng.choice([None, "zstd"]) if HAS_ZSTD else None,
                                  unify_dictionaries=is_file)
    with (ipc.new_file if is_file else ipc.new_stream)(path, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=rng.choice([1, 7, 64, 1000, 100000]) if table.num_rows < 300 else 900)


def read(data):
    reader = ipc.open_file(io.BytesIO(data)) if data.startswith(b"ARROW1") else ipc.open_stream(data)
    table = reader.read_all()
    table.validate(full=True)
    return table


def run(arguments, data=None):
    return subprocess.run(["gpusort", *arguments], input=data, capture_output=True, check=False)


def check_round(rng, folder):
    rows = rng.choice([0, 1, 2, 3, 9, 64, 65, 200, 3000])
    table = random_table(rng, rows)
    names = [name for name in table.column_names if name.startswith("key")]
    rng.shuffle(names)
    keys = [(name, rng.random() < 0.5) for name in names[: rng.randint(1, 3)]]
    reverse, first, unique = rng.random() < 0.3, rng.random() < 0.5, rng.random() < 0.3
    top = rng.choice([None, None, 0, 1, rows // 2, rows + 5])
    expected = sort_rows(table, keys, reverse, first)
    sort = ["--by=" + ",".join(name + (":desc" if down else rng.choice(["", ":asc"])) for name, down in keys),
            f"--nulls={'first' if first else 'last'}", *(["-r"] if reverse else [])]
    path, is_file = f"{folder}/in.arrow", rng.random() < 0.5
    write(table, path, rng, is_file)
    with open(path, "rb") as file:
        data = file.read()
    is_sorted = run([*sort, "--check", path]).returncode
    if is_sorted != (expected != list(range(rows))):
        return f"{sort} --check: status {is_sorted}"
    wanted = keep_first(table, keys, expected) if unique else expected
    wanted = wanted if top is None else wanted[:top]
    arguments = [*sort, *(["-u"] if unique else []), *([] if top is None else [f"--top={top}"])]
    positions = run([*arguments, "--argsort", "--to-text", path])
    if [int(line) for line in positions.stdout.split()] != wanted:
        return f"{arguments} --argsort: {positions.stderr.decode()}"
    out = f"{folder}/out.arrow"
    piped, written = rng.random() < 0.5, rng.random() < 0.5
    result = run([*arguments, *([] if piped else [path]), *(["-o", out] if written else [])], data if piped else None)
    if result.returncode != 0 or result.stderr:
        return f"{arguments}: status {result.returncode}: {result.stderr.decode()}"
    if written:
        with open(out, "rb") as file:
            result.stdout = file.read()
    made = read(result.stdout)
    if not made.schema.equals(table.schema, check_metadata=True):
        return f"{arguments}: another schema: {made.schema}"
    for name in table.column_names:
        values = plain(table[name])
        if plain(made[name]) != [values[row] for row in wanted]:
            return f"{arguments}: column {name} of type {table.schema.field(name).type} differs"
    again = run([*sort, "--check", *(["-u"] if unique else []), "-"], result.stdout)
    return "" if again.returncode == 0 else f"{arguments}: the result is not sorted: {again.stderr.decode()}"


def main():
    folder, seed, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for i in range(rounds):
        wrong = check_round(random.Random(f"{seed} {i}"), folder)
        if wrong:
            print(f"seed {seed}, round {i}: {wrong}")


HAS_ZSTD = len(sys.argv) > 4 and sys.argv[4] == "zstd"
main()
