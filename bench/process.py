"""Run a command and say what the whole process took; say what machine it ran on and whether it was alone there."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUSY_LOAD = 0.3
BUSY_SHARE = 0.05


@dataclass(frozen=True)
class Run:
    """What one process took, from its start to its end."""

    stdout: str
    seconds: float
    cpu_seconds: float
    peak_bytes: int
    foreign: float | None
    """The share of the machine that other processes used meanwhile; None where the system does not say."""


def peak_bytes(usage: resource.struct_rusage) -> int:
    """``ru_maxrss`` in bytes: Linux counts it in KiB, macOS in bytes."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """This environment, where ``bench`` and the interpunct of this checkout can be imported and no hub is asked."""
    paths = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_VERBOSITY": "error",
        **(extra or {}),
    }


def run(command: Sequence[str], *, stdin: str = "", extra: Mapping[str, str] | None = None) -> Run:
    """Run ``command`` to its end.

    The peak of a child begins at what its parent had in memory when it forked, so the process that calls this must
    stay small: it imports nothing heavy and holds no texts.

    Raises:
        SystemExit: the command failed; what it wrote to stderr is shown.
    """
    with (
        tempfile.TemporaryFile("w+") as given,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        given.write(stdin)
        given.seek(0)
        busy, start = busy_seconds(), time.perf_counter()
        child = subprocess.Popen(command, stdin=given, stdout=out, stderr=err, env=environment(extra), cwd=ROOT)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        busy_after = busy_seconds()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if child.returncode:
            raise SystemExit(f"{' '.join(command)}\nfailed with {child.returncode}:\n{err.read()[-4000:]}")
        cpu = usage.ru_utime + usage.ru_stime
        foreign = None
        if busy is not None and busy_after is not None:
            foreign = max(0.0, busy_after - busy - cpu) / (seconds * (os.cpu_count() or 1))
        return Run(out.read(), seconds, cpu, peak_bytes(usage), foreign)


def busy_seconds() -> float | None:
    """How long all processors together have worked since the machine started (Linux only)."""
    try:
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    except OSError:
        return None
    user, nice, system = map(int, fields[:3])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def machine() -> dict[str, object]:
    """What is known of this machine without asking for anything that names it."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    flags = {flag for line in lines if line.startswith("flags") for flag in line.split(":", 1)[1].split()}
    return {
        "processor": names[0] if names else model,
        "processors": os.cpu_count(),
        "usable_processors": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "instructions": sorted(flags & {"avx2", "avx512f", "avx512_vnni", "avx_vnni", "avx512_bf16", "amx_int8"}),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def warn_if_busy() -> float:
    """Say so on stderr when something else seems to run; returns the load average of the last minute."""
    load = os.getloadavg()[0]
    if load > BUSY_LOAD:
        print(
            f"warning: the load average is {load:.2f}: something else runs (or has just ended) on this machine, "
            "and figures taken now are not to be trusted",
            file=sys.stderr,
        )
    return load
