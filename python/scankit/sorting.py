"""Sorts and merges.

The order of values: integers by value; floats by value, with -0.0 before 0.0 and every NaN last. All sorts are stable.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from ._arrays import View, check_overlap, output_of, view_of
from ._context import call
from ._dtypes import keys_of, size_of, type_of, whole_key
from ._library import SortOptions, library, reference

A = TypeVar("A")

POSITION = np.dtype("i8")
_options: dict[tuple[bool, tuple[int, int]], Any] = {}


def _options_of(descending: bool, bits: tuple[int, int]) -> Any:
    """A pointer to scankit_sort_options."""
    key = (bool(descending), bits)
    if key not in _options:
        _options[key] = reference(SortOptions(descending=descending, begin_bit=bits[0], end_bit=bits[1]))
    return _options[key]


def plain_options(descending: bool, bits: tuple[int, int] | None) -> Any:
    """The options, or None for the defaults."""
    return _options_of(descending, bits or (0, 0)) if descending or bits else None


def sort(a: A, *, descending: bool = False, bits: tuple[int, int] | None = None, out: A | None = None) -> A:
    """Sorts an array of numbers or of fixed-width bytes (dtype S).

        >>> scankit.sort(np.array([3.0, np.nan, -0.0, 0.0]))
        array([-0.,  0.,  3., nan])

    Args:
        a: n elements, of integers, bools, floats, or dtype S.
        descending: greatest first; equal elements still keep their order.
        bits: (begin, end); compares only these bits of integers. Bit 0 is the lowest.
        out: n elements of the same dtype; may be a, which sorts in place.

    Returns:
        out, or a new array of n elements.

    Raises:
        TypeError: a dtype that the library does not sort, or that is byte-swapped.
        ValueError: not one dimension; out does not fit or overlaps a in part.
        OutOfMemoryError: no room for n more elements of workspace.
    """
    view = view_of(a)
    result = output_of(view, out, view.size)
    if out is not None:
        check_overlap(result, view)
    if view.dtype.kind == "S":
        keys = whole_key(view.dtype, descending)
        size = view.dtype.itemsize
        call(library.scankit_sort_records, (view, result), size, keys, 1, view.pointer, result.pointer, view.size, None)
    else:
        options = plain_options(descending, bits)
        kind = type_of(view.dtype)
        call(library.scankit_sort, (view, result), kind, view.pointer, result.pointer, view.size, options)
    return result.array  # type: ignore[no-any-return]


def argsort(a: Any, *, descending: bool = False, bits: tuple[int, int] | None = None, out: Any = None) -> Any:
    """The positions that sort an array: a[argsort(a)] is sort(a).

        >>> scankit.argsort(np.array([30, 10, 20]))
        array([1, 2, 0])

    Args:
        a, descending, bits: as for sort().
        out: n positions, int64.

    Returns:
        out, or a new array of n int64.

    Raises: as sort().
    """
    view = view_of(a)
    result = output_of(view, out, view.size, POSITION)
    if out is not None:
        check_overlap(result, view, may_be_first=False)
    if view.dtype.kind == "S":
        _argsort_by(view, result, whole_key(view.dtype, descending))
    else:
        options = plain_options(descending, bits)
        kind = type_of(view.dtype)
        call(library.scankit_argsort, (view, result), kind, view.pointer, result.pointer, view.size, options)
    return result.array


def _argsort_by(view: View, result: View, keys: Any) -> None:
    size = view.dtype.itemsize
    function = library.scankit_argsort_records
    call(function, (view, result), size, keys, len(keys), view.pointer, result.pointer, view.size, None)


def sort_records(a: A, keys: str | list[str] | None = None, *, out: A | None = None) -> A:
    """Sorts records, the elements of a structured array, by their fields.

        >>> people = np.array([(30, b"Bo"), (20, b"Al"), (30, b"Al")], dtype=[("age", "u1"), ("name", "S2")])
        >>> scankit.sort_records(people, "age:desc,name")["name"]
        array([b'Al', b'Bo', b'Al'], dtype='|S2')

    Args:
        a: n records, with fields of numbers in either byte order, or of bytes.
        keys: fields' names, each with ":desc" for greatest first, in a list or with commas; a field of a field by
            "outer.inner". At most 64. None: all fields, in their order.
        out: n records of the same dtype; may be a.

    Returns:
        out, or a new array of n records.

    Raises:
        ArgumentError: no field of such a name.
        TypeError: no structured dtype; a key that the library does not sort.
        ValueError: as for sort().
    """
    view = view_of(a)
    found = keys_of(view.dtype, keys)
    result = output_of(view, out, view.size)
    if out is not None:
        check_overlap(result, view)
    size, function = size_of(view.dtype), library.scankit_sort_records
    call(function, (view, result), size, found, len(found), view.pointer, result.pointer, view.size, None)
    return result.array  # type: ignore[no-any-return]


def argsort_records(a: Any, keys: str | list[str] | None = None, *, out: Any = None) -> Any:
    """The positions that sort records, as n int64. Arguments and errors are as for sort_records()."""
    view = view_of(a)
    found = keys_of(view.dtype, keys)
    result = output_of(view, out, view.size, POSITION)
    if out is not None:
        check_overlap(result, view, may_be_first=False)
    _argsort_by(view, result, found)
    return result.array


def _prepare_merge(arrays: Sequence[Any], out: Any) -> tuple[list[View], View]:
    """The inputs and the output."""
    if not arrays:
        raise ValueError("no arrays to merge")
    views = [view_of(array) for array in arrays]
    size = 0
    for view in views:
        size += view.size
        if view.dtype != views[0].dtype:
            raise TypeError(f"arrays of two dtypes: {views[0].dtype} and {view.dtype}")
    result = output_of(views[0], out, size)
    if out is not None:
        check_overlap(result, *views, may_be_first=False)
    return views, result


def _many(views: list[View], result: View) -> tuple[Any, ...]:
    """The inputs and the output as arguments: the number of arrays, C arrays of pointers and counts, the output."""
    pointers = (ctypes.c_void_p * len(views))(*[view.pointer for view in views])
    counts = (ctypes.c_size_t * len(views))(*[view.size for view in views])
    return len(views), pointers, counts, result.pointer


def merge(*arrays: A, descending: bool = False, out: A | None = None) -> A:
    """Merges sorted arrays into one. Stable: of equal elements, those from the earlier array come first.

        >>> scankit.merge(np.array([1, 4]), np.array([2, 3, 5]))
        array([1, 2, 3, 4, 5])

    Args:
        arrays: one or more, of n1, n2, ... elements of one dtype, each sorted. If one is not, the result is
            unspecified.
        descending: they are sorted with the greatest first.
        out: n1 + n2 + ... elements; overlaps no input.

    Returns:
        out, or a new array.

    Raises: as sort().
    """
    views, result = _prepare_merge(arrays, out)
    options = plain_options(descending, None)
    if views[0].dtype.kind == "S":
        _merge_by(views, result, whole_key(views[0].dtype, descending))
    elif len(views) == 2:
        (a, b), kind = views, type_of(views[0].dtype)
        arguments = (a.pointer, a.size, b.pointer, b.size, result.pointer, options)
        call(library.scankit_merge, (a, b, result), kind, *arguments)
    else:
        kind = type_of(views[0].dtype)
        call(library.scankit_merge_many, (*views, result), kind, *_many(views, result), options)
    return result.array  # type: ignore[no-any-return]


def _merge_by(views: list[View], result: View, keys: Any) -> None:
    size = size_of(views[0].dtype)
    call(library.scankit_merge_many_records, (*views, result), size, keys, len(keys), *_many(views, result))


def merge_records(*arrays: A, keys: str | list[str] | None = None, out: A | None = None) -> A:
    """Merges arrays of records that are sorted by keys; see sort_records() and merge()."""
    views, result = _prepare_merge(arrays, out)
    _merge_by(views, result, keys_of(views[0].dtype, keys))
    return result.array  # type: ignore[no-any-return]
