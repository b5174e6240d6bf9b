"""Arrow: columns are read where they lie, nulls are refused or sorted, and each structure is released once."""

import ctypes
import gc
import unittest
import warnings

import numpy as np
import scankit
from oracle import data, same_bits
from scankit import _arrays, _arrow_abi, _arrow_export

try:
    import pyarrow
    import pyarrow.compute
except ImportError:
    pyarrow = None
try:
    import polars
except ImportError:
    polars = None
try:
    import duckdb
except ImportError:
    duckdb = None


class Producer:
    """Arrays of Arrow over arrays of NumPy; counts what it gave away and what was released."""

    def __init__(self, *chunks, text=None, offset=0, valid=None, nulls=-1, device=1, fails=False):
        self.chunks, self.offset, self.valid, self.nulls, self.device = chunks, offset, valid, nulls, device
        self.text = text or _arrow_export.format_of(chunks[0].dtype)
        self.given = self.released = self.at = 0
        self.fails, self.kept = fails, []
        self.releases = {kind: self.release_of(kind) for kind in (_arrow_abi.Schema, _arrow_abi.Array)}

    def release_of(self, kind):
        def release(address):
            kind.from_address(address).release = None
            self.released += 1

        return _arrow_abi.RELEASE(release)

    def give(self, structure):
        structure.release = ctypes.cast(self.releases[type(structure)], ctypes.c_void_p)
        self.kept.append(structure)
        self.given += 1
        return structure

    def schema(self):
        return self.give(_arrow_abi.Schema(format=self.text))

    def array(self, values):
        buffers = (ctypes.c_void_p * 2)(None if self.valid is None else self.valid.ctypes.data, values.ctypes.data)
        self.kept.append(buffers)
        size = len(values) - self.offset
        array = _arrow_abi.Array(length=size, offset=self.offset, n_buffers=2, null_count=self.nulls)
        array.buffers = ctypes.cast(buffers, ctypes.POINTER(ctypes.c_void_p))
        return self.give(array)


def capsule(structure, name, destructor):
    return _arrow_export._new_capsule(ctypes.addressof(structure), name, ctypes.cast(destructor, ctypes.c_void_p))


class OneArray(Producer):
    def __arrow_c_array__(self, requested_schema=None):
        schema = capsule(self.schema(), b"arrow_schema", _arrow_export._destroy_schema)
        return schema, capsule(self.array(self.chunks[0]), b"arrow_array", _arrow_export._destroy_array)


class OnDevice(Producer):
    def __arrow_c_device_array__(self, requested_schema=None, **options):
        self.kept.append(_arrow_abi.DeviceArray(array=self.array(self.chunks[0]), device_type=self.device))
        schema = capsule(self.schema(), b"arrow_schema", _arrow_export._destroy_schema)
        return schema, capsule(self.kept[-2], b"arrow_device_array", None)


class Chunked(Producer):
    def __arrow_c_stream__(self, requested_schema=None):
        kinds = dict(_arrow_abi.Stream._fields_)
        self.at = 0
        schema = kinds["get_schema"](lambda _, to: self.move(self.schema(), to))
        chunk = kinds["get_next"](lambda _, to: self.next(to))
        self.kept.append(_arrow_abi.Stream(schema, chunk, kinds["get_last_error"](lambda _: None)))
        return capsule(self.kept[-1], b"arrow_array_stream", None)

    def move(self, structure, to):
        ctypes.memmove(to, ctypes.addressof(structure), ctypes.sizeof(structure))
        return 0

    def next(self, to):
        if self.fails:
            return 5
        self.at += 1
        # At the end the structure stays zero, which is released.
        return self.move(self.array(self.chunks[self.at - 1]), to) if self.at <= len(self.chunks) else 0


