"""The library's calls on pictures, by ctypes: for images.py and tables.py."""

import ctypes
import sys

TYPES = {"uint8": 0, "uint16": 1, "uint32": 2, "uint64": 3, "float32": 9, "float64": 10}


class Image(ctypes.Structure):
    """scankit_image"""

    _fields_ = [
        ("type", ctypes.c_int),
        ("channels", ctypes.c_uint),
        ("width", ctypes.c_size_t),
        ("height", ctypes.c_size_t),
        ("pitch", ctypes.c_size_t),
        ("data", ctypes.c_void_p),
    ]


class BoxOptions(ctypes.Structure):
    """scankit_box_options"""

    _fields_ = [
        ("radius", ctypes.c_double),
        ("radii", ctypes.POINTER(Image)),
        ("edge", ctypes.c_int),
        ("passes", ctypes.c_uint),
    ]


class TableOptions(ctypes.Structure):
    """scankit_table_options"""

    _fields_ = [("method", ctypes.c_int), ("wrap", ctypes.c_int), ("mean", ctypes.c_void_p)]


def image_of(array):
    """The array of rows, columns and perhaps channels, of NumPy or CuPy, as a scankit_image."""
    channels = array.shape[2] if array.ndim == 3 else 1
    data = array.data.ptr if hasattr(array.data, "ptr") else array.ctypes.data
    return Image(TYPES[array.dtype.name], channels, array.shape[1], array.shape[0], 0, data)


class Library:
    """scankit's calls on one context."""

    def __init__(self, path, device):
        self.calls = ctypes.CDLL(path)
        self.context = ctypes.c_void_p()
        self.check(self.calls.scankit_open(ctypes.byref(self.context), device.encode()))

    def wait(self):
        """Until the device has done what was queued."""
        self.check(self.calls.scankit_synchronize(self.context))

    def check(self, error):
        """Ends the program unless the call succeeded."""
        if error != 0:
            self.calls.scankit_error_string.restype = ctypes.c_char_p
            sys.exit(f"scankit: {self.calls.scankit_error_string(error).decode()}")

    def table(self, picture, out, wrap=1):
        """A summed-area table."""
        options = TableOptions(0, wrap, None)
        a, b = image_of(picture), image_of(out)
        call = self.calls.scankit_summed_area_table
        self.check(call(self.context, ctypes.byref(a), ctypes.byref(b), ctypes.byref(options)))

    def box(self, picture, out, radius):
        """A box filter."""
        options = BoxOptions(radius, None, 0, 1)
        a, b = image_of(picture), image_of(out)
        call = self.calls.scankit_box_filter
        self.check(call(self.context, ctypes.byref(a), ctypes.byref(b), ctypes.byref(options)))

    def halve(self, picture, out):
        """Level 1 of the pyramid."""
        a, b = image_of(picture), image_of(out)
        self.check(self.calls.scankit_mipmap(self.context, ctypes.byref(a), ctypes.byref(b), 1, 1))
