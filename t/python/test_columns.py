"""The order of rows by columns, beside numpy.lexsort()."""

import unittest

import numpy as np
import scankit


class Columns(unittest.TestCase):
    def columns(self, n):
        random = np.random.default_rng(n)
        words = np.array([b"", b"a", b"ab", b"b"], "S2")
        return [
            random.integers(0, 5, n).astype("u1"),
            random.integers(-3, 3, n).astype("i8"),
            random.integers(-2, 2, n).astype("f4"),
            words[random.integers(0, 4, n)],
        ]

    def test_ascending(self):
        for n in (0, 1, 2, 1000, 70000):
            columns = self.columns(n)
            for count in range(1, 5):
                with self.subTest(n=n, count=count):
                    found = scankit.argsort_columns(columns[:count])
                    self.assertEqual(found.tolist(), np.lexsort(columns[:count][::-1]).tolist())

    def test_descending(self):
        a, b = self.columns(5000)[1:3]
        found = scankit.argsort_columns([a, b], descending=[True, False])
        self.assertEqual(found.tolist(), np.lexsort([b, -a]).tolist())
        found = scankit.argsort_columns([a, b], descending=True)
        self.assertEqual(found.tolist(), np.lexsort([-b, -a]).tolist())

    def test_refused(self):
        a = np.arange(5)
        with self.assertRaises(ValueError):
            scankit.argsort_columns([a, a[1:]])
        with self.assertRaises(ValueError):
            scankit.argsort_columns([a], descending=[True, False])
        for columns in ([], [a] * 65):
            with self.assertRaises(scankit.ArgumentError):
                scankit.argsort_columns(columns)
        with self.assertRaises(TypeError):
            scankit.argsort_columns([np.array([1j])])


if __name__ == "__main__":
    unittest.main()
