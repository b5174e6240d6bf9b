"""Files: the tools gpusort, gpucompact, gpurle and gpuscan, run as programs.

They read raw data, .npy files, gzip and zstd, and files larger than memory. The programs are looked for in the folder
SCANKIT_BINDIR, or else in PATH, beside the library, and in bin/ beside the library's folder. More options of a program
are given as keywords, with _ for -: sort_file(a, b, buffer_size="1G", stats=True).
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Union

import numpy as np

from ._errors import ToolError
from ._library import library_path

PathLike = Union[str, "os.PathLike[str]"]


def _places() -> list[str]:
    if chosen := os.environ.get("SCANKIT_BINDIR"):
        return [chosen]
    folder = Path(library_path).resolve().parent
    return [os.environ.get("PATH", os.defpath), str(folder), str(folder.parent / "bin")]


def _program(name: str) -> str:
    """The path of a tool."""
    for place in _places():
        if found := shutil.which(name, path=place):
            return found
    raise ToolError(f"{name} was not found in {', '.join(_places())}; name its folder in SCANKIT_BINDIR")


def _type_text(dtype: np.dtype[Any]) -> str:
    """A type of the tools: "u32", "bytes10"."""
    if dtype.kind in "uif":
        return f"{dtype.kind}{8 * dtype.itemsize}"
    if dtype.kind in "SV" and not dtype.names and not dtype.subdtype:
        return f"bytes{dtype.itemsize}"
    raise TypeError(f"dtype {dtype} is no type of the tools")


def _format_options(dtype: Any) -> list[str]:
    """--type or --format, and --endian. None: the file's header says it."""
    if dtype is None:
        return []
    kind = np.dtype(dtype)
    fields = [kind.fields[name] for name in kind.names] if kind.names and kind.fields else []
    parts = [field[0] for field in fields] or [kind]
    if sum(part.itemsize for part in parts) != kind.itemsize:
        raise TypeError("a dtype with gaps or overlaps; name the gaps as fields")
    orders = {part.str[0] for part in parts if part.str[0] in "<>"}
    if len(orders) > 1:
        raise TypeError("a dtype with two byte orders")
    endian = ["--endian=big"] if ">" in orders else []
    if not kind.names:
        return [f"--type={_type_text(kind)}", *endian]
    listed = ",".join(f"{name}:{_type_text(part)}" for name, part in zip(kind.names, parts))
    return [f"--format={listed}", *endian]


def _more_options(options: dict[str, Any]) -> list[str]:
    """Keywords as options: True is an option without a value; False and None are left out."""
    found = []
    for name, value in options.items():
        if value is True:
            found.append(f"--{name.replace('_', '-')}")
        elif value is not None and value is not False:
            found.append(f"--{name.replace('_', '-')}={value}")
    return found


def _paths(source: PathLike | Sequence[PathLike]) -> list[str]:
    """Absolute paths, so that none looks like an option."""
    several = [source] if isinstance(source, (str, os.PathLike)) else source
    return [os.path.abspath(path) for path in several]


def _run(name: str, source: PathLike | Sequence[PathLike], output: PathLike | None, options: list[str]) -> str:
    """Runs a tool and returns its standard output as text. The GIL is released while it works."""
    target = [f"--output={os.path.abspath(output)}"] if output is not None else []
    command = [_program(name), *options, *target, *_paths(source)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip()
        raise ToolError(message or f"{name} ended with status {done.returncode}", done.returncode)
    return done.stdout.decode(errors="replace")


def sort_file(
    source: PathLike | Sequence[PathLike],
    output: PathLike,
    *,
    dtype: Any = None,
    keys: str | Sequence[str] | None = None,
    descending: bool = False,
    unique: bool = False,
    **options: Any,
) -> None:
    """Sorts one or more files into one; gpusort(1).

        >>> scankit.sort_file("ids", "ids.sorted", dtype="u4")             # doctest: +SKIP
        >>> scankit.sort_file(["a.npy", "b.npy"], "c.npy", merge=True)     # doctest: +SKIP

    Args:
        source: a path, or several, which are sorted as one.
        output: the path of the result; may be the source. After an error it is as it was.
        dtype: of raw data, also structured and in either byte order. None: the .npy header says it.
        keys: fields' names, each with ":desc" for greatest first.
        descending: greatest first.
        unique: keep the first of equal elements.
        options: more options of gpusort; by="a,b:desc" sorts a whole table in Arrow's format.

    Raises:
        ToolError: gpusort failed; its message. Or it was not found.
        TypeError: a dtype that files cannot have.
    """
    by = [] if keys is None else [f"--key={keys if isinstance(keys, str) else ','.join(keys)}"]
    chosen = {"reverse": descending, "unique": unique, **options}
    _run("gpusort", source, output, [*_format_options(dtype), *by, *_more_options(chosen)])


def is_sorted_file(source: PathLike | Sequence[PathLike], *, dtype: Any = None, **options: Any) -> bool:
    """Whether files, one after the other, are sorted; gpusort --check. Arguments and errors as of sort_file()."""
    try:
        _run("gpusort", source, None, ["--check", *_format_options(dtype), *_more_options(options)])
    except ToolError as error:
        if error.status != 1:
            raise
        return False
    return True


def compact_file(
    source: PathLike | Sequence[PathLike], output: PathLike, where: str, *, dtype: Any = None, **options: Any
) -> None:
    """Writes the elements for which a predicate is true; gpucompact(1). Arguments and errors as of sort_file()."""
    _run("gpucompact", source, output, [f"--where={where}", *_format_options(dtype), *_more_options(options)])


def count_file(source: PathLike | Sequence[PathLike], where: str, *, dtype: Any = None, **options: Any) -> int:
    """The number of elements for which a predicate is true; gpucompact --count."""
    chosen = [f"--where={where}", "--count", *_format_options(dtype), *_more_options(options)]
    return int(_run("gpucompact", source, None, chosen))


def scan_file(
    source: PathLike | Sequence[PathLike], output: PathLike, op: str = "sum", *, dtype: Any = None, **options: Any
) -> None:
    """Writes running sums, or the scan with another operator; gpuscan(1). Arguments and errors as of sort_file()."""
    _run("gpuscan", source, output, [f"--op={op}", *_format_options(dtype), *_more_options(options)])


def encode_file(source: PathLike | Sequence[PathLike], output: PathLike, *, dtype: Any = None, **options: Any) -> None:
    """Run-length encodes files into a container; gpurle(1), gpurle(5). Arguments and errors as of sort_file()."""
    _run("gpurle", source, output, [*_format_options(dtype), *_more_options(options)])


def decode_file(source: PathLike | Sequence[PathLike], output: PathLike, **options: Any) -> None:
    """Restores the data of a container; gpurle --decode. Errors as of sort_file()."""
    _run("gpurle", source, output, ["--decode", *_more_options(options)])
