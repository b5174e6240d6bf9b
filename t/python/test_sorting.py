"""Sorts and merges."""

import unittest

import numpy as np
import scankit
from oracle import FLOATS, INTEGERS, SIZES, argsort, data, same_bits

PEOPLE = np.dtype([("age", "u1"), ("name", "S5"), ("pay", "<f4"), ("id", ">i4")], align=False)


def people(size):
    random = np.random.default_rng(2)
    records = np.zeros(size, PEOPLE)
    records["age"] = random.integers(0, 5, size)
    records["name"] = random.integers(0, 99, size).astype("S5")
    records["pay"] = random.standard_normal(size)
    records["id"] = random.integers(-50, 50, size) * 997
    return records


class Sorts(unittest.TestCase):
    def test_sort_and_argsort_of_every_type_and_size(self):
        for dtype in INTEGERS + FLOATS:
            for size in SIZES:
                for descending in (False, True):
                    a = data(dtype, size)
                    order = argsort(a, descending)
                    with self.subTest(dtype=dtype, size=size, descending=descending):
                        self.assertTrue(same_bits(scankit.sort(a, descending=descending), a[order]))
                        found = scankit.argsort(a, descending=descending)
                        self.assertEqual(found.dtype, np.int64)
                        self.assertTrue(np.array_equal(found, order))

    def test_sort_equals_numpy(self):
        for dtype in INTEGERS + FLOATS:
            a = data(dtype, 5000)
            self.assertTrue(np.array_equal(scankit.sort(a), np.sort(a), equal_nan=dtype in FLOATS))

    def test_in_place_and_out(self):
        a = data("i4", 3000)
        expected, kept = np.sort(a), a.copy()
        out = np.empty_like(a)
        self.assertIs(scankit.sort(a, out=out), out)
        self.assertTrue(same_bits(out, expected))
        self.assertTrue(same_bits(a, kept))
        self.assertIs(scankit.sort(a, out=a), a)
        self.assertTrue(same_bits(a, expected))

    def test_bits(self):
        a = data("u4", 3000)
        order = np.argsort((a >> 8) & 0xFF, kind="stable")
        self.assertTrue(same_bits(scankit.sort(a, bits=(8, 16)), a[order]))
        with self.assertRaises(scankit.ArgumentError):
            scankit.sort(a, bits=(8, 40))

    def test_bools_and_bytes(self):
        flags = data("u1", 500) > 100
        self.assertTrue(same_bits(scankit.sort(flags), np.sort(flags)))
        names = data("u2", 500).astype("S5")
        self.assertTrue(same_bits(scankit.sort(names), np.sort(names)))
        self.assertTrue(np.array_equal(scankit.argsort(names), np.argsort(names, kind="stable")))

    def test_records(self):
        a = people(4000)
        order = np.lexsort((a["name"], -a["id"], a["age"]))
        self.assertTrue(same_bits(scankit.sort_records(a, "age,id:desc,name"), a[order]))
        self.assertTrue(np.array_equal(scankit.argsort_records(a, ["age", "id:desc", "name:asc"]), order))
        self.assertTrue(same_bits(scankit.sort_records(a), a[np.lexsort([a[n] for n in reversed(a.dtype.names)])]))
        with self.assertRaisesRegex(scankit.ArgumentError, "no field 'nr'.*age, name, pay, id"):
            scankit.sort_records(a, "nr")

    def test_fields_of_fields(self):
        a = np.zeros(100, [("x", "u1"), ("at", [("day", "u2"), ("hour", "i1")])])
        a["at"]["hour"] = data("i1", 100)
        order = np.argsort(a["at"]["hour"], kind="stable")
        self.assertTrue(np.array_equal(scankit.argsort_records(a, "at.hour"), order))


class Merges(unittest.TestCase):
    def test_merges_of_one_to_four_arrays(self):
        for dtype in ("u1", "i8", "f4"):
            for count in (1, 2, 3, 4):
                for descending in (False, True):
                    parts = [data(dtype, 700 * k, k) for k in range(count)]
                    parts = [part[argsort(part, descending)] for part in parts]
                    whole = np.concatenate(parts)
                    expected = whole[argsort(whole, descending)]
                    self.assertTrue(same_bits(scankit.merge(*parts, descending=descending), expected))

    def test_merge_of_records(self):
        a, b = (scankit.sort_records(people(n), "age,pay:desc") for n in (900, 400))
        both = np.concatenate([a, b]).astype(PEOPLE)
        merged = scankit.merge_records(a, b, keys="age,pay:desc")
        self.assertTrue(same_bits(merged, both[np.lexsort((-both["pay"], both["age"]))]))

    def test_merge_refuses(self):
        with self.assertRaises(ValueError):
            scankit.merge()
        with self.assertRaises(TypeError):
            scankit.merge(data("u1", 3), data("u2", 3))


if __name__ == "__main__":
    unittest.main()
