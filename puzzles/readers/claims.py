"""Claims on the files of a corpus, in files `expected.csv`: checked, never trusted.

file,status,value
a.opb,optimal,69              the value of the best solution, as the source states it: of what it maximises too
b.opb,best known,-12          the value of some solution
c.cnf,sat                     or unsat; SATISFIABLE, UNSATISFIABLE, true and false are read too
"""

import csv
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from puzzles.errors import BadInput, ParseError, brief, printable_path
from puzzles.problem import Instance
from puzzles.readers.csv_rows import limited
from puzzles.readers.folder import EXPECTED, root_of

STATUSES = {"sat": True, "satisfiable": True, "true": True, "unsat": False, "unsatisfiable": False, "false": False}
OPTIMAL, BEST_KNOWN = "optimal", "best known"
NUMBER = re.compile(r"[+-]?[0-9]{1,4000}")  # Python converts up to 4,300 digits


class BadClaim(BadInput):
    """A claim that its instance can't have."""


@dataclass(frozen=True)
class Claim:
    """Claimed status of a file, and perhaps the value of the best solution, or of some solution unless `optimal`.

    `at` is the FILE:LINE of the claim.
    """

    satisfiable: bool
    value: int | None = None
    optimal: bool = False
    at: str = field(default="", compare=False)


def claim_files(path: Path, files: Iterable[Path]) -> list[Path]:
    """Return the files of claims in the root of a corpus and in the folders that have instances."""
    root = root_of(path)
    every = list(files)
    folders = {file.parent for file in every}  # those of a list may be outside its folder
    folders |= {above for folder in folders for above in folder.parents if above == root or root in above.parents}
    return [claims for folder in sorted({root, *folders}) if (claims := folder / EXPECTED).is_file()]


def read_claims(paths: Iterable[Path]) -> dict[Path, Claim]:
    """Return the claim on each file that files of claims name. Raises BadInput."""
    claims: dict[Path, Claim] = {}
    for path in paths:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            rows = csv.reader(file)
            try:
                for first, row in rows_of_claims(limited(rows)):
                    if first and row[0].strip().lower() == "file":
                        continue
                    name, claim = claim_of(row, path.parent, f"{printable_path(path)}:{rows.line_num}")
                    if (other := claims.setdefault(path.parent / name, claim)) != claim:
                        what = "another claim" if other.satisfiable == claim.satisfiable else "the other status"
                        raise ParseError(f"{brief(name)} has {what} already")
            except (ParseError, csv.Error) as e:
                raise BadInput(f"{printable_path(path)}:{rows.line_num}: {e}") from None
    return claims


def rows_of_claims(rows: Iterable[list[str]]) -> Iterator[tuple[bool, list[str]]]:
    """Yield each row that is neither empty nor a comment, and True for the first."""
    first = True
    for row in rows:
        if row and not row[0].startswith("#"):
            yield first, row
            first = False


def claim_of(row: list[str], folder: Path, at: str) -> tuple[str, Claim]:
    """Return the file that a row names, and what the row claims. Raises ParseError."""
    name, status, value = ([field.strip() for field in row] + ["", ""])[:3]
    status = " ".join(status.lower().replace("_", " ").split())
    if status not in (*STATUSES, OPTIMAL, BEST_KNOWN):
        raise ParseError("expected 'file,status' with status sat or unsat, or optimal or best known and a value")
    if not os.path.isfile(folder / name):
        raise ParseError(f"no such file: {brief(name)}")
    if status in STATUSES:
        if value:
            raise ParseError(f"{brief(value)} after {status}: only 'optimal' and 'best known' have a value")
        return name, Claim(STATUSES[status], at=at)
    if not NUMBER.fullmatch(value):
        raise ParseError(f"{brief(value)} is not a value: expected an integer of up to 4000 digits after {status}")
    return name, Claim(True, int(value), status == OPTIMAL, at)


def claimed(instance: Instance[Any], claim: Claim | None, ignore_objective: bool = False) -> Instance[Any]:
    """Return an instance with a claim on its file, unless the instance states more itself. Raises BadClaim."""
    goal = instance.problem.objective
    if claim is None:
        return instance
    if claim.value is not None and goal is not None:
        value = -claim.value if goal.maximise else claim.value
        return replace(instance, optimum=value, at_least=not claim.optimal)
    unsupported = any(constraint.kind == "unsupported" for constraint in instance.problem.constraints)
    if claim.value is not None and not (unsupported or ignore_objective):
        raise BadClaim(f"{claim.at}: {instance.name} has no objective, so no value")
    if instance.count is not None:
        return instance
    return replace(instance, count=int(claim.satisfiable), at_least=claim.satisfiable)
