"""Runs a shell command and takes its time and peak memory."""
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from typing import NamedTuple


class Failure(Exception):
    """A command that failed, or whose output is wrong."""


class Cost(NamedTuple):
    seconds: float
    peak: float  # MiB, of the largest process
    ended: bool  # False: stopped at its time limit
    output: str  # what it printed


def fill(template, names):
    """Replaces each {name}. Other braces stay."""
    return re.sub(r"\{(\w+)\}", lambda match: str(names.get(match.group(1), match.group(0))), template)


def stop(group):
    """Ends the processes of a command that takes too long."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(group, number)
        except ProcessLookupError:
            return
        time.sleep(2)


def run(command, limit=None):
    """Runs a command that must succeed, and stops it after `limit` seconds.

    wait4() gives the peak of the largest process of a pipe, since the shell has waited for all. Mapped pages of files
    count."""
    before = time.monotonic()
    child = subprocess.Popen(["bash", "-c", f"set -o pipefail; {command}"], stdout=subprocess.PIPE,
                             start_new_session=True, text=True)
    timer = threading.Timer(limit, stop, [child.pid]) if limit else None
    if timer:
        timer.start()
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - before
    child.returncode = os.waitstatus_to_exitcode(status)
    if timer:
        timer.cancel()
    ended = limit is None or seconds < limit
    if ended and child.returncode != 0:
        raise Failure(f"{command}: status {child.returncode}")
    return Cost(seconds, usage.ru_maxrss / 1024, ended, output)


def remove(path):
    """Removes a file or a folder if it exists."""
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


def settle(options):
    """Waits until the disk has what earlier commands left in the page cache. Else the next command would wait."""
    if options.place == "disk":
        os.sync()
