"""Compaction and splits: by a mask, by a predicate, or by a digit.

A predicate is a C expression in which x is the element and i its position; the fields of a record are used by name:
"x > 3 && i % 2 == 0", "price > 1.5 && symbol == \\"AAPL\\"", "x in {3, 5, 8..13}". scankit(3) describes the language.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from ._arrays import View, check_overlap, first_of, output_of, view_of
from ._context import call
from ._dtypes import Layout, size_of, type_of
from ._errors import DescriptionError, error_of
from ._library import CompactOptions, library, reference, text_of
from .scanning import bytes_of

A = TypeVar("A")

_POSITION = np.dtype("i8")


class _Predicate:
    """A compiled predicate."""

    def __init__(self, text: str, dtype: np.dtype[Any]) -> None:
        self.handle = ctypes.c_void_p()
        where, reason = ctypes.c_size_t(), ctypes.c_char_p()
        places = (ctypes.byref(where), ctypes.byref(reason))
        destination, code_of = ctypes.byref(self.handle), text.encode()
        if dtype.names is None:
            code = library.scankit_predicate_compile(destination, type_of(dtype), code_of, *places)
        else:
            layout = Layout(dtype)
            code = library.scankit_predicate_compile_records(destination, layout.handle, code_of, *places)
        if code == 0:
            return
        if reason.value is None:
            raise error_of(code, f"{text_of(code)}: predicate {text!r}")
        raise DescriptionError(self._message(text, where.value, reason.value.decode()), text, where.value)

    @staticmethod
    def _message(text: str, where: int, reason: str) -> str:
        """The reason, and a mark below the text; where counts bytes."""
        column = len(text.encode()[:where].decode(errors="replace"))
        return f"where: {reason}\n  {text}\n  {' ' * column}^"

    def __del__(self) -> None:
        library.scankit_predicate_destroy(self.handle)


_compiled = lru_cache(maxsize=256)(_Predicate)

_INVERT = reference(CompactOptions(invert=1))


def _options_of(invert: bool) -> Any:
    return _INVERT if invert else None


def compact(a: A, where: Any, *, invert: bool = False, out: A | None = None) -> A:
    """Keeps the elements that match, in their order.

        >>> scankit.compact(np.arange(8), where="x > 3 && i % 2 == 0")
        array([4, 6])
        >>> scankit.compact(np.arange(4), np.array([1, 0, 0, 1], bool))
        array([0, 3])

    Args:
        a: n elements: numbers, records or, with a mask, of any dtype but objects.
        where: a predicate, or a mask of n bools or uint8.
        invert: keep the elements that do not match.
        out: n elements of the same dtype; may be a.

    Returns:
        the m matching elements: a new array, or the first m of out. On a GPU, the first m of an array of n.

    Raises:
        DescriptionError: a malformed predicate; the message shows where.
        TypeError, ValueError: an array or a mask of a wrong dtype or size.
    """
    view = view_of(a)
    result = output_of(view, out, view.size)
    if out is not None:
        check_overlap(result, view)
    count = ctypes.c_size_t()
    ends = (result.pointer, view.size, _options_of(invert), ctypes.byref(count))
    if isinstance(where, str):
        predicate = _compiled(where, view.dtype)
        call(library.scankit_compact, (view, result), predicate.handle, view.pointer, *ends)
    else:
        flags = _mask_of(where, view, result if out is not None else None)
        size = size_of(view.dtype)
        call(library.scankit_compact_flags, (view, flags, result), size, view.pointer, flags.pointer, *ends)
    return first_of(result, out, count.value)  # type: ignore[no-any-return]


def _mask_of(where: Any, view: View, out: View | None) -> View:
    flags = bytes_of(where, view.size, "where")
    if out is not None:
        check_overlap(out, flags, may_be_first=False)
    return flags


def compact_positions(a: Any, where: Any, *, invert: bool = False, out: Any = None) -> Any:
    """The positions of the elements that match, ascending.

        >>> scankit.compact_positions(np.array([5, 9, 7]), "x > 6")
        array([1, 2])

    Args:
        a, where, invert: as for compact().
        out: n int64; overlaps no input.

    Returns:
        m int64: a new array, or the first m of out.

    Raises: as compact().
    """
    view = view_of(a)
    result = output_of(view, out, view.size, _POSITION)
    if out is not None:
        check_overlap(result, view, may_be_first=False)
    count = ctypes.c_size_t()
    ends = (result.pointer, view.size, _options_of(invert), ctypes.byref(count))
    if isinstance(where, str):
        predicate = _compiled(where, view.dtype)
        call(library.scankit_compact_positions, (view, result), predicate.handle, view.pointer, *ends)
    else:
        flags = _mask_of(where, view, result if out is not None else None)
        call(library.scankit_compact_flags_positions, (view, flags, result), flags.pointer, *ends)
    return first_of(result, out, count.value)


def split(a: A, where: Any) -> tuple[A, A]:
    """Separates the elements that match from the others; both keep their order.

        >>> scankit.split(np.arange(5), "x % 2 == 1")
        (array([1, 3]), array([0, 2, 4]))

    Args:
        a, where: as for compact().

    Returns:
        the m matching elements and the n - m others, two new arrays.

    Raises: as compact().
    """
    view = view_of(a)
    count = ctypes.c_size_t()
    if isinstance(where, str):
        matching, others = output_of(view, None, view.size), output_of(view, None, view.size)
        pointers = (_compiled(where, view.dtype).handle, view.pointer, matching.pointer, others.pointer)
        function = library.scankit_split_predicate
        call(function, (view, matching, others), *pointers, view.size, None, ctypes.byref(count))
        return first_of(matching, None, count.value), first_of(others, None, view.size - count.value)
    flags, both = _mask_of(where, view, None), output_of(view, None, view.size)
    arguments = (view.pointer, flags.pointer, both.pointer, view.size, ctypes.byref(count))
    call(library.scankit_split_flags, (view, flags, both), size_of(view.dtype), *arguments)
    return both.array[count.value :], both.array[: count.value]


def split_digit(a: A, bit: int, bits: int = 1, *, out: A | None = None) -> tuple[A, Any]:
    """Stable partition by a digit: the elements with digit 0 in their order, then digit 1, and so on.

        >>> scankit.split_digit(np.array([5, 2, 7, 4]), bit=0)
        (array([2, 4, 5, 7]), array([0, 2, 4]))

    Args:
        a: n numbers.
        bit, bits: the digit is these 1 to 8 bits of each element's bit pattern; bit 0 is the lowest.
        out: n elements; overlaps no input.

    Returns:
        out or a new array; and 2^bits + 1 int64 (of NumPy): the start of each digit, then n.

    Raises:
        ArgumentError: bits that the elements do not have.
        TypeError, ValueError: as for sort().
    """
    view = view_of(a)
    if not (1 <= bits <= 8 and bit >= 0):
        raise ValueError("bits is from 1 to 8, and bit from 0")
    result = output_of(view, out, view.size)
    if out is not None:
        check_overlap(result, view, may_be_first=False)
    offsets = np.empty((1 << bits) + 1, np.uintp)
    arguments = (view.pointer, result.pointer, view.size, bit, bits, offsets.ctypes.data)
    call(library.scankit_split, (view, result), type_of(view.dtype), *arguments)
    return result.array, offsets.astype(_POSITION)
