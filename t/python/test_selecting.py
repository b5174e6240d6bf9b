"""Compaction, splits and runs."""

import unittest

import numpy as np
import scankit
from oracle import FLOATS, INTEGERS, SIZES, data, same_bits


class Compacts(unittest.TestCase):
    def test_masks_of_every_type_and_size(self):
        for dtype in INTEGERS + FLOATS + ("S3", "c16", "M8[s]"):
            for size in SIZES[:-1]:
                numbers = data("i8", size)
                a = numbers.view(dtype) if dtype == "M8[s]" else numbers.astype("u1").astype(dtype)
                mask = data("u1", size, 5) < 100
                with self.subTest(dtype=dtype, size=size):
                    self.assertTrue(same_bits(scankit.compact(a, mask), a[mask]))
                    self.assertTrue(same_bits(scankit.compact(a, mask, invert=True), a[~mask]))
                    self.assertTrue(np.array_equal(scankit.compact_positions(a, mask), np.flatnonzero(mask)))

    def test_predicates(self):
        for size in SIZES:
            a, i = data("i4", size), np.arange(size)
            mask = (a > 3) & (i % 2 == 0)
            self.assertTrue(same_bits(scankit.compact(a, "x > 3 && i % 2 == 0"), a[mask]))
            self.assertTrue(np.array_equal(scankit.compact_positions(a, "x > 3 && i % 2 == 0"), i[mask]))
            first, rest = scankit.split(a, "x > 3 && i % 2 == 0")
            self.assertTrue(same_bits(first, a[mask]) and same_bits(rest, a[~mask]))
            first, rest = scankit.split(a, mask)
            self.assertTrue(same_bits(first, a[mask]) and same_bits(rest, a[~mask]))

    def test_records(self):
        kind = np.dtype({"names": ["n", "s"], "formats": [">u4", "S4"], "offsets": [4, 9], "itemsize": 16})
        a = np.zeros(1000, kind)
        a["n"], a["s"] = np.arange(1000), "AAPL"
        a["s"][::3] = "X"
        kept = scankit.compact(a, 'n % 2 == 0 && s == "AAPL"')
        self.assertTrue(np.array_equal(kept["n"], a["n"][(a["n"] % 2 == 0) & (a["s"] == b"AAPL")]))

    def test_out_and_in_place(self):
        a = data("u2", 1000)
        expected = a[a > 9]
        out = np.zeros_like(a)
        found = scankit.compact(a, "x > 9", out=out)
        self.assertIs(found.base, out)
        self.assertTrue(same_bits(found, expected))
        self.assertTrue(same_bits(scankit.compact(a, "x > 9", out=a), expected))

    def test_errors_show_the_place(self):
        with self.assertRaises(scankit.DescriptionError) as caught:
            scankit.compact(data("u4", 3), "x > > 3")
        self.assertEqual((caught.exception.text, caught.exception.where), ("x > > 3", 4))
        self.assertIn("  x > > 3\n      ^", str(caught.exception))
        self.assertIsInstance(caught.exception, ValueError)
        with self.assertRaises(TypeError):
            scankit.compact(data("u4", 3), data("f4", 3))
        with self.assertRaises(TypeError):
            scankit.compact(np.array([None]), np.ones(1, bool))
        with self.assertRaises(TypeError):
            scankit.compact(np.ones(3, "c16"), "x > 3")

    def test_digits(self):
        a = data("u4", 3000)
        digits = (a >> 4) & 7
        found, offsets = scankit.split_digit(a, 4, 3)
        self.assertTrue(same_bits(found, a[np.argsort(digits, kind="stable")]))
        self.assertEqual(offsets.tolist(), [int((digits < d).sum()) for d in range(8)] + [3000])
        with self.assertRaises(ValueError):
            scankit.split_digit(a, 30, 9)
        with self.assertRaises(scankit.ArgumentError):
            scankit.split_digit(a, 30, 4)


class Runs(unittest.TestCase):
    def test_runs_of_every_type_and_size(self):
        for dtype in INTEGERS + FLOATS + ("S3", "c16", "M8[s]"):
            for size in SIZES[:-1]:
                numbers = np.repeat(data("u1", size), 3)
                a = numbers.astype("i8").view(dtype) if dtype == "M8[s]" else numbers.astype(dtype)
                heads = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1])) if size else np.arange(0)
                counts = np.diff(heads, append=a.size)
                with self.subTest(dtype=dtype, size=size):
                    values, lengths = scankit.run_length_encode(a)
                    self.assertTrue(same_bits(values, a[heads]))
                    self.assertTrue(np.array_equal(lengths, counts))
                    self.assertTrue(same_bits(scankit.run_length_decode(values, lengths), a))
                    self.assertTrue(same_bits(scankit.unique(a), a[heads]))

    def test_unique_of_sorted_is_numpys(self):
        a = data("i2", 100000)
        self.assertTrue(same_bits(scankit.unique(scankit.sort(a)), np.unique(a)))

    def test_reduce_by_key(self):
        keys = np.sort(data("u1", 5000))
        values = data("i4", 5000, 7)
        labels, heads = np.unique(keys, return_index=True)
        for name, ufunc in (("sum", np.add), ("max", np.maximum)):
            found = scankit.reduce_by_key(keys, values, name)
            self.assertTrue(same_bits(found[0], labels))
            self.assertTrue(same_bits(found[1], ufunc.reduceat(values, heads, dtype="i4")))

    def test_keys_of_records(self):
        a = np.array([(1, 5), (1, 6), (2, 6)], [("a", "u1"), ("b", "u4")])
        self.assertEqual(scankit.unique(a, keys="a").tolist(), [(1, 5), (2, 6)])
        self.assertEqual(scankit.run_length_encode(a, keys=["b"])[1].tolist(), [1, 2])
        self.assertEqual(scankit.reduce_by_key(a, np.ones(3), fields="a")[1].tolist(), [2.0, 1.0])

    def test_decoding_refuses(self):
        values = np.array([1, 2], "u2")
        out = np.zeros(6, "u2")
        self.assertEqual(scankit.run_length_decode(values, np.array([2, 3]), out=out).tolist(), [1, 1, 2, 2, 2])
        with self.assertRaises(scankit.ArgumentError):
            scankit.run_length_decode(values, np.array([2, 5]), out=out)
        for counts in ([-1, 3], [1 << 62, 1 << 62]):
            with self.assertRaises((scankit.Error, MemoryError, ValueError)):
                scankit.run_length_decode(values, np.array(counts))
        with self.assertRaises(TypeError):
            scankit.run_length_decode(values, np.array([2.0, 3.0]))


if __name__ == "__main__":
    unittest.main()
