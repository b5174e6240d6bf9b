"""Scans and reductions."""

import unittest

import numpy as np
import scankit
from oracle import INTEGERS, SIZES, data, same_bits

UFUNCS = {
    "sum": np.add,
    "prod": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def affine(a):
    """The running composition of the maps x -> high x + low modulo 2^16."""
    out, state = [], (1, 0)
    for high, low in zip((a >> 16).tolist(), (a & 0xFFFF).tolist()):
        state = (high * state[0] % 65536, (high * state[1] + low) % 65536)
        out.append(state[0] << 16 | state[1])
    return np.array(out, np.uint32)


class Scans(unittest.TestCase):
    def test_integers_by_every_operator(self):
        for dtype in INTEGERS:
            for name, ufunc in UFUNCS.items():
                a = data(dtype, 3001)
                expected = ufunc.accumulate(a, dtype=dtype)
                with self.subTest(dtype=dtype, op=name):
                    self.assertTrue(same_bits(scankit.scan(a, name), expected))
                    self.assertTrue(np.array_equal(scankit.scan(a, name, exclusive=True)[1:], expected[:-1]))
                    self.assertEqual(scankit.reduce(a, name), expected[-1])

    def test_sizes(self):
        for size in SIZES:
            a = data("u4", size)
            self.assertTrue(same_bits(scankit.cumsum(a), np.cumsum(a, dtype="u4")))
            self.assertEqual(scankit.reduce(a), np.sum(a, dtype="u4"))

    def test_an_operator_that_does_not_commute(self):
        a = data("u4", 5000)
        self.assertTrue(same_bits(scankit.scan(a, "affine"), affine(a)))

    def test_names(self):
        a = data("i4", 100)
        self.assertTrue(same_bits(scankit.cummax(a), np.maximum.accumulate(a)))
        self.assertTrue(same_bits(scankit.cummin(a), np.minimum.accumulate(a)))
        self.assertTrue(same_bits(scankit.cumprod(a), np.cumprod(a, dtype="i4")))

    def test_floats(self):
        a = np.random.default_rng(1).random(10000)
        self.assertTrue(np.allclose(scankit.cumsum(a), np.cumsum(a)))
        self.assertAlmostEqual(scankit.reduce(a), a.sum(), places=6)

    def test_initial_and_in_place(self):
        a = np.arange(5, dtype="i2")
        self.assertEqual(scankit.scan(a, initial=7, exclusive=True).tolist(), [7, 7, 8, 10, 13])
        with self.assertRaises((ValueError, OverflowError)):
            scankit.scan(a, initial=70000)
        with self.assertRaises((ValueError, OverflowError)):
            scankit.scan(a, initial=1.5)
        self.assertIs(scankit.cumsum(a, out=a), a)
        self.assertEqual(a.tolist(), [0, 1, 3, 6, 10])
        self.assertEqual(scankit.scan(np.ones(2, "f4"), initial=0.5).tolist(), [1.5, 2.5])

    def test_refusals(self):
        with self.assertRaisesRegex(scankit.ArgumentError, "operator named 'plus'"):
            scankit.scan(data("u4", 3), "plus")
        with self.assertRaises(scankit.ArgumentError):
            scankit.scan(data("f4", 3), "xor")
        with self.assertRaises(TypeError):
            scankit.cumsum(np.ones(3, bool))
        self.assertEqual(scankit.cummax(np.array([0, 1, 0], bool)).tolist(), [False, True, True])


class Segments(unittest.TestCase):
    def test_segmented_scan(self):
        a, heads = data("i4", 2000), data("u1", 2000) < 20
        starts = np.flatnonzero(heads)
        parts = np.split(a, starts)
        for name in ("sum", "max"):
            expected = np.concatenate([UFUNCS[name].accumulate(part, dtype="i4") for part in parts])
            self.assertTrue(same_bits(scankit.segmented_scan(a, heads, name), expected))
            self.assertTrue(same_bits(scankit.segmented_scan(a, heads.view("u1"), name, out=a.copy()), expected))
        with self.assertRaises(TypeError):
            scankit.segmented_scan(a, heads.astype("i4"))
        with self.assertRaises(ValueError):
            scankit.segmented_scan(a, heads[1:])

    def test_segmented_reduce(self):
        a = data("i8", 2000)
        offsets = np.sort(np.random.default_rng(3).integers(0, 2001, 300))
        pairs = list(zip(offsets[:-1], offsets[1:]))
        with np.errstate(over="ignore"):
            expected = [a[i:j].sum() for i, j in pairs]
        self.assertEqual(scankit.segmented_reduce(a, offsets).tolist(), [int(x) for x in expected])
        self.assertEqual(scankit.segmented_reduce(a, np.array([5])).size, 0)

    def test_offsets_that_lie_outside(self):
        a = data("i4", 10)
        for offsets in ([0, 11], [-1, 3], [4, 2, 10], []):
            with self.assertRaises(ValueError):
                scankit.segmented_reduce(a, np.array(offsets, "i8"))


if __name__ == "__main__":
    unittest.main()
