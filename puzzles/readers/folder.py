"""Folders of instances: their files, and the claims of a file `expected.csv` with lines `file,status`.

`status` is sat or unsat (SATISFIABLE, UNSATISFIABLE, true and false are read too). A claim is checked, never trusted.
"""

import csv
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from puzzles.errors import BadInput
from puzzles.problem import Instance
from puzzles.readers.source import OBJECTIVE, ParseError, brief, printable_path

EXPECTED = "expected.csv"
NOT_INSTANCES = ("readme", "license", "copying", "changelog")  # starts of names
STATUSES = {"sat": True, "satisfiable": True, "true": True, "unsat": False, "unsatisfiable": False, "false": False}


class FolderNotes:
    """Notes on the files of a folder: that on an objective is sent once, for all of them."""

    def __init__(self, folder: Path, notify: Callable[[str], object]) -> None:
        self.folder, self.notify, self.objective = folder, notify, False

    def send(self, note: str) -> None:
        """Send a note on one file."""
        if not note.endswith(OBJECTIVE):
            self.notify(note)
        elif not self.objective:
            self.objective = True
            self.notify(
                f"{printable_path(self.folder)}: objectives are set aside: instances are decided, not optimised"
            )


def instance_files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and of its folders, by name; hidden files, claims and documentation are left out.

    Raises BadInput if none is left.
    """
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and is_instance(path.relative_to(folder))]
    if not found:
        raise BadInput(f"{printable_path(folder)}: a folder without instances")
    yield from found


def is_instance(path: Path) -> bool:
    """Return True unless a file's name says that it is no instance."""
    name = path.name.lower()
    hidden = any(part.startswith(".") for part in path.parts)
    return not (hidden or name == EXPECTED or name.endswith(".md") or name.startswith(NOT_INSTANCES))


def read_claims(folder: Path) -> dict[str, bool]:
    """Return the claimed status of each file that expected.csv names: True if satisfiable. Raises BadInput."""
    path = folder / EXPECTED
    if not path.is_file():
        return {}
    claims: dict[str, bool] = {}
    headed = False
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        rows = csv.reader(file)
        try:
            for row in rows:
                if not row or row[0].startswith("#"):
                    continue
                if not headed and not claims and row[0].strip().lower() == "file":
                    headed = True
                    continue
                name, satisfiable = claim_of(row, folder)
                if claims.setdefault(name, satisfiable) != satisfiable:
                    raise ParseError(f"{brief(name)} has the other status already")
        except (ParseError, csv.Error) as e:
            raise BadInput(f"{printable_path(path)}:{rows.line_num}: {e}") from None
    return claims


def claim_of(row: list[str], folder: Path) -> tuple[str, bool]:
    """Return the file and the status that a row claims. Raises ParseError."""
    name, status = ([field.strip() for field in row] + [""])[:2]
    if status.lower() not in STATUSES:
        raise ParseError("expected 'file,status' with status sat or unsat")
    if not os.path.isfile(folder / name):
        raise ParseError(f"no such file: {brief(name)}")
    return name, STATUSES[status.lower()]


def claimed(instance: Instance[Any], satisfiable: bool | None) -> Instance[Any]:
    """Return an instance with a claimed status, unless it states more itself."""
    if satisfiable is None or instance.count is not None:
        return instance
    return replace(instance, count=int(satisfiable), at_least=satisfiable)
