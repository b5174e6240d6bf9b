"""Whether this host can run a row."""
import shutil

from . import data, host


def lacks_programs(row, options):
    for name in {"gpusort", "gendata", *row.programs}:
        if not shutil.which(options.programs.get(name, name)):
            return f"{name} is missing"
    for module in row.modules:
        if not host.module_version(options, module):
            return f"Python's {module} is missing (--rivals)"
    return ""


def lacks_room(row, options):
    written = row.room * data.expected_bytes(row.data[0], options.scale) if row.data else row.room
    needed = data.missing_bytes(row.data, options) + written
    free = host.free_bytes(options.directory, options.place)
    if needed > free:
        return f"needs {needed / 1e9:.1f} GB of free space, has {free / 1e9:.1f}"
    if row.memory * options.scale > host.memory("MemAvailable"):
        return f"needs {row.memory * options.scale:.1f} GiB of free memory, has {host.memory('MemAvailable'):.1f}"
    return ""


def devices_of(row, options):
    """Rows of the CPU need no --devices."""
    if row.devices == ("cpu",):
        return ["cpu"]
    return [device for device in options.devices.split(",") if device.partition(":")[0] in row.devices]


def lacks(row, options):
    """The reason why the row is skipped, or an empty string."""
    wanted = devices_of(row, options)
    if row.name.startswith("gpu-") and not any(device.startswith("cuda") for device in wanted):
        return "needs a GPU (--devices=cuda)"
    if not wanted:
        return f"needs --devices={','.join(row.devices)}"
    if row.place and row.place != options.place:
        return f"needs --directory in {'tmpfs' if row.place == 'tmpfs' else 'a file system on a disk'}"
    return lacks_programs(row, options) or lacks_room(row, options)
