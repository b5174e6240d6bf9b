"""Top-k, and sorts within segments."""

import unittest

import numpy as np
import scankit
from oracle import FLOATS, INTEGERS, argsort, data, same_bits


class Partial(unittest.TestCase):
    def test_top_k_of_every_type(self):
        for dtype in INTEGERS + FLOATS:
            for size, ks in ((0, [0]), (1, [0, 1]), (3000, [1, 77, 3000]), (200000, [1, 1000, 60000])):
                for descending in (False, True):
                    a = data(dtype, size)
                    order = argsort(a, descending)
                    for k in ks:
                        with self.subTest(dtype=dtype, size=size, k=k, descending=descending):
                            self.assertTrue(same_bits(scankit.top_k(a, k, descending=descending), a[order[:k]]))
                            found = scankit.top_k_positions(a, k, descending=descending)
                            self.assertTrue(np.array_equal(found, order[:k]))

    def test_top_k_is_refused(self):
        a = data("u4", 100)
        with self.assertRaises(scankit.ArgumentError):
            scankit.top_k(a, 101)
        with self.assertRaises(ValueError):
            scankit.top_k(a, 10, out=a[:10])
        with self.assertRaises(ValueError):
            scankit.top_k(a, 10, out=np.empty(9, "u4"))

    def test_segments(self):
        random = np.random.default_rng(3)
        for dtype in INTEGERS + FLOATS:
            a = data(dtype, 20000)
            offsets = np.sort(np.append(random.integers(5, 19000, 300), [5, 5, 19000]))
            order = np.arange(a.size)
            for begin, end in zip(offsets[:-1], offsets[1:]):
                order[begin:end] = begin + argsort(a[begin:end])
            with self.subTest(dtype=dtype):
                self.assertTrue(same_bits(scankit.segmented_sort(a, offsets), a[order]))
                self.assertTrue(np.array_equal(scankit.segmented_argsort(a, offsets), order))
                self.assertIs(scankit.segmented_sort(a, offsets, out=a), a)
                self.assertTrue(np.array_equal(scankit.segmented_argsort(a, offsets), np.arange(a.size)))

    def test_segments_are_refused(self):
        a = data("u4", 100)
        with self.assertRaises(ValueError):
            scankit.segmented_sort(a, np.array([0, 101]))
        with self.assertRaises(TypeError):
            scankit.segmented_sort(a, np.array([0.0, 1.0]))
