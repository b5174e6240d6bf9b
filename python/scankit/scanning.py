"""Scans (prefix sums) and reductions, of whole arrays and of segments.

Operators: sum, prod, min, max; and, or, xor of integers and bools; affine of unsigned integers. Results have the dtype
of the array: integers wrap. For wider sums, convert first: scankit.cumsum(a.astype("i8")).
"""

from __future__ import annotations

import ctypes
from typing import Any, TypeVar

import numpy as np

from ._arrays import View, check_overlap, output_of, view_of
from ._context import call
from ._dtypes import operator_of, type_of
from ._library import library

A = TypeVar("A")

_INCLUSIVE, _EXCLUSIVE = 0, 1


def _initial_of(initial: Any, view: View) -> tuple[Any, Any]:
    """One element in host memory: a pointer, and the array that keeps it."""
    if initial is None:
        return None, None
    is_float = view.dtype.kind == "f"
    kept = np.array([initial]).astype(view.dtype, casting="same_kind") if is_float else _exact(initial, view)
    return kept.ctypes.data, kept


def _exact(initial: Any, view: View) -> np.ndarray[Any, Any]:
    """An integer that fits the dtype."""
    kept = np.array([initial], view.dtype)
    if kept[0] != initial:
        raise ValueError(f"initial = {initial} does not fit {view.dtype}")
    return kept


def scan(a: A, op: str = "sum", *, exclusive: bool = False, initial: Any = None, out: A | None = None) -> A:
    """Combines each element with all elements before it.

        >>> scankit.scan(np.array([3, 1, 2]), "max")
        array([3, 3, 3])
        >>> scankit.scan(np.array([3, 1, 2]), exclusive=True)
        array([0, 3, 4])

    Args:
        a: n numbers.
        op: the operator.
        exclusive: result i is without element i; result 0 is the operator's identity.
        initial: a number that is combined in front of element 0.
        out: n elements of the same dtype; may be a.

    Returns:
        out, or a new array of n elements.

    Raises:
        ArgumentError: no such operator, or not for this dtype.
        TypeError: a dtype without operators.
        ValueError: not one dimension; out does not fit; initial does not fit.
    """
    view = view_of(a)
    kind, operator = type_of(view.dtype), operator_of(op, view.dtype)
    result = output_of(view, out, view.size)
    if out is not None:
        check_overlap(result, view)
    pointer, _kept = (None, None) if initial is None else _initial_of(initial, view)
    how = _EXCLUSIVE if exclusive else _INCLUSIVE
    call(library.scankit_scan, (view, result), kind, operator, how, pointer, view.pointer, result.pointer, view.size)
    return result.array  # type: ignore[no-any-return]


def cumsum(a: A, *, out: A | None = None) -> A:
    """Running sums; scan(a, "sum"). Unlike numpy.cumsum() the result has a's dtype, and integers wrap."""
    return scan(a, "sum", out=out)


def cumprod(a: A, *, out: A | None = None) -> A:
    """Running products; scan(a, "prod")."""
    return scan(a, "prod", out=out)


def cummin(a: A, *, out: A | None = None) -> A:
    """Running minima; scan(a, "min"). NaNs are greater than all numbers."""
    return scan(a, "min", out=out)


def cummax(a: A, *, out: A | None = None) -> A:
    """Running maxima; scan(a, "max"). NaNs are greater than all numbers."""
    return scan(a, "max", out=out)


def reduce(a: Any, op: str = "sum") -> Any:
    """Combines all elements. On a GPU it waits for the result.

        >>> int(scankit.reduce(np.array([3, 1, 2]), "min"))
        1

    Args:
        a: n numbers.
        op: the operator.

    Returns:
        a NumPy scalar of a's dtype; the operator's identity for n = 0.

    Raises: as scan().
    """
    view = view_of(a)
    kind, operator = type_of(view.dtype), operator_of(op, view.dtype)
    result = view_of(np.empty(1, view.dtype))
    call(library.scankit_reduce, (view,), kind, operator, view.pointer, result.pointer, view.size)
    return result.array[0]


