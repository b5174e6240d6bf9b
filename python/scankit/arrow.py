"""Tables and arrays of Arrow: of pyarrow, polars, DuckDB, or any package with the Arrow PyCapsule interface."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, Union

import numpy as np

from ._arrays import view_of
from ._arrow import Column, columns_of
from ._arrow_export import capsule_of_array, capsule_of_schema, format_of
from .columns import positions_by

Order = Sequence[Union[str, tuple[str, str]]]


class ArrowArray:
    """An array that every package of Arrow reads without a copy: pyarrow.array(x), polars.Series(x).

    Attributes:
        values: the array of NumPy. It must not change while it is read.
    """

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        format_of(values.dtype)
        self.values = values

    def __len__(self) -> int:
        return int(self.values.size)

    def __repr__(self) -> str:
        return f"<scankit.ArrowArray of {self.values.size} {self.values.dtype}>"

    def __arrow_c_schema__(self) -> Any:
        return capsule_of_schema(self.values.dtype)

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        return capsule_of_schema(self.values.dtype), capsule_of_array(self.values)


def to_arrow(a: Any) -> ArrowArray:
    """An array on the CPU, such as a result of this package, as an array of Arrow without nulls.

        >>> scankit.to_arrow(scankit.sort(np.array([3, 1, 2], "u4")))
        <scankit.ArrowArray of 3 uint32>

    Args:
        a: n elements, of integers, floats, or dtype S. Bools are packed in Arrow; make them a.view("u1").

    Returns:
        n elements. The memory is that of a, unless a is not contiguous.

    Raises:
        TypeError: a dtype that Arrow has not with the same bytes, or an array on a GPU.
    """
    view = view_of(a)
    if view.place != "cpu":
        raise TypeError("arrays on a GPU cannot be given to Arrow")
    if isinstance(view.array, np.ndarray):
        return ArrowArray(view.array)
    if isinstance(view.owner, np.ndarray):
        return ArrowArray(view.owner)
    return ArrowArray(np.from_dlpack(view.array))


def _column_and_order(key: str | tuple[str, str]) -> tuple[str, bool]:
    """The name, and whether the greatest comes first."""
    name, order = (key, "ascending") if isinstance(key, str) else key
    if order not in ("ascending", "descending"):
        raise ValueError(f"the order {order!r} is neither 'ascending' nor 'descending'")
    return name, order == "descending"


def _keys_of(column: Column, descending: bool, nulls: str) -> list[tuple[np.ndarray[Any, Any], bool]]:
    """The columns to sort by. One with nulls is two: whether there is a value, and a copy that is zero at nulls."""
    values = np.require(column.values, requirements=["A"])
    if column.valid is None:
        return [(values, descending)]
    kept = np.zeros_like(values)
    np.copyto(kept, values, where=column.valid)
    return [(column.valid.view("u1"), nulls == "last"), (kept, descending)]


def argsort_table(table: Any, by: str | Order, *, nulls: str = "last") -> Any:
    """The positions that sort the rows of a table by its columns: table.take(positions) is sort_table(table, by).

        >>> scankit.argsort_table(table, ["age", ("size", "descending")])         # doctest: +SKIP
        array([2, 0, 1])

    Args:
        table: n rows: pyarrow's Table or RecordBatch, polars' DataFrame, a relation of DuckDB, or any object with
            __arrow_c_stream__ or __arrow_c_array__. Of the columns, only those in `by` are read, without a copy; one
            of several chunks, of bools, or with nulls is copied.
        by: columns, each by its name or as (name, "ascending" or "descending"); or one name. Numbers, bools, dates,
            times, durations, or bytes of fixed width. At most 64, where one with nulls counts twice.
        nulls: "first" or "last", in both orders.

    Returns:
        n positions, int64. The sort is stable.

    Raises:
        TypeError: no table; a column whose elements have no fixed width.
        ValueError: no such column; by or nulls is malformed.
        ArgumentError: no column, or more than 64.
    """
    if nulls not in ("first", "last"):
        raise ValueError(f"nulls={nulls!r} is neither 'first' nor 'last'")
    order = [_column_and_order(key) for key in ([by] if isinstance(by, str) else by)]
    columns = columns_of(table, [name for name, _ in order])
    keys = [key for column, (_, desc) in zip(columns, order) for key in _keys_of(column, desc, nulls)]
    return positions_by(keys)


def sort_table(table: Any, by: str | Order, *, nulls: str = "last") -> Any:
    """Sorts the rows of a table by its columns.

        >>> scankit.sort_table(table, ["age", ("size", "descending")])            # doctest: +SKIP

    Args:
        table, by, nulls: as for argsort_table().

    Returns:
        polars' DataFrame, for one of these; otherwise pyarrow's Table, for which pyarrow is needed. Its own library
        gathers the rows.

    Raises: as argsort_table().
    """
    if type(table).__module__.partition(".")[0] == "polars":
        return table[argsort_table(table, by, nulls=nulls)]
    pyarrow: Any = importlib.import_module("pyarrow")
    # A stream can be read once.
    rows = table if isinstance(table, pyarrow.Table) else pyarrow.table(table)
    return rows.take(pyarrow.array(argsort_table(rows, by, nulls=nulls)))
