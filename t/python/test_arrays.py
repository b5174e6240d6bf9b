"""Arrays of all packages and shapes: what is accepted without a copy, what is copied, what is refused."""

import sys
import types
import unittest

import numpy as np
import scankit
from oracle import data, same_bits
from scankit import _arrays, _dlpack


class Fake:
    """An array of some package: only the protocols that are given."""

    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class OnlyDlpack:
    """An array on the CPU with DLPack alone."""

    def __init__(self, array, device=None):
        self.array, self.device = array, device

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device or self.array.__dlpack_device__()


def on_gpu(**changes):
    """An array of four u4 with __cuda_array_interface__."""
    interface = {"shape": (4,), "typestr": "<u4", "data": (4096, False), "version": 3, "strides": None, "stream": 7}
    interface.update(changes)
    return Fake(__cuda_array_interface__=interface)


class NumpyArrays(unittest.TestCase):
    def test_strides_and_alignment_are_copied(self):
        a = data("u4", 1000)
        self.assertTrue(same_bits(scankit.sort(a[::-3]), np.sort(a[::-3])))
        buffer = np.zeros(4 * 100 + 1, "u1")
        odd = buffer[1:].view("u4")
        odd[:] = a[:100]
        self.assertTrue(same_bits(scankit.sort(odd), np.sort(odd)))
        self.assertTrue(same_bits(odd, a[:100]))

    def test_read_only_inputs(self):
        a = data("f8", 100)
        a.flags.writeable = False
        self.assertTrue(np.array_equal(scankit.sort(a), np.sort(a), equal_nan=True))
        with self.assertRaisesRegex(ValueError, "read-only"):
            scankit.sort(a, out=a)

    def test_no_copy_is_made(self):
        a = data("u4", 10)
        self.assertEqual(_arrays.view_of(a).pointer, a.ctypes.data)
        self.assertEqual(_arrays.view_of(OnlyDlpack(a)).pointer, a.ctypes.data)

    def test_refusals(self):
        for bad, error, text in (
            ([3, 1, 2], TypeError, "list is no array"),
            (np.ones((2, 2)), ValueError, "2 dimensions"),
            (np.array(3), ValueError, "0 dimensions"),
            (np.array(["b", "a"]), TypeError, "no element type"),
            (np.ones(3, ">u4"), TypeError, "byte-swapped"),
            (np.ones(3, "c16"), TypeError, "no element type"),
            (np.ones(3, "M8[s]"), TypeError, "view"),
            (np.array([object()]), TypeError, "objects"),
            (np.zeros(3, [("a", "O")]), TypeError, "objects"),
            (np.zeros(3, [("a", "u4")]), TypeError, "sort_records"),
            (np.ma.array([1, 2]), TypeError, "masked"),
            (None, TypeError, "NoneType is no array"),
        ):
            with self.subTest(bad=bad), self.assertRaisesRegex(error, text):
                scankit.sort(bad)

    def test_bad_outputs(self):
        a = data("u4", 8)
        for out, error, text in (
            (np.empty(8, "i4"), TypeError, "out has dtype int32; it should be uint32"),
            (np.empty(7, "u4"), ValueError, "out has 7 elements; it should have 8"),
            (np.empty(16, "u4")[::2], ValueError, "contiguous"),
            (np.empty((2, 4), "u4"), ValueError, "dimensions"),
            ([0] * 8, TypeError, "no array"),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                scankit.sort(a, out=out)

    def test_overlaps(self):
        a = data("u8", 20)
        with self.assertRaisesRegex(ValueError, "overlaps"):
            scankit.sort(a[:10], out=a[5:15])
        with self.assertRaisesRegex(ValueError, "overlaps"):
            scankit.argsort(a.view("i8"), out=a.view("i8"))
        with self.assertRaisesRegex(ValueError, "overlaps"):
            scankit.merge(a[:5], a[5:10], out=a[:10])

    def test_results_keep_no_more_memory_than_they_need(self):
        found = scankit.compact(np.arange(100000), "x < 10")
        self.assertIsNone(found.base)
        self.assertEqual(found.nbytes, 80)


class Protocols(unittest.TestCase):
    def test_dlpack_of_every_dtype(self):
        # NumPy exports bools since 1.25.
        has_bools = np.lib.NumpyVersion(np.__version__) >= "1.25.0"
        for dtype in ("u1", "u8", "i2", "f2", "f8") + ("?",) * has_bools:
            a = data("u1", 50).astype(dtype)
            self.assertTrue(same_bits(scankit.sort(OnlyDlpack(a)), np.sort(a)))
            out = np.zeros_like(a)
            scankit.sort(a, out=OnlyDlpack(out))
            self.assertTrue(same_bits(out, np.sort(a)))

    def test_dlpack_refusals(self):
        a = data("u4", 10)
        with self.assertRaisesRegex(ValueError, "not contiguous"):
            scankit.sort(OnlyDlpack(a[::2]))
        with self.assertRaisesRegex(ValueError, "2 dimensions"):
            scankit.sort(OnlyDlpack(a.reshape(2, 5)))
        with self.assertRaisesRegex(TypeError, "device type 10"):
            scankit.sort(OnlyDlpack(a, (10, 0)))
        tensor = _dlpack._Tensor(code=4, bits=16, lanes=1)
        with self.assertRaisesRegex(TypeError, "code 4"):
            _dlpack._dtype_of(tensor)

    def test_array_interface(self):
        a = data("i4", 10)
        wrapped = Fake(__array_interface__=a.__array_interface__, keep=a)
        self.assertTrue(same_bits(scankit.sort(wrapped), np.sort(a)))

    def test_cuda_array_interface_is_read(self):
        view = _arrays.view_of(on_gpu())
        self.assertEqual((view.pointer, view.size, view.dtype), (4096, 4, np.dtype("u4")))
        self.assertEqual((view.place, view.stream), ("cuda:0", 7))
        self.assertIsNone(_arrays.view_of(on_gpu(stream=None)).stream)
        two = on_gpu(version=2)
        del two.__cuda_array_interface__["stream"]
        self.assertEqual(_arrays.view_of(two).stream, 1)
        two.device = types.SimpleNamespace(id=3)
        self.assertEqual(_arrays.view_of(two).place, "cuda:3")
        records = on_gpu(typestr="|V8", descr=[("a", "<u4"), ("b", "<f4")])
        self.assertEqual(_arrays.view_of(records).dtype.names, ("a", "b"))

    def test_cuda_array_interface_refusals(self):
        for changes, error, text in (
            ({"version": 1}, TypeError, "before 2"),
            ({"mask": 5}, TypeError, "masked"),
            ({"stream": 0}, ValueError, "stream 0"),
            ({"shape": (2, 2)}, ValueError, "2 dimensions"),
            ({"strides": (8,)}, ValueError, "not contiguous"),
        ):
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                scankit.sort(on_gpu(**changes))
        with self.assertRaisesRegex(ValueError, "read-only"):
            scankit.sort(on_gpu(), out=on_gpu(data=(4096, True)))
        with self.assertRaisesRegex(ValueError, "pass out="):
            scankit.sort(on_gpu())

    @unittest.skipIf(scankit.device_count(), "there is a GPU")
    def test_an_array_on_a_gpu_without_a_gpu(self):
        with self.assertRaises(scankit.NoDeviceError):
            scankit.sort(on_gpu(), out=on_gpu(data=(8192, False)))

    def test_arrays_of_two_devices(self):
        with self.assertRaisesRegex(ValueError, "two devices"):
            scankit.sort(data("u4", 4), out=on_gpu())

    def test_the_current_stream_of_pytorch(self):
        asked = []

        def current_stream(device):
            asked.append(device)
            return types.SimpleNamespace(cuda_stream=0)

        class Tensor(Fake):
            __module__ = "torch"

        torch = types.SimpleNamespace(cuda=types.SimpleNamespace(current_stream=current_stream))
        tensor = Tensor(**on_gpu().__dict__, device="cuda:0")
        before = sys.modules.get("torch")
        sys.modules["torch"] = torch
        try:
            self.assertEqual(_arrays.view_of(tensor).stream, 1)
        finally:
            sys.modules.pop("torch") if before is None else sys.modules.update(torch=before)
        self.assertEqual(asked, ["cuda:0"])


if __name__ == "__main__":
    unittest.main()