class Inputs(unittest.TestCase):
    def test_no_copy_is_made(self):
        a = data("u4", 100)
        for producer in (OneArray(a), OnDevice(a), Chunked(a), Chunked(a[:0], a)):
            self.assertEqual(_arrays.view_of(producer).pointer, a.ctypes.data)
        self.assertEqual(_arrays.view_of(OneArray(a, offset=7)).pointer, a.ctypes.data + 28)

    def test_every_type(self):
        for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "S3"):
            a = data("u1", 999).view(dtype) if dtype == "S3" else data("u1", 800).view(dtype)
            for producer in (OneArray(a), OneArray(a, offset=3), Chunked(a[:3], a[3:])):
                with self.subTest(dtype=dtype):
                    expected = scankit.sort(a[producer.offset :])
                    self.assertTrue(same_bits(scankit.sort(producer), expected))
        stamps = np.array([3, -1, 2], "i8")
        self.assertEqual(scankit.sort(OneArray(stamps, text=b"tsn:UTC")).tolist(), [-1, 2, 3])

    def test_bools_are_unpacked(self):
        packed = np.array([0b01001101, 0b10], "u1")
        found = _arrays.view_of(OneArray(packed, text=b"b", offset=0)).size
        self.assertEqual(found, 2)
        self.assertEqual(scankit.sort(OneArray(packed, text=b"b")).tolist(), [False, True])

    def test_every_function_takes_them(self):
        a = data("u4", 100)
        self.assertTrue(same_bits(scankit.cumsum(OneArray(a)), scankit.cumsum(a)))
        self.assertTrue(same_bits(scankit.compact(Chunked(a), "x > 9"), scankit.compact(a, "x > 9")))
        self.assertTrue(same_bits(scankit.argsort(OneArray(a)), scankit.argsort(a)))
        with self.assertRaisesRegex(ValueError, "read-only"):
            scankit.sort(a, out=OneArray(a.copy()))

    def test_nulls(self):
        a, some, all_there = np.arange(20, dtype="u4"), np.array([255, 127, 255], "u1"), np.full(3, 255, "u1")
        self.assertEqual(scankit.sort(OneArray(a, valid=all_there)).size, 20)
        self.assertEqual(scankit.sort(OneArray(a, valid=some, nulls=0)).size, 20)
        self.assertEqual(scankit.sort(OneArray(a, valid=some, offset=16)).size, 4)
        for producer in (OneArray(a, valid=some), Chunked(a, a[:4], valid=some), OneArray(a, valid=some, offset=15)):
            with self.assertRaisesRegex(ValueError, "1 nulls"):
                scankit.sort(producer)

    def test_refusals(self):
        a = data("u1", 16)
        for bad, error, text in (
            (OneArray(a, text=b"u"), TypeError, "no fixed width"),
            (OneArray(a, text=b"+s"), TypeError, "nested"),
            (OnDevice(a, device=10), TypeError, "device type 10"),
            (OnDevice(a, device=2), ValueError, "two devices: cuda:0 and cpu"),
            (OnDevice(a, device=2, valid=a), ValueError, "nulls on a GPU"),
            (Chunked(a, fails=True), ValueError, "error 5"),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                scankit.argsort(bad, out=np.empty(16, "i8"))
        with self.assertRaisesRegex(TypeError, "is no table"):
            scankit.argsort_table(OneArray(a), "a")


class Releases(unittest.TestCase):
    def test_each_structure_is_released_once(self):
        a = data("u4", 50)
        failing = Chunked(a, fails=True), OneArray(a, text=b"u")
        for producer in (OneArray(a), Chunked(a), Chunked(a[:9], a[9:]), *failing):
            for _ in range(1000):
                try:
                    scankit.sort(producer)
                except (TypeError, ValueError):
                    pass
            gc.collect()
            self.assertGreaterEqual(producer.given, 1000)
            self.assertEqual(producer.released, producer.given)

    def test_memory_is_kept_while_it_is_used(self):
        producer = OneArray(data("u4", 50))
        view = _arrays.view_of(producer)
        gc.collect()
        self.assertEqual(producer.released, 0)
        del view
        gc.collect()
        self.assertEqual(producer.released, 2)

    def test_exports_that_nobody_reads(self):
        given = scankit.to_arrow(data("f8", 50))
        before = len(_arrow_export._kept)
        for _ in range(1000):
            given.__arrow_c_array__()
            given.__arrow_c_schema__()
        self.assertEqual(len(_arrow_export._kept), before)
        self.assertTrue(same_bits(scankit.sort(given), np.sort(given.values)))
        self.assertEqual(len(_arrow_export._kept), before)

    def test_types_that_cannot_be_exported(self):
        for dtype in ("?", ">u4", "M8[s]", "c16"):
            with self.assertRaisesRegex(TypeError, "no Arrow type"):
                scankit.to_arrow(np.zeros(3, dtype))


@unittest.skipIf(pyarrow is None, "pyarrow is not installed")
class Pyarrow(unittest.TestCase):
    def test_both_ways_without_a_copy(self):
        a = data("u4", 1000)
        given = pyarrow.array(a)
        self.assertEqual(_arrays.view_of(given[5:]).pointer, given.buffers()[1].address + 20)
        self.assertEqual(_arrays.view_of(pyarrow.chunked_array([given])).pointer, given.buffers()[1].address)
        found = scankit.sort(given)
        back = pyarrow.array(scankit.to_arrow(found))
        self.assertEqual(back.buffers()[1].address, found.ctypes.data)
        self.assertTrue(back.equals(pyarrow.array(np.sort(a))))

    def test_exports_are_released(self):
        before = len(_arrow_export._kept)
        for _ in range(1000):
            pyarrow.array(scankit.to_arrow(np.arange(10)))
        gc.collect()
        self.assertEqual(len(_arrow_export._kept), before)

    def table(self, rows=2000):
        random = np.random.default_rng(5)
        a, b = random.integers(0, 9, rows), random.integers(-4, 4, rows).astype("i2")
        columns = {
            "a": pyarrow.array(a, mask=random.random(rows) < 0.2),
            "b": pyarrow.chunked_array([b[:700], b[700:]]),
            "c": pyarrow.array(random.random(rows) < 0.5, mask=random.random(rows) < 0.1),
            "d": pyarrow.array(a, pyarrow.timestamp("s")),
            "row": pyarrow.array(np.arange(rows)),
            "text": pyarrow.array([str(k) for k in range(rows)]),
        }
        return pyarrow.table(columns)

    def test_sorted_tables(self):
        table = self.table()
        for rows in (table, table.slice(13, 1200), table.slice(0, 0)):
            for by in (["a"], [("b", "descending"), "a"], ["c", ("d", "descending"), "b"]):
                for nulls in ("first", "last"):
                    order = [(key, "ascending") if isinstance(key, str) else key for key in by]
                    order.append(("row", "ascending"))
                    place = {"first": "at_start", "last": "at_end"}[nulls]
                    with warnings.catch_warnings():
                        # pyarrow 25 wishes the placement in each key, which older ones do not take.
                        warnings.simplefilter("ignore", FutureWarning)
                        expected = pyarrow.compute.sort_indices(rows, order, null_placement=place)
                    with self.subTest(by=by, nulls=nulls, rows=len(rows)):
                        self.assertEqual(scankit.argsort_table(rows, by, nulls=nulls).tolist(), expected.to_pylist())
                        self.assertTrue(scankit.sort_table(rows, by, nulls=nulls).equals(rows.take(expected)))

    def test_record_batches(self):
        batch = self.table().combine_chunks().to_batches()[0].slice(9, 500)
        expected = scankit.sort_table(pyarrow.table(batch), "b")
        self.assertTrue(scankit.sort_table(batch, "b").equals(expected))

    def test_refusals(self):
        for by, error, text in (
            ("text", TypeError, "no fixed width"),
            ("e", ValueError, "no column 'e'"),
            ([("a", "up")], ValueError, "'up' is neither"),
            ([], scankit.ArgumentError, ""),
        ):
            with self.subTest(by=by), self.assertRaisesRegex(error, text):
                scankit.argsort_table(self.table(9), by)
        with self.assertRaisesRegex(ValueError, "neither 'first'"):
            scankit.argsort_table(self.table(9), "a", nulls="at_end")

    @unittest.skipIf(polars is None, "polars is not installed")
    def test_polars(self):
        frame = polars.DataFrame(self.table())
        found = scankit.sort_table(frame, ["a", ("b", "descending")])
        expected = frame.sort(["a", "b"], descending=[False, True], nulls_last=True, maintain_order=True)
        self.assertTrue(found.equals(expected))
        self.assertTrue(same_bits(scankit.sort(frame["row"]), np.arange(2000)))
        values = np.arange(5)
        self.assertEqual(polars.Series(scankit.to_arrow(values)).to_list(), values.tolist())

    @unittest.skipIf(duckdb is None, "duckdb is not installed")
    def test_duckdb(self):
        relation = duckdb.sql("select (i * 7) % 5 as a, i as b from range(8) t(i)")
        found = scankit.sort_table(relation, ["a", ("b", "descending")])
        self.assertEqual(found["b"].to_pylist(), [5, 0, 3, 6, 1, 4, 7, 2])
