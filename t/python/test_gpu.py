"""Arrays of CuPy and PyTorch on a GPU: results agree with NumPy, stay where the inputs are, and wait for their work."""

import importlib
import unittest

import numpy as np
import scankit
from oracle import argsort, data, same_bits

SIZES = (0, 1, 2, 1000, 70001)
# What PyTorch has of the library's types; CuPy has all.
DTYPES = ("u1", "i1", "i2", "i4", "i8", "f2", "f4", "f8")


def imported(name):
    """The package, or None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


cupy, torch = imported("cupy"), imported("torch")
HAS_GPU = scankit.device_count() > 0


class OnlyDlpack:
    """An array with DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Arrays:
    """The tests; a subclass says what its package calls things."""

    def agree(self, result, expected):
        self.assertIsInstance(result, self.kind)
        self.assertTrue(self.is_on_gpu(result))
        self.assertTrue(same_bits(self.host(result), expected))

    def each(self, dtypes=DTYPES, sizes=SIZES):
        """Host arrays, and the same on the GPU."""
        for dtype in dtypes:
            for size in sizes:
                with self.subTest(dtype=dtype, size=size):
                    a = data(dtype, size)
                    yield a, self.put(a)

    def test_sorts(self):
        for a, there in self.each():
            order = argsort(a)
            self.agree(scankit.sort(there), a[order])
            self.agree(scankit.argsort(there), order.astype("i8"))
            self.agree(scankit.sort(there, descending=True), a[argsort(a, True)])
            self.agree(there, a)

    def test_scans(self):
        for a, there in self.each(("u1", "i4", "i8")):
            self.agree(scankit.cumsum(there), np.cumsum(a, dtype=a.dtype))
            self.agree(scankit.cummax(there), np.maximum.accumulate(a))
            self.assertEqual(scankit.reduce(there), a.sum(dtype=a.dtype))

    def test_selections(self):
        for a, there in self.each(("i4", "f4", "i8")):
            is_large = a > 3
            self.agree(scankit.compact(there, "x > 3"), a[is_large])
            self.agree(scankit.compact(there, self.put(is_large)), a[is_large])
            self.agree(scankit.compact_positions(there, "x > 3"), np.flatnonzero(is_large).astype("i8"))
            matching, others = scankit.split(there, "x > 3")
            self.agree(matching, a[is_large])
            self.agree(others, a[~is_large])

    def test_runs(self):
        for size in SIZES:
            a = data("i4", size) & 3
            there = self.put(a)
            begins = np.flatnonzero(np.append(True, a[1:] != a[:-1])[:size])
            counts = np.diff(np.append(begins, size))
            self.agree(scankit.unique(there), a[begins])
            values, lengths = scankit.run_length_encode(there)
            self.agree(values, a[begins])
            self.assertTrue(np.array_equal(self.host(lengths), counts))
            self.agree(scankit.run_length_decode(values, lengths), a)
            keys, sums = scankit.reduce_by_key(there, self.put(np.ones(size, "i8")))
            self.agree(keys, a[begins])
            self.agree(sums, counts.astype("i8"))

    def test_parts_and_counts(self):
        a = data("i4", 5000)
        there, offsets = self.put(a), np.array([0, 7, 7, 3000, 5000])
        self.agree(scankit.top_k(there, 100), np.sort(a)[:100])
        parts = [np.sort(a[begin:end]) for begin, end in zip(offsets, offsets[1:])]
        self.agree(scankit.segmented_sort(there, self.put(offsets)), np.concatenate(parts))
        self.agree(scankit.merge(scankit.sort(there), scankit.sort(there)), np.sort(np.append(a, a)))
        counts, _ = scankit.histogram(there & 255, 16, (0, 256))
        self.assertTrue(np.array_equal(self.host(counts), np.histogram(a & 255, 16, (0, 256))[0]))

    def test_out(self):
        a = data("i8", 70001)
        there = self.put(a)
        out = self.put(np.zeros_like(a))
        self.assertIs(scankit.sort(there, out=out), out)
        self.agree(out, np.sort(a))
        self.assertIs(scankit.cumsum(there, out=there), there)
        self.agree(there, np.cumsum(a))
        with self.assertRaisesRegex(ValueError, "two devices"):
            scankit.sort(there, out=np.empty_like(a))

    def test_strides(self):
        a = data("i4", 3000)
        self.agree(scankit.sort(self.put(a)[::3]), np.sort(a[::3]))

    def test_dlpack_alone(self):
        a = data("f4", 3000)
        out = self.put(np.zeros_like(a))
        scankit.sort(OnlyDlpack(self.put(a)), out=out)
        self.agree(out, a[argsort(a)])

    def test_the_current_stream(self):
        """Inputs are still being written when the call is made, and results are read on the same stream."""
        size = 1 << 22
        for round in range(3):
            with self.stream():
                a = self.slowly(size, round)
                result = scankit.cumsum(scankit.sort(a))
                last = self.host(result[-1:])
            self.assertEqual(int(last[0]), size * (size - 1) // 2 + size * round)


@unittest.skipUnless(cupy and HAS_GPU, "no CuPy, or no GPU")
class Cupy(Arrays, unittest.TestCase):
    kind = getattr(cupy, "ndarray", None)

    def put(self, a):
        return cupy.asarray(a)

    def host(self, a):
        return cupy.asnumpy(a)

    def is_on_gpu(self, a):
        return a.device.id == 0

    def stream(self):
        return cupy.cuda.Stream(non_blocking=True)

    def slowly(self, size, added):
        a = cupy.zeros(size, "i8")
        for _ in range(200):
            a += 1
        a[:] = cupy.arange(size - 1, -1, -1)
        return a + added


@unittest.skipUnless(torch and HAS_GPU, "no PyTorch, or no GPU")
class Torch(Arrays, unittest.TestCase):
    kind = getattr(torch, "Tensor", None)

    def put(self, a):
        return torch.from_numpy(a.copy()).to("cuda")

    def host(self, a):
        return a.cpu().numpy()

    def is_on_gpu(self, a):
        return a.device.type == "cuda"

    def stream(self):
        return torch.cuda.stream(torch.cuda.Stream())

    def slowly(self, size, added):
        a = torch.zeros(size, dtype=torch.int64, device="cuda")
        for _ in range(200):
            a += 1
        a.copy_(torch.arange(size - 1, -1, -1, device="cuda"))
        return a + added

    def test_strides(self):
        a = data("i4", 3000)
        self.agree(scankit.sort(self.put(a).reshape(-1, 3)[:, 0]), np.sort(a[::3]))


if __name__ == "__main__":
    unittest.main()