def bytes_of(flags: Any, size: int, name: str) -> View:
    """An array of flags: bools or uint8, one for each element."""
    view = view_of(flags)
    if view.dtype not in (np.dtype("?"), np.dtype("u1")):
        raise TypeError(f"{name} has dtype {view.dtype}; it should be bool or uint8")
    if view.size != size:
        raise ValueError(f"{name} has {view.size} elements; it should have {size}")
    return view


def segmented_scan(
    a: A, heads: Any, op: str = "sum", *, exclusive: bool = False, initial: Any = None, out: A | None = None
) -> A:
    """A scan that restarts at each head.

        >>> scankit.segmented_scan(np.array([1, 2, 3, 4]), np.array([1, 0, 1, 0], bool))
        array([1, 3, 3, 7])

    Args:
        a, op, exclusive, out: as for scan().
        heads: n bools or uint8; an element whose head is not 0 begins a segment.
        initial: a number that is combined in front of element 0, unless that is a head.

    Returns:
        out, or a new array of n elements.

    Raises: as scan().
    """
    view = view_of(a)
    flags = bytes_of(heads, view.size, "heads")
    kind, operator = type_of(view.dtype), operator_of(op, view.dtype)
    result = output_of(view, out, view.size)
    if out is not None:
        check_overlap(result, view, flags)
    pointer, _kept = _initial_of(initial, view)
    how, function = (_EXCLUSIVE if exclusive else _INCLUSIVE), library.scankit_segmented_scan
    arguments = (kind, operator, how, pointer, view.pointer, flags.pointer, result.pointer, view.size)
    call(function, (view, flags, result), *arguments)
    return result.array  # type: ignore[no-any-return]


def check_offsets(offsets: View, size: int) -> None:
    """Raises unless the offsets are n + 1 int64 or uint64 and, on a CPU, ascend within the array."""
    if offsets.dtype not in (np.dtype("i8"), np.dtype("u8")):
        raise TypeError(f"offsets has dtype {offsets.dtype}; it should be int64 or uint64")
    if offsets.size == 0:
        raise ValueError("offsets has no elements; it should have one more than there are segments")
    if offsets.place == "cpu":
        values = np.ctypeslib.as_array((ctypes.c_uint64 * offsets.size).from_address(offsets.pointer))
        if int(values[-1]) > size or bool(np.any(values[1:] < values[:-1])):
            raise ValueError("offsets must ascend, from 0 or more to at most the number of elements")


def segmented_reduce(a: A, offsets: Any, op: str = "sum", *, out: A | None = None) -> A:
    """Combines the elements of each segment.

        >>> scankit.segmented_reduce(np.array([1, 2, 3, 4]), np.array([0, 2, 2, 4]))
        array([3, 0, 7])

    Args:
        a: n numbers.
        offsets: s + 1 int64 or uint64, ascending; segment k is a[offsets[k]:offsets[k + 1]]. On a GPU they are not
            checked.
        op: the operator.
        out: s elements; overlaps no input.

    Returns:
        out, or a new array of s elements; the operator's identity for an empty segment.

    Raises: as scan(); ValueError also for offsets that descend or that lie beyond a.
    """
    view, ends = view_of(a), view_of(offsets)
    check_offsets(ends, view.size)
    kind, operator = type_of(view.dtype), operator_of(op, view.dtype)
    result = output_of(view, out, ends.size - 1)
    if out is not None:
        check_overlap(result, view, ends, may_be_first=False)
    arguments = (kind, operator, view.pointer, ends.pointer, result.pointer, ends.size - 1)
    call(library.scankit_segmented_reduce, (view, ends, result), *arguments)
    return result.array  # type: ignore[no-any-return]
