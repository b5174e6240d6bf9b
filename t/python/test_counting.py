"""Histograms, beside numpy.histogram()."""

import unittest

import numpy as np
import scankit
from oracle import FLOATS, INTEGERS, data


class Counting(unittest.TestCase):
    def expect(self, a, *args, **options):
        found, edges = scankit.histogram(a, *args, **options)
        want, want_edges = np.histogram(a, *args, **options)
        self.assertTrue(np.array_equal(found, want), f"{found} {want}")
        self.assertTrue(np.allclose(edges, want_edges))

    def test_even_bins(self):
        for dtype in INTEGERS:
            a = data(dtype, 5000)
            low, high = (-100, 100) if np.dtype(dtype).kind == "i" else (0, 200)
            for bins in (1, 2, 50, 200):
                with self.subTest(dtype=dtype, bins=bins):
                    self.expect(a, bins, (low, high))
        for dtype in ("f4", "f8"):
            a = np.random.default_rng(5).integers(-64, 64, 5000).astype(dtype) / 4
            self.expect(a, 64, (-16, 16))
            self.expect(a)

    def test_edges(self):
        for dtype in INTEGERS + FLOATS:
            a = data(dtype, 5000)
            edges = np.array([0, 1, 1, 5, 60, 100], dtype)
            with self.subTest(dtype=dtype):
                self.expect(a[~np.isnan(a)] if np.dtype(dtype).kind == "f" else a, edges)

    def test_weights(self):
        a = np.random.default_rng(6).integers(0, 100, 3000).astype("u4")
        for dtype in ("u1", "i4", "f4", "f8"):
            weights = np.random.default_rng(7).integers(0, 50, 3000).astype(dtype)
            found, _ = scankit.histogram(a, 10, (0, 100), weights=weights)
            want, _ = np.histogram(a, 10, (0, 100), weights=weights.astype("f8"))
            with self.subTest(dtype=dtype):
                self.assertTrue(np.array_equal(found, want))

    def test_out_and_no_elements(self):
        out = np.empty(3, np.int64)
        self.assertIs(scankit.histogram(np.array([1, 2, 2]), 3, (0, 3), out=out)[0], out)
        self.assertEqual(out.tolist(), [0, 1, 2])
        self.assertEqual(scankit.histogram(np.empty(0, "f8"), 4)[0].tolist(), [0, 0, 0, 0])
        self.assertEqual(scankit.histogram(np.full(7, 3), 2)[0].tolist(), [7, 0])

    def test_refused(self):
        a = data("u4", 100)
        for bins, options in ((0, {}), (2, {"range": (5, 5)}), ([3, 1], {})):
            with self.subTest(bins=bins), self.assertRaises(scankit.ArgumentError):
                scankit.histogram(a, bins, **options)
        for bins, options in ((2, {"range": (0.5, 2)}), ([0.5, 1], {}), ([1], {}), (2, {"weights": a[1:]})):
            with self.subTest(bins=bins), self.assertRaises(ValueError):
                scankit.histogram(a, bins, **options)


if __name__ == "__main__":
    unittest.main()
