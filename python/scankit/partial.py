"""Sorts of a part: the first elements, and the elements of each segment.

The order of values is that of sorting.sort(), and all sorts are stable.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from ._arrays import check_overlap, output_of, view_of
from ._context import call
from ._dtypes import type_of
from ._library import library
from .scanning import check_offsets
from .sorting import POSITION, plain_options

A = TypeVar("A")


def top_k(a: A, k: int, *, descending: bool = False, out: A | None = None) -> A:
    """The first k elements of sort(a). For a small k this takes about as long as reading a.

        >>> scankit.top_k(np.array([30, 10, 20, 40]), 2, descending=True)
        array([40, 30])

    Args:
        a: n numbers.
        k: 0 to n.
        descending: the greatest elements first.
        out: k elements of the same dtype; overlaps no part of a.

    Returns:
        out, or a new array of k elements.

    Raises:
        TypeError, ValueError, OutOfMemoryError: as sort().
        ArgumentError: k is more than n.
    """
    view = view_of(a)
    result = output_of(view, out, k)
    if out is not None:
        check_overlap(result, view, may_be_first=False)
    options, kind = plain_options(descending, None), type_of(view.dtype)
    call(library.scankit_top_k, (view, result), kind, view.pointer, result.pointer, view.size, k, options)
    return result.array  # type: ignore[no-any-return]


def top_k_positions(a: Any, k: int, *, descending: bool = False, out: Any = None) -> Any:
    """The first k positions of argsort(a), as int64. Arguments and errors are as for top_k().

    >>> scankit.top_k_positions(np.array([30, 10, 20, 40]), 2)
    array([1, 2])
    """
    view = view_of(a)
    result = output_of(view, out, k, POSITION)
    if out is not None:
        check_overlap(result, view, may_be_first=False)
    options, kind = plain_options(descending, None), type_of(view.dtype)
    call(library.scankit_top_k_positions, (view, result), kind, view.pointer, result.pointer, view.size, k, options)
    return result.array


def _segmented(function: Any, a: Any, offsets: Any, descending: bool, out: Any, dtype: np.dtype[Any] | None) -> Any:
    view, ends = view_of(a), view_of(offsets)
    check_offsets(ends, view.size)
    result = output_of(view, out, view.size, dtype)
    if out is not None:
        check_overlap(result, view, ends, may_be_first=dtype is None)
    arguments = (view.pointer, result.pointer, view.size, ends.pointer, ends.size - 1, plain_options(descending, None))
    call(function, (view, ends, result), type_of(view.dtype), *arguments)
    return result.array


def segmented_sort(a: A, offsets: Any, *, descending: bool = False, out: A | None = None) -> A:
    """Sorts each segment by itself.

        >>> scankit.segmented_sort(np.array([3, 1, 2, 9, 7]), np.array([0, 3, 5]))
        array([1, 2, 3, 7, 9])

    Args:
        a: n numbers.
        offsets: s + 1 int64 or uint64, ascending; segment k is a[offsets[k]:offsets[k + 1]]. Elements outside of
            segments stay where they are. On a GPU offsets are not checked.
        descending: greatest first.
        out: n elements of the same dtype; may be a.

    Returns:
        out, or a new array of n elements.

    Raises:
        TypeError, ValueError, OutOfMemoryError: as sort(); and for offsets, as segmented_reduce().
    """
    return _segmented(library.scankit_segmented_sort, a, offsets, descending, out, None)  # type: ignore[no-any-return]


def segmented_argsort(a: Any, offsets: Any, *, descending: bool = False, out: Any = None) -> Any:
    """The positions in a that segmented_sort() takes elements from, as n int64. Arguments and errors are as there.

    >>> scankit.segmented_argsort(np.array([3, 1, 2, 9, 7]), np.array([0, 3, 5]))
    array([1, 2, 0, 4, 3])
    """
    return _segmented(library.scankit_segmented_argsort, a, offsets, descending, out, POSITION)
