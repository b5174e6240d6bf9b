"""What the host has: programs, versions, memory, file systems."""
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = {"gpusort": "gpusort", "gpucompact": "gpucompact", "gpurle": "gpurle", "gpuscan": "gpuscan",
         "gendata": "bench/gendata", "bench": "bench/bench"}


def programs(options):
    """{name: path} for the commands of rows."""
    found = {name: os.path.abspath(os.path.join(options.build, path)) for name, path in TOOLS.items()}
    rivals_python = os.path.join(os.path.abspath(options.rivals), "bin", "python")
    found["python3"] = shutil.which("python3")
    found["python"] = rivals_python if os.path.exists(rivals_python) else found["python3"]
    found["checks"] = os.path.join(HERE, "checks.py")
    found["rivals"] = os.path.join(HERE, "rivals.py")
    found["directory"] = os.path.abspath(options.directory)
    return found


def output_of(*command):
    """The first line that a command prints, or an empty string."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.partition("\n")[0].strip() if done.returncode == 0 else ""


def module_version(options, module):
    return output_of(options.programs["python"], "-c", f"import {module}; print({module}.__version__)")


def file_system(directory):
    done = subprocess.run(["df", "--output=fstype", directory], stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.split()[-1] if done.returncode == 0 else "an unknown file system"


def gpu():
    return output_of("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")


def line_of(path, name):
    """The value of a line `name : value` of a file in /proc."""
    with open(path, encoding="utf-8") as file:
        match = re.search(rf"^{name}\s*:\s*(.*)$", file.read(), re.MULTILINE)
    return match.group(1) if match else ""


def memory(name):
    """MemTotal or MemAvailable, in GiB."""
    return int(line_of("/proc/meminfo", name).split()[0]) / (1 << 20)


def free_bytes(directory, place):
    """What files in the folder can take. In tmpfs they take memory, of which the tools need some too."""
    state = os.statvfs(directory)
    free = state.f_bavail * state.f_frsize
    return min(free, int(0.8 * memory("MemAvailable") * (1 << 30))) if place == "tmpfs" else free


def facts(options):
    """Lines that describe the host and the versions of everything measured."""
    processor = line_of("/proc/cpuinfo", "model name") or os.uname().machine
    yield f"{processor}, {options.threads} processors, {memory('MemTotal'):.0f} GiB of memory"
    if gpu():
        yield gpu()
    yield f"Linux {os.uname().release}; files in {file_system(options.directory)}"
    rivals = [output_of(options.programs["gpusort"], "--version"), output_of("cp", "--version")]
    rivals += [output_of(name, "--version") for name in ("pigz", "igzip")]
    rivals += [f"{name} {module_version(options, name)}" for name in ("numpy", "duckdb", "polars")]
    yield "; ".join(text for text in rivals if text and not text.endswith(" "))
    yield f"scale {options.scale:g}, {options.repeat} rounds" if options.scale != 1 else f"{options.repeat} rounds"
