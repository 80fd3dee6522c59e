"""Memory of a worker as it sees and limits it itself: peaks per ask, and a limit of its data."""

import resource
from pathlib import Path


def reset_peak() -> None:
    """Reset the kernel's peak of this process's resident memory (Linux)."""
    if Path("/proc/self/clear_refs").exists():
        Path("/proc/self/clear_refs").write_text("5")


def largest_child() -> int:
    """Return the highest peak of resident memory of all children that have ended, in KiB (Linux)."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def peak_memory(before: int) -> int:
    """Return the peak of resident memory since the reset in bytes, or -1 if the system can't tell.

    It is that of this process, or of a child if that is higher than `before`, the largest child until then.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return -1
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    largest = largest_child()
    return 1024 * max(int(line.split()[1]), largest if largest > before else 0)


class LimitTooSmall(ValueError):
    """Memory limit below the current use of the opened worker."""


def limit_memory(limit: int) -> None:
    """Limit the bytes of data memory of this process, including what it has now. Raises LimitTooSmall."""
    status = Path("/proc/self/status")
    if status.exists():
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        used = 1024 * int(fields["VmData"].split()[0])
        if used >= limit:
            raise LimitTooSmall(
                f"the memory limit is below the {-(-used >> 20)} MiB that the opened worker already uses"
            )
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
