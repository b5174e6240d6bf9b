"""What the results should be, by NumPy alone; and data with the values where code breaks."""

import numpy as np

INTEGERS = ("u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8")
FLOATS = ("f2", "f4", "f8")
SIZES = (0, 1, 2, 15, 1000, 70001)


def data(dtype, size, seed=1):
    """Random elements, with extreme values, NaNs and zeros of both signs among them."""
    random = np.random.default_rng(seed)
    kind = np.dtype(dtype)
    if kind.kind == "f":
        values = random.standard_normal(size).astype(kind)
        special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0], kind)
    else:
        info = np.iinfo(kind)
        values = random.integers(info.min, info.max, size, kind, endpoint=True)
        special = np.array([info.min, info.max, 0, 1], kind)
    places = random.random(size) < 0.1
    values[places] = random.choice(special, int(places.sum()))
    return values


def order_bits(array):
    """Unsigned integers with the library's order: floats by value, -0.0 before 0.0, NaNs last."""
    if array.dtype.kind == "f":
        bits = array.view(f"u{array.itemsize}")
        top = bits.dtype.type(1 << (8 * array.itemsize - 1))
        keys = np.where(bits & top, ~bits, bits | top)
        is_nan = np.isnan(array)
        # All NaNs of the data have the same bits.
        return np.where(is_nan, bits.dtype.type(np.iinfo(bits.dtype).max), keys)
    if array.dtype.kind == "i":
        return array.view(f"u{array.itemsize}") ^ np.array(1 << (8 * array.itemsize - 1), f"u{array.itemsize}")
    return array


def argsort(array, descending=False):
    """The stable sorting permutation."""
    keys = order_bits(array)
    return np.argsort(~keys if descending else keys, kind="stable")


def same_bits(a, b):
    """Whether two arrays have the same dtype and bytes."""
    return a.dtype == b.dtype and a.tobytes() == b.tobytes()
