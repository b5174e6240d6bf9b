"""Arrays that hypothesis finds, against NumPy. Skipped where hypothesis is not installed."""

import unittest

import numpy as np
import scankit
from oracle import argsort, same_bits

try:
    from hypothesis import given, settings, strategies
except ImportError:
    given = None

if given is None:

    class Random(unittest.TestCase):
        @unittest.skip("hypothesis is not installed")
        def test_random_arrays(self):
            pass

else:
    DTYPES = strategies.sampled_from(["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"])
    # Few different bytes give runs and equal keys.
    BYTES = strategies.one_of(
        strategies.binary(max_size=4000),
        strategies.lists(strategies.sampled_from([0, 1, 255]), max_size=4000).map(bytes),
    )

    @strategies.composite
    def arrays(draw):
        """One-dimensional arrays of any type and bits, with one kind of NaN."""
        kind, raw = np.dtype(draw(DTYPES)), draw(BYTES)
        a = np.frombuffer(raw[: len(raw) // kind.itemsize * kind.itemsize], kind).copy()
        if kind.kind == "f":
            a[np.isnan(a)] = np.nan
        return a

    settings.register_profile("scankit", deadline=None, max_examples=150, database=None, derandomize=True)
    settings.load_profile("scankit")

    class Random(unittest.TestCase):
        @given(arrays(), strategies.booleans())
        def test_sorts(self, a, descending):
            order = argsort(a, descending)
            self.assertTrue(same_bits(scankit.sort(a, descending=descending), a[order]))
            self.assertTrue(np.array_equal(scankit.argsort(a, descending=descending), order))

        @given(arrays(), arrays())
        def test_merges(self, a, b):
            b = b.view("u1")[:50].astype(a.dtype)
            whole = np.concatenate([a, b])
            merged = scankit.merge(scankit.sort(a), scankit.sort(b))
            self.assertTrue(same_bits(merged, whole[argsort(whole)]))

        @given(arrays())
        def test_runs(self, a):
            bits = a.view(f"u{a.itemsize}")
            heads = np.flatnonzero(np.append(True, bits[1:] != bits[:-1])) if a.size else np.arange(0)
            values, counts = scankit.run_length_encode(a)
            self.assertTrue(same_bits(values, a[heads]))
            self.assertTrue(np.array_equal(counts, np.diff(heads, append=a.size)))
            self.assertTrue(same_bits(scankit.run_length_decode(values, counts), a))
            self.assertTrue(same_bits(scankit.unique(a), a[heads]))

        @given(arrays(), strategies.integers(-3, 300), strategies.integers(1, 9))
        def test_compaction(self, a, least, step):
            mask = (a.astype("f8") > least) & (np.arange(a.size) % step == 0)
            text = f"x > {least} && i % {step} == 0"
            self.assertTrue(same_bits(scankit.compact(a, text), a[mask]))
            self.assertTrue(same_bits(scankit.compact(a, mask), a[mask]))

        @given(arrays())
        def test_scans_of_integers(self, a):
            a = a.view(f"i{a.itemsize}")
            self.assertTrue(same_bits(scankit.cumsum(a), np.cumsum(a, dtype=a.dtype)))
            self.assertTrue(same_bits(scankit.cummax(a), np.maximum.accumulate(a)))


if __name__ == "__main__":
    unittest.main()
