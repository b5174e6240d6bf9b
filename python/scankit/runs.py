"""Runs: adjacent equal elements.

Elements are equal if all their bytes are or, with keys, if the bytes of these fields are. So 0.0 and -0.0 are two runs,
as are two different NaNs.
"""

from __future__ import annotations

import ctypes
from typing import Any, TypeVar

import numpy as np

from ._arrays import View, check_overlap, first_of, output_of, view_of
from ._context import call
from ._dtypes import keys_of, operator_of, size_of, type_of
from ._library import RunOptions, library, reference

A = TypeVar("A")
V = TypeVar("V")

_COUNT = np.dtype("i8")


def _options_of(view: View, keys: str | list[str] | None) -> Any:
    """A pointer to scankit_run_options, or None for whole elements."""
    if keys is None:
        return None
    found = keys_of(view.dtype, keys)
    return reference(RunOptions(found, len(found)))


def unique(a: A, *, keys: str | list[str] | None = None, out: A | None = None) -> A:
    """Keeps the first element of each run. Of a sorted array these are its distinct elements.

        >>> scankit.unique(scankit.sort(np.array([3, 1, 3, 1])))
        array([1, 3])

    Args:
        a: n elements, of any dtype but objects.
        keys: fields of records, as for sort_records(); without ":desc".
        out: n elements; may be a.

    Returns:
        the first elements of the m runs: a new array, or the first m of out.

    Raises:
        TypeError, ValueError: an array of a wrong dtype or size.
    """
    view = view_of(a)
    size = size_of(view.dtype)
    result = output_of(view, out, view.size)
    if out is not None:
        check_overlap(result, view)
    count = ctypes.c_size_t()
    options = _options_of(view, keys)
    arguments = (size, view.pointer, result.pointer, view.size, options, ctypes.byref(count))
    call(library.scankit_unique, (view, result), *arguments)
    return first_of(result, out, count.value)  # type: ignore[no-any-return]


def run_length_encode(a: A, *, keys: str | list[str] | None = None) -> tuple[A, Any]:
    """The runs of an array, as values and lengths.

        >>> scankit.run_length_encode(np.array([7, 7, 7, 5]))
        (array([7, 5]), array([3, 1]))

    Args:
        a, keys: as for unique().

    Returns:
        the first elements of the m runs, and their lengths in elements, m int64.

    Raises: as unique().
    """
    view = view_of(a)
    size = size_of(view.dtype)
    values, counts = output_of(view, None, view.size), output_of(view, None, view.size, _COUNT)
    runs = ctypes.c_size_t()
    arguments = (size, view.pointer, values.pointer, counts.pointer, view.size, _options_of(view, keys))
    call(library.scankit_run_length_encode, (view, values, counts), *arguments, ctypes.byref(runs))
    return first_of(values, None, runs.value), first_of(counts, None, runs.value)


def run_length_decode(values: A, counts: Any, *, out: A | None = None) -> A:
    """Repeats each value as often as its count says; the inverse of run_length_encode().

        >>> scankit.run_length_decode(np.array([7, 5]), np.array([3, 1]))
        array([7, 7, 7, 5])

    Args:
        values: m elements, of any dtype but objects.
        counts: m int64 or uint64, not negative. 0 is allowed.
        out: as many elements as the counts add up to, or more; overlaps no input.

    Returns:
        the n elements: a new array, or the first n of out.

    Raises:
        ArgumentError: out is too small; a negative count; counts that do not fit the address space.
        TypeError, ValueError: arrays of a wrong dtype or size.
    """
    view, lengths = view_of(values), view_of(counts)
    if lengths.dtype not in (np.dtype("i8"), np.dtype("u8")):
        raise TypeError(f"counts has dtype {lengths.dtype}; it should be int64 or uint64")
    if lengths.size != view.size:
        raise ValueError(f"counts has {lengths.size} elements; it should have {view.size}")
    size, total, function = size_of(view.dtype), ctypes.c_size_t(), library.scankit_run_length_decode
    inputs = (size, view.pointer, lengths.pointer, view.size)
    if out is None:
        call(function, (view, lengths), *inputs, None, 0, ctypes.byref(total))
        result = output_of(view, None, total.value)
    else:
        result = view_of_room(view, out)
        check_overlap(result, view, lengths, may_be_first=False)
    call(function, (view, lengths, result), *inputs, result.pointer, result.size, ctypes.byref(total))
    return first_of(result, out, total.value)  # type: ignore[no-any-return]


def view_of_room(like: View, out: Any) -> View:
    """An output of any size."""
    return output_of(like, out, view_of(out).size)


def reduce_by_key(
    keys: A, values: V, op: str = "sum", *, fields: str | list[str] | None = None
) -> tuple[A, V]:
    """Combines the values of each run of equal keys.

        >>> scankit.reduce_by_key(np.array([1, 1, 2]), np.array([10, 20, 30]))
        (array([1, 2]), array([30, 30]))

    Args:
        keys: n elements, of any dtype but objects.
        values: n numbers.
        op: the operator, as for scan().
        fields: the fields of keys that are compared, if they are records.

    Returns:
        the first keys of the m runs, and the m combinations.

    Raises:
        ArgumentError: no such operator, or not for this dtype.
        TypeError, ValueError: arrays of a wrong dtype or size.
    """
    labels, view = view_of(keys), view_of(values)
    if labels.size != view.size:
        raise ValueError(f"keys has {labels.size} elements, and values {view.size}")
    size, kind, operator = size_of(labels.dtype), type_of(view.dtype), operator_of(op, view.dtype)
    heads, results = output_of(labels, None, view.size), output_of(view, None, view.size)
    runs = ctypes.c_size_t()
    inputs = (size, labels.pointer, kind, operator, view.pointer)
    ends = (heads.pointer, results.pointer, view.size, _options_of(labels, fields), ctypes.byref(runs))
    call(library.scankit_reduce_by_key, (labels, view, heads, results), *inputs, *ends)
    return first_of(heads, None, runs.value), first_of(results, None, runs.value)
