"""Folders of temporary files that are named after the process that removes them.

A process that is killed by SIGKILL removes nothing. Its name holds its process namespace, id and start, which no other
process has, so that whoever creates the next folder can tell that the owner is gone and removes what it left. Without
/proc names hold none of it, and nothing is removed.
"""

import os
import re
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

OWNED = re.compile(r"crosscheck(?:-[a-z]+)*-(?P<owner>[0-9]+\.[0-9]+\.[0-9]+)-[^-]+")
START = 19  # position of a process's start in /proc/PID/stat, behind its name


def new_folder(kind: str = "") -> Path:
    """Create a folder, and remove those whose owners were killed. Raises FileNotFoundError if there is no place."""
    remove_abandoned()
    owner = owner_of(os.getpid())
    parts = ("crosscheck", *([kind] if kind else []), *([owner] if owner else []), "")
    return Path(tempfile.mkdtemp(prefix="-".join(parts)))


def remove_abandoned() -> None:
    """Remove the folders of this user whose owners have ended."""
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            match = OWNED.fullmatch(entry.name)
            if match and is_gone(match["owner"]) and entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)


def is_gone(owner: str) -> bool:
    """Return True if a process of this namespace has ended; one of another can't be seen."""
    space, pid, _ = owner.split(".")
    return space == namespace() and owner_of(int(pid)) != owner


def owner_of(pid: int) -> str:
    """Return namespace, id and start of a process, which no other shares; '' if it has ended, or without /proc."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return f"{namespace()}.{pid}.{fields[START]}" if namespace() else ""
    except (OSError, IndexError):
        return ""


@cache
def namespace() -> str:
    """Return the number of the namespace in which this process has its id; '' without /proc."""
    try:
        return str(os.stat("/proc/self/ns/pid").st_ino)
    except OSError:
        return ""
