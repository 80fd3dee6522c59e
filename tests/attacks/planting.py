"""Programs that misbehave, written by the tests, and what is left of them."""

import contextlib
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

BOARDS = "#: sudoku 2x2\n1.34341221434321\n12.4341221434321\n"
SOLUTION = "1234341221434321"


def plant(folder: Path, name: str, script: str) -> list[str]:
    """Write a shell script that runs in `folder`; return the arguments that make it a contender."""
    path = folder / f"{name}.sh"
    path.write_text(f"cd '{folder}'\n{script}\n")
    return ["--program", f"{name}=sh '{path}'", "-b", f"lines:{name}"]


def plant_python(folder: Path, name: str, script: str) -> list[str]:
    """Write a Python script that runs in `folder`; return the arguments that make it a contender."""
    (folder / f"{name}.py").write_text(f"import os, sys, time\nos.chdir({str(folder)!r})\n{script}\n")
    return ["--program", f"{name}='{sys.executable}' -S -E '{folder / name}.py'", "-b", f"lines:{name}"]


def outcomes(journal: Path, *columns: str) -> list[tuple[Any, ...]]:
    """Return these columns of all outcomes after the contender's name."""
    query = f"select c.name, {', '.join(columns)} from outcomes o join contenders c on c.id = o.contender"
    with closing(sqlite3.connect(journal)) as db:
        return db.execute(f"{query} order by c.id, o.puzzle").fetchall()


def running(word: str) -> list[int]:
    """Return the processes with this word in their command line; zombies have none."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if word in (entry / "cmdline").read_bytes().decode(errors="replace"):
                found.append(int(entry.name))
    return found


def wait_for(condition: Callable[[], object], seconds: float = 200) -> bool:
    """Return True once the condition holds, False if it still does not after so long that something must hang."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
