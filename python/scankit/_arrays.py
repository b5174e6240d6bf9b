"""Views: the memory of an array of NumPy, CuPy, PyTorch or any package with one of the array protocols."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import _arrow
from ._arrow_abi import has_arrow
from ._dlpack import Described, describe
from ._frameworks import _LEGACY_STREAM, framework_of

_NOTHING = ctypes.c_char * 0
_address = ctypes.addressof
_from_buffer: Any = _NOTHING.from_buffer


class View:
    """The elements of a one-dimensional array.

    array: the array, or its contiguous copy; it keeps the memory. pointer, size (elements), dtype: the memory.
    place: "cpu" or "cuda:N". stream: of a GPU, the stream on which the caller works with it, or None.
    """

    __slots__ = ("array", "pointer", "size", "dtype", "place", "stream", "owner")

    def __init__(
        self,
        array: Any,
        pointer: int,
        size: int,
        dtype: np.dtype[Any],
        place: str = "cpu",
        stream: int | None = None,
        owner: Any = None,
    ) -> None:
        self.array = array
        self.pointer = pointer
        self.size = size
        self.dtype = dtype
        self.place = place
        self.stream = stream
        self.owner = owner


def view_of(array: Any) -> View:
    """An input. An array that is not contiguous or not aligned is copied.

    Raises:
        TypeError: no array, or an array of Python objects.
        ValueError: not one dimension.
    """
    return _fast_view(array) or _view_of_any(array, False)


def _fast_view(array: Any) -> View | None:
    """The view of a usual array of NumPy, which fits as an input and as an output; None for all others."""
    if type(array) is np.ndarray and array.ndim == 1 and array.flags.carray:
        dtype = array.dtype
        # Four times as fast as array.ctypes.data. Dates have no buffers, and records may hold objects.
        if dtype.kind not in "OmMV":
            return View(array, _address(_from_buffer(array)), array.size, dtype)
    return None


def _view_of_any(array: Any, is_output: bool) -> View:
    if isinstance(array, np.ndarray):
        return _view_of_numpy(array, is_output)
    described = _described(array)
    if len(described.shape) != 1:
        raise ValueError(f"an array of {len(described.shape)} dimensions; flatten it: a.reshape(-1)")
    size = described.shape[0]
    if described.strides is not None and size > 1 and described.strides[0] != described.dtype.itemsize:
        if is_output:
            raise ValueError("out is not contiguous")
        return _view_of_any(framework_of(array).contiguous(array), False)
    if is_output and not described.writable:
        raise ValueError("out is read-only")
    return View(array, described.pointer, size, described.dtype, described.place, described.stream, described.owner)


def _view_of_numpy(array: np.ndarray[Any, Any], is_output: bool) -> View:
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("masked arrays are not supported; see numpy.ma.compressed()")
    if array.dtype.hasobject:
        raise TypeError("arrays of Python objects are not supported")
    if array.ndim != 1:
        raise ValueError(f"an array of {array.ndim} dimensions; flatten it: a.reshape(-1)")
    fits = array.flags.c_contiguous and array.flags.aligned
    if is_output and not (fits and array.flags.writeable):
        raise ValueError("out is read-only" if fits else "out is not contiguous or not aligned")
    kept = array if fits else np.require(array, requirements=["C", "A"])
    return View(kept, kept.ctypes.data, kept.size, kept.dtype)


def _described(array: Any) -> Described:
    """What the array's protocol says: CUDA's first, then NumPy's, Arrow's, and DLPack."""
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is not None:
        return _described_by_cuda(array, interface)
    if hasattr(array, "__array_interface__"):
        host = np.asarray(array)
        strides = None if host.flags.c_contiguous else host.strides
        return Described(host.ctypes.data, host.shape, strides, host.dtype, "cpu", None, host.flags.writeable, host)
    if has_arrow(array):
        return _arrow.describe(array)
    if hasattr(array, "__dlpack__"):
        return describe(array)
    raise TypeError(f"{type(array).__name__} is no array; for sequences: numpy.asarray(a)")


def _described_by_cuda(array: Any, interface: dict[str, Any]) -> Described:
    """What __cuda_array_interface__ says, versions 2 and 3."""
    if interface.get("version", 0) < 2:
        raise TypeError(f"{type(array).__name__}: __cuda_array_interface__ of a version before 2")
    if interface.get("mask") is not None:
        raise TypeError("masked arrays are not supported")
    number = _number_of_gpu(array)
    # Version 2 has no stream: the work may be pending on the default stream.
    protocol = interface.get("stream", None if interface["version"] >= 3 else _LEGACY_STREAM)
    if protocol == 0:
        raise ValueError("__cuda_array_interface__: the stream 0 is not allowed")
    stream = framework_of(array).stream(array, number, protocol)
    typestr, fields = interface["typestr"], interface.get("descr")
    dtype = np.dtype([tuple(field) for field in fields] if fields and typestr[1] == "V" else typestr)
    pointer, is_read_only = interface["data"]
    shape, strides = tuple(interface["shape"]), interface.get("strides")
    return Described(pointer or 0, shape, strides, dtype, f"cuda:{number}", stream, not is_read_only, array)


def _number_of_gpu(array: Any) -> int:
    """The GPU of an array. Packages that do not say it have one GPU."""
    if hasattr(array, "__dlpack_device__"):
        return int(array.__dlpack_device__()[1])
    device = getattr(array, "device", None)
    number = getattr(device, "index", getattr(device, "id", 0))
    return number if isinstance(number, int) else 0


def output_of(like: View, out: Any, size: int, dtype: np.dtype[Any] | None = None) -> View:
    """An output of this size and dtype (by default that of the input) beside an input: out, or a new array.

    Raises:
        TypeError: out has another dtype.
        ValueError: out has another size, is not contiguous, or is read-only.
    """
    dtype = like.dtype if dtype is None else dtype
    if out is None:
        if type(like.array) is np.ndarray:
            array = np.empty(size, dtype)
            pointer = array.ctypes.data if dtype.kind in "mM" else _address(_from_buffer(array))
            return View(array, pointer, size, dtype)
        return view_of(framework_of(like.array).empty(size, dtype, like.array, like.place))
    view = _fast_view(out) or _view_of_any(out, True)
    if view.dtype != dtype:
        raise TypeError(f"out has dtype {view.dtype}; it should be {dtype}")
    if view.size != size:
        raise ValueError(f"out has {view.size} elements; it should have {size}")
    return view


def check_overlap(out: View, *inputs: View, may_be_first: bool = True) -> None:
    """Raises ValueError if an output overlaps an input, unless it is the first one."""
    begin, end = out.pointer, out.pointer + out.size * out.dtype.itemsize
    for number, view in enumerate(inputs):
        is_same = may_be_first and number == 0 and view.pointer == begin and view.dtype.itemsize == out.dtype.itemsize
        if not is_same and view.pointer < end and begin < view.pointer + view.size * view.dtype.itemsize:
            raise ValueError("out overlaps an input")


def first_of(view: View, out: Any, count: int) -> Any:
    """The first elements of an output. A new array of NumPy gives the rest of its memory back."""
    if count == view.size:
        return view.array
    if out is None and type(view.array) is np.ndarray and view.array.base is None:
        view.array.resize(count, refcheck=False)
        return view.array
    return view.array[:count]
