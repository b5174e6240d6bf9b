"""Finds libscankit, loads it, and declares its functions.

ctypes is used because it needs no compiler, serves every version of Python with one wheel, and releases the GIL during
each call. A call costs 0.5 us.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ._errors import LibraryError, error_of

_NAMES = ("libscankit.so", "libscankit.so.0", "libscankit.dylib")

_LETTERS: dict[str, Any] = {
    "P": ctypes.c_void_p,
    "I": ctypes.c_int,
    "U": ctypes.c_uint,
    "S": ctypes.c_size_t,
    "T": ctypes.c_char_p,
}

# Each function: a letter for the result and one for each argument. P: a pointer, I: an int or an enumerator, U: an
# unsigned int, S: a size_t, T: a text, -: nothing.
_PROTOTYPES = {
    "version": "T",
    "error_string": "TI",
    "type_name": "TI",
    "type_from_name": "IPT",
    "operator_from_name": "IPT",
    "open": "IPT",
    "close": "-P",
    "cuda_device_count": "I",
    "device_name": "TP",
    "error_detail": "TP",
    "last_algorithm": "TP",
    "set_deterministic": "IPI",
    "set_stream": "IPP",
    "set_workspace": "IPPS",
    "workspace_begin": "IP",
    "workspace_end": "IPP",
    "wait_stream": "IPP",
    "signal_stream": "IPP",
    "synchronize": "IP",
    "scan": "IPIIIPPPS",
    "reduce": "IPIIPPS",
    "segmented_scan": "IPIIIPPPPS",
    "segmented_reduce": "IPIIPPPS",
    "split": "IPIPPSUUP",
    "split_flags": "IPSPPPSP",
    "split_predicate": "IPPPPPSPP",
    "sort": "IPIPPSP",
    "argsort": "IPIPPSP",
    "top_k": "IPIPPSSP",
    "top_k_positions": "IPIPPSSP",
    "segmented_sort": "IPIPPSPSP",
    "segmented_argsort": "IPIPPSPSP",
    "sort_columns": "IPPSPSP",
    "histogram": "IPIPSPIPP",
    "merge": "IPIPSPSPP",
    "merge_many": "IPISPPPP",
    "sort_records": "IPSPSPPSP",
    "argsort_records": "IPSPSPPSP",
    "merge_many_records": "IPSPSSPPP",
    "layout_create": "IP",
    "layout_destroy": "-P",
    "layout_append": "IPTISI",
    "predicate_compile": "IPITPP",
    "predicate_compile_records": "IPPTPP",
    "predicate_destroy": "-P",
    "compact": "IPPPPSPP",
    "compact_positions": "IPPPPSPP",
    "compact_flags": "IPSPPPSPP",
    "compact_flags_positions": "IPPPSPP",
    "run_length_encode": "IPSPPPSPP",
    "run_length_decode": "IPSPPSPSP",
    "unique": "IPSPPSPP",
    "reduce_by_key": "IPSPIIPPPSPP",
}


def _folder_of_pkg_config() -> str | None:
    """The library's folder by pkg-config, or None."""
    try:
        command = ["pkg-config", "--variable=libdir", "scankit"]
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip() or None


def _candidates() -> Iterator[str]:
    """The places of the library, in the order in which they are tried."""
    if chosen := os.environ.get("SCANKIT_LIBRARY"):
        yield chosen
        return
    here = Path(__file__).resolve().parent
    yield from (str(here / name) for name in _NAMES if (here / name).exists())
    if folder := _folder_of_pkg_config():
        yield from (str(Path(folder) / name) for name in _NAMES if (Path(folder) / name).exists())
    yield from _NAMES[1:]


def _load() -> tuple[ctypes.CDLL, str]:
    """Loads the first library that loads."""
    reasons = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path), path
        except OSError as error:
            reasons.append(str(error))
    raise LibraryError(
        "libscankit was not found. Install it, or name it in SCANKIT_LIBRARY, or put it beside the package.\n"
        + "\n".join(reasons)
    )


def _declare(loaded: ctypes.CDLL, path: str) -> None:
    """Gives every function its prototype."""
    for name, letters in _PROTOTYPES.items():
        try:
            function = loaded[f"scankit_{name}"]
        except AttributeError:
            raise LibraryError(f"{path} has no scankit_{name}(); it is too old for this package") from None
        function.restype = _LETTERS.get(letters[0])
        function.argtypes = [_LETTERS[letter] for letter in letters[1:]]
        setattr(loaded, f"scankit_{name}", function)


library, library_path = _load()
_declare(library, library_path)


def enumerator(kind: str, name: str) -> int:
    """The value of an enumerator by its name; kind is "type" or "operator"."""
    value = ctypes.c_int()
    if code := getattr(library, f"scankit_{kind}_from_name")(ctypes.byref(value), name.encode()):
        raise error_of(code, f"there is no {kind} named {name!r}")
    return value.value


def text_of(code: int) -> str:
    """The text of an error."""
    return str(library.scankit_error_string(code).decode())


class SortOptions(ctypes.Structure):
    """scankit_sort_options"""

    _fields_ = [
        ("descending", ctypes.c_int),
        ("begin_bit", ctypes.c_uint),
        ("end_bit", ctypes.c_uint),
        ("algorithm", ctypes.c_int),
        ("overwrite_input", ctypes.c_int),
        ("ready", ctypes.c_void_p),
        ("ready_state", ctypes.c_void_p),
    ]


class Key(ctypes.Structure):
    """scankit_key"""

    _fields_ = [
        ("offset", ctypes.c_size_t),
        ("type", ctypes.c_int),
        ("size", ctypes.c_size_t),
        ("big_endian", ctypes.c_int),
        ("descending", ctypes.c_int),
    ]


class CompactOptions(ctypes.Structure):
    """scankit_compact_options"""

    _fields_ = [("invert", ctypes.c_int), ("first", ctypes.c_uint64), ("evaluation", ctypes.c_int)]


class RunOptions(ctypes.Structure):
    """scankit_run_options"""

    _fields_ = [("keys", ctypes.POINTER(Key)), ("key_count", ctypes.c_size_t)]


def reference(structure: Any) -> Any:
    """A pointer to the structure, as an argument."""
    return ctypes.byref(structure)
