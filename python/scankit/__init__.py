"""Parallel primitives built on scan (prefix sums): sort, scan, compact, runs, merge.

The functions take one-dimensional arrays of NumPy, CuPy, PyTorch, Arrow (pyarrow, polars), or any package with
__cuda_array_interface__, __array_interface__ or DLPack. Nothing is copied, except that an input which is not contiguous
is copied first. Work runs where the array is: on all cores of the CPU, or on its GPU, in the order of the caller's
current stream.
"""

from ._context import Context, device_count
from ._errors import (
    ArgumentError,
    DescriptionError,
    DeviceError,
    Error,
    LibraryError,
    NoDeviceError,
    OutOfMemoryError,
    ToolError,
)
from ._library import library as _library
from .arrow import ArrowArray, argsort_table, sort_table, to_arrow
from .columns import argsort_columns
from .counting import histogram
from .files import compact_file, count_file, decode_file, encode_file, is_sorted_file, scan_file, sort_file
from .partial import segmented_argsort, segmented_sort, top_k, top_k_positions
from .runs import reduce_by_key, run_length_decode, run_length_encode, unique
from .scanning import cummax, cummin, cumprod, cumsum, reduce, scan, segmented_reduce, segmented_scan
from .selecting import compact, compact_positions, split, split_digit
from .sorting import argsort, argsort_records, merge, merge_records, sort, sort_records

__version__ = "0.1.0"
library_version: str = _library.scankit_version().decode()

__all__ = [
    "ArgumentError",
    "ArrowArray",
    "Context",
    "DescriptionError",
    "DeviceError",
    "Error",
    "LibraryError",
    "NoDeviceError",
    "OutOfMemoryError",
    "ToolError",
    "argsort",
    "argsort_columns",
    "argsort_records",
    "argsort_table",
    "compact",
    "compact_file",
    "compact_positions",
    "count_file",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "decode_file",
    "device_count",
    "encode_file",
    "histogram",
    "is_sorted_file",
    "library_version",
    "merge",
    "merge_records",
    "reduce",
    "reduce_by_key",
    "run_length_decode",
    "run_length_encode",
    "scan",
    "scan_file",
    "segmented_argsort",
    "segmented_reduce",
    "segmented_scan",
    "segmented_sort",
    "sort",
    "sort_file",
    "sort_records",
    "sort_table",
    "split",
    "split_digit",
    "to_arrow",
    "top_k",
    "top_k_positions",
    "unique",
]
