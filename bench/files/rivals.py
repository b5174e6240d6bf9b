#!/usr/bin/env python3
"""The same work by numpy, DuckDB and Polars, each in the way that its manual recommends.

    rivals.py sort|scan|half IN OUT                          u64, by numpy
    rivals.py duckdb|polars IN OUT FOLDER MEGABYTES          Parquet, temporaries in FOLDER
    rivals.py to-parquet|to-text IN OUT                      raw f64 as Parquet, or as lines of text
    rivals.py to-raw IN                                      a Parquet file's f64, to standard output
"""
import os
import sys

PARQUET = "(FORMAT parquet, COMPRESSION uncompressed)"
ROWS = 1 << 22  # read at a time


def numpy_sort(source, output):
    import numpy
    values = numpy.fromfile(source, "<u8")
    values.sort()
    values.tofile(output)


def numpy_scan(source, output):
    import numpy
    values = numpy.fromfile(source, "<u8")
    numpy.cumsum(values, out=values)
    values.tofile(output)


def numpy_half(source, output):
    import numpy
    values = numpy.fromfile(source, "<u8")
    values[(values & 8) != 0].tofile(output)


def open_duckdb(folder, megabytes):
    import duckdb
    settings = {"memory_limit": f"{megabytes}MB", "temp_directory": folder, "preserve_insertion_order": False}
    return duckdb.connect(config=settings)


def duckdb_sort(source, output, folder, megabytes):
    open_duckdb(folder, megabytes).execute(f"COPY (SELECT x FROM read_parquet('{source}') ORDER BY x) "
                                          f"TO '{output}' {PARQUET}")


def polars_sort(source, output, folder, megabytes):
    os.environ["POLARS_OOC_MEMORY_BUDGET_MB"] = megabytes
    os.environ["POLARS_OOC_SPILL_DIR"] = folder
    os.environ["POLARS_TEMP_DIR"] = folder
    import polars
    polars.scan_parquet(source).sort("x").sink_parquet(output, compression="uncompressed", engine="streaming")


def from_raw(source, output, form):
    """Writes by way of DuckDB, which reads numpy's arrays."""
    import numpy
    database = open_duckdb(os.path.dirname(output), 4000)
    database.register("numbers", {"x": numpy.memmap(source, "<f8", "r")})
    database.execute(f"COPY numbers TO '{output}' {form}")


def to_parquet(source, output):
    from_raw(source, output, PARQUET)


def to_text(source, output):
    from_raw(source, output, "(FORMAT csv, HEADER false)")


def to_raw(source):
    import polars
    table = polars.scan_parquet(source)
    count = table.select(polars.len()).collect().item()
    for first in range(0, count, ROWS):
        sys.stdout.buffer.write(table.slice(first, ROWS).collect()["x"].to_numpy().tobytes())


WORKS = {"sort": numpy_sort, "scan": numpy_scan, "half": numpy_half, "duckdb": duckdb_sort, "polars": polars_sort,
         "to-parquet": to_parquet, "to-text": to_text, "to-raw": to_raw}


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in WORKS:
        sys.exit(__doc__)
    WORKS[sys.argv[1]](*sys.argv[2:])


if __name__ == "__main__":
    main()
