"""The order of rows by several columns."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arrays import output_of, view_of
from ._context import call
from ._dtypes import BYTES, type_of
from ._library import library
from .sorting import POSITION


class _Column(ctypes.Structure):
    """struct scankit_column."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("type", ctypes.c_int),
        ("size", ctypes.c_size_t),
        ("descending", ctypes.c_int),
    ]


def positions_by(keys: Sequence[tuple[Any, bool]]) -> Any:
    """The positions that sort rows by keys: arrays of one length, each with whether its greatest comes first."""
    views = [view_of(array) for array, _ in keys] or [view_of(np.empty(0, POSITION))]
    result = output_of(views[0], None, views[0].size, POSITION)
    columns = (_Column * len(keys))()
    for column, view, (_, descending) in zip(columns, views, keys):
        column.data = view.pointer
        column.type = BYTES if view.dtype.kind == "S" else type_of(view.dtype)
        column.size, column.descending = view.dtype.itemsize, descending
    function = library.scankit_sort_columns
    call(function, (*views, result), columns, len(keys), result.pointer, views[0].size, None)
    return result.array


def argsort_columns(columns: Sequence[Any], *, descending: bool | Sequence[bool] = False) -> Any:
    """The positions that sort rows by the first column, by the second one where that is equal, and so on.

        >>> age, size = np.array([30, 20, 20]), np.array([1.5, 1.8, 1.6])
        >>> scankit.argsort_columns([age, size], descending=[False, True])
        array([1, 2, 0])

    Args:
        columns: 1 to 64 arrays of n elements each: numbers, bools, or dtype S; all on one device.
        descending: the greatest elements first: for all columns, or one for each.

    Returns:
        n positions, int64. The sort is stable. numpy.lexsort() takes columns in the opposite order.

    Raises:
        TypeError: a dtype that the library has not; columns on several devices.
        ValueError: columns of several lengths, or not one `descending` for each.
        ArgumentError: no column, or more than 64.
    """
    orders = [descending] * len(columns) if isinstance(descending, (bool, np.bool_)) else list(descending)
    if len(orders) != len(columns):
        raise ValueError("there is not one descending for each column")
    if len({len(column) for column in columns}) > 1:
        raise ValueError("the columns have several lengths")
    return positions_by([(column, bool(order)) for column, order in zip(columns, orders)])
