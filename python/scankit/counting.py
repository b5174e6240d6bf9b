"""Histograms."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arrays import check_overlap, output_of, view_of
from ._context import call
from ._dtypes import type_of
from ._library import library
from .scanning import reduce

_EVEN, _EDGES = 0, 1


class _Bins(ctypes.Structure):
    """struct scankit_bins."""

    _fields_ = [
        ("kind", ctypes.c_int),
        ("count", ctypes.c_size_t),
        ("low", ctypes.c_double),
        ("high", ctypes.c_double),
        ("edges", ctypes.c_void_p),
        ("first", ctypes.c_uint64),
    ]


def _ends(a: Any, size: int, dtype: np.dtype[Any]) -> tuple[float, float]:
    """The least and the greatest element; for equal ones, a range of one around them or, of integers, above them."""
    if size == 0:
        return 0.0, 1.0
    low, high = float(reduce(a, "min")), float(reduce(a, "max"))
    if low < high:
        return low, high
    return (low - 0.5, high + 0.5) if dtype.kind == "f" else (low, high + 1)


def _even(number: int, low: float, high: float, dtype: np.dtype[Any]) -> tuple[_Bins, Any]:
    if dtype.kind != "f" and not (float(low).is_integer() and float(high).is_integer()):
        raise ValueError("the range of a histogram of integers has integers as its ends")
    return _Bins(_EVEN, number, low, high, None, 0), np.linspace(low, high, number + 1)


def _edges(bins: Any, dtype: np.dtype[Any]) -> tuple[_Bins, Any]:
    given = np.asarray(bins)
    edges = np.ascontiguousarray(given.astype(dtype))
    if given.ndim != 1 or given.size < 2 or not np.array_equal(edges, given):
        raise ValueError(f"bins are a number, or two or more edges of {dtype}")
    return _Bins(_EDGES, edges.size - 1, 0, 0, edges.ctypes.data, 0), edges


def _sums_of(weights: Any) -> np.dtype[Any]:
    if weights is None or weights.dtype.kind == "i":
        return np.dtype(np.int64)
    return np.dtype(np.uint64 if weights.dtype.kind == "u" else np.float64)


def histogram(
    a: Any,
    bins: int | Sequence[Any] | np.ndarray[Any, Any] = 10,
    range: tuple[float, float] | None = None,  # noqa: A002 - NumPy's name
    *,
    weights: Any = None,
    out: Any = None,
) -> tuple[Any, np.ndarray[Any, Any]]:
    """The number of elements in each bin, as numpy.histogram() counts them.

        >>> counts, edges = scankit.histogram(np.array([1, 2, 1, 9]), 2, (0, 10))
        >>> counts
        array([3, 1])
        >>> edges
        array([ 0.,  5., 10.])

    Args:
        a: n numbers.
        bins: the number of bins of one width, 1 to 2^24; or their edges, not descending, numbers of a's dtype. Each bin
            has its lower edge and not its upper one, but the last has both.
        range: the lowest and the highest edge of bins of one width; the least and the greatest element otherwise.
            Integers for integers.
        weights: n numbers, which are added up instead of ones; float sums have the same bits on every run.
        out: as many elements as bins, of the dtype below; overlaps no input.

    Returns:
        The counts: out, or a new array of int64; with weights, sums of int64, uint64 or float64. And the edges, a NumPy
        array. NaNs and elements outside of all bins are not counted.

    Raises:
        ValueError: bins or range are no bins of a's dtype; weights have another length.
        TypeError, OutOfMemoryError: as sort().
        ArgumentError: too many bins, edges that descend, a range that is empty.
    """
    view, added = view_of(a), None if weights is None else view_of(weights)
    if added is not None and added.size != view.size:
        raise ValueError("there is not one weight for each element")
    if isinstance(bins, (int, np.integer)):
        low, high = _ends(a, view.size, view.dtype) if range is None else range
        what, edges = _even(int(bins), low, high, view.dtype)
    else:
        what, edges = _edges(bins, view.dtype)
    result = output_of(view, out, what.count, _sums_of(added))
    views = (view, result) if added is None else (view, added, result)
    if out is not None:
        check_overlap(result, *views[:-1], may_be_first=False)
    kind = type_of(view.dtype)
    weight_kind, weight_pointer = (kind, None) if added is None else (type_of(added.dtype), added.pointer)
    call(library.scankit_histogram, views, kind, view.pointer, view.size, ctypes.byref(what), weight_kind,
         weight_pointer, result.pointer)  # fmt: skip
    return result.array, edges
