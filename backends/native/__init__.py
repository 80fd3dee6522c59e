"""Crosscheck's own solvers, one file each, from published algorithms to compiled kernels.

A variant is a module of this package with `open(formula) -> Session`, or if it takes boards alone, with
`search(board, given, budget) -> solutions`; it is imported when first opened. Compiled variants need numba, whose
version is part of theirs.
"""

import importlib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from backends.contract.answer import COUNTS, OPTIMISE, Session
from backends.contract.registry import Missing
from backends.native.budget import search_session
from backends.native.sudoku.sudoku9 import SUDOKU9_ONLY, is_sudoku9
from encoders.formula import AllDifferent, Cnf, Constraints, CountedCnf, Formula, Wcnf
from puzzles.packages import install

VERSION = "crosscheck 1.0.0"
WITHOUT_NUMBA = f"without numba: {install('numba')} for the compiled kernels"
ALL = frozenset({"count", "domains"})
PROVES = ALL | {OPTIMISE, "proof"}


@cache
def compiled_version() -> str:
    """Return the version of compiled variants, with numba's, or advice on what to install."""
    return f"{VERSION}, numba {version('numba')}" if find_spec("numba") else f"{VERSION}, {WITHOUT_NUMBA}"


@dataclass(frozen=True)
class Native:
    """Variant of `native`; `module` is its file in this package."""

    name: str
    module: str
    can: frozenset[str] = ALL
    accepts: frozenset[type] = frozenset({AllDifferent})
    version: str = VERSION
    sudoku9_only: bool = False

    def refuses(self, formula: Formula) -> str | None:
        return f"{self.name} {SUDOKU9_ONLY}" if self.sudoku9_only and not is_sudoku9(formula) else None

    def code(self) -> Any:
        """Return the module of the variant."""
        return importlib.import_module(f"{__name__}.{self.module}")

    def load(self) -> None:
        """Import the variant."""
        self.code()

    def open(self, formula: Formula) -> Session:
        session: Session = self.code().open(formula)
        return session


class BoardSearch(Native):
    """Variant whose module is a search of boards."""

    def open(self, formula: Formula) -> Session:
        return search_session(formula, self.code().search)


def backends() -> tuple[Native | Missing, ...]:
    """Return all variants. The first is the default, which opens the fastest variant that supports the layout."""
    at = compiled_version()
    plain = (
        Native("native", "default_variant", PROVES, frozenset({AllDifferent, Constraints}), version=at),
        Native("native:python", "python", ALL | {OPTIMISE}, frozenset({AllDifferent, Constraints})),
        BoardSearch("native:norvig", "norvig"),
        BoardSearch("native:backtracking", "backtracking"),
        BoardSearch("native:subsets", "subsets"),
        BoardSearch("native:splitting", "splitting"),
        BoardSearch("native:bitset", "bitset"),
        Native("native:links", "links", accepts=frozenset({AllDifferent, Constraints})),
    )
    compiled = (
        Native("native:engine", "engine.session", version=at),
        Native("native:dlx", "dlx", accepts=frozenset({AllDifferent, Constraints}), version=at),
        Native("native:cdcl", "cdcl.session", PROVES | {COUNTS}, frozenset({Cnf, Wcnf, CountedCnf}), version=at),
        Native("native:lazy", "lazy.session", PROVES, frozenset({AllDifferent, Constraints}), version=at),
        Native("native:kernel", "sudoku.kernel9", version=at, sudoku9_only=True),
        Native("native:batch", "sudoku.batch9", ALL | {"batch"}, version=at, sudoku9_only=True),
    )
    if find_spec("numba"):
        return plain + compiled
    return plain + tuple(Missing(n.name, f"not installed: {install('numba')}") for n in compiled)
