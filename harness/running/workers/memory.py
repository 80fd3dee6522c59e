"""Memory of a process group, from /proc: what its processes hold that is backed by no file on disk.

A limit on the data of single processes (RLIMIT_DATA) sees neither shared memory nor the sum over children. Counted
here: anonymous pages, swapped ones, and shared memory (anonymous mappings, memfd, mapped files of /dev/shm), each page
once. An unmapped memfd is counted by its descriptor. Files on a tmpfs that no process maps are not counted.
"""

import contextlib
import os
from collections.abc import Collection, Iterator

QUICK = ("RssAnon", "VmSwap", "RssShmem")  # of status: shared pages count in each process
EXACT = ("Pss_Anon", "SwapPss", "Pss_Shmem")  # of smaps_rollup: proportional, at 2 ms per 100 MB


def read_fields(path: str, names: tuple[str, ...]) -> list[int]:
    """Return these fields of a file in /proc in bytes; zeros if the process has ended or can't be read."""
    try:
        with open(path) as file:
            lines = (line.partition(":") for line in file)
            found = {name: 1024 * int(value.split()[0]) for name, _, value in lines if name in names}
    except OSError:
        found = {}
    return [found.get(name, 0) for name in names]


def memfds(pid: int) -> Iterator[tuple[int, int]]:
    """Yield inode and bytes of each memfd that a process has open."""
    folder = f"/proc/{pid}/fd"
    with contextlib.suppress(OSError):
        for fd in os.listdir(folder):
            with contextlib.suppress(OSError):
                if os.readlink(f"{folder}/{fd}").startswith("/memfd:"):
                    stat = os.stat(f"{folder}/{fd}")
                    yield stat.st_ino, 512 * stat.st_blocks


def summed(pids: Collection[int], file: str, names: tuple[str, ...], files: int) -> int:
    """Return private memory and swap of all processes, plus the larger of mapped shared memory and memfds."""
    anonymous, swap, shared = map(sum, zip(*(read_fields(f"/proc/{p}/{file}", names) for p in pids), strict=True))
    return int(anonymous + swap + max(shared, files))


def group_memory(pids: Collection[int], enough: int) -> int:
    """Return the bytes that the processes hold; quickly, and so perhaps too much, if it is below `enough`."""
    if not pids:
        return 0
    files = sum(dict(pair for pid in pids for pair in memfds(pid)).values())
    quick = summed(pids, "status", QUICK, files)
    return quick if quick < enough else summed(pids, "smaps_rollup", EXACT, files) or quick
