"""Our own solvers, one file each, from the essays' algorithms to compiled kernels.

A variant is a module of this package with `open(formula) -> Session`; it is imported when it is first opened.
The compiled ones need numba.
"""

import importlib
from dataclasses import dataclass
from importlib.util import find_spec

from backends.answer import Session
from backends.native.nine import NINE_ONLY, fits
from backends.registry import Missing
from encoders.formula import AllDifferent, Formula

VERSION = "0.1.0"
ALL = frozenset({"count", "domains"})


@dataclass(frozen=True)
class Native:
    """One variant: `module` is its file, `can` what it can do beside finding a first solution; `nine`: 9x9 only."""

    name: str
    module: str
    can: frozenset[str] = ALL
    accepts: frozenset[type] = frozenset({AllDifferent})
    version: str = VERSION
    nine: bool = False

    def refuses(self, formula: Formula) -> str | None:
        return f"{self.name} {NINE_ONLY}" if self.nine and not fits(formula) else None

    def open(self, formula: Formula) -> Session:
        session: Session = importlib.import_module(f"{__name__}.{self.module}").open(formula)
        return session


def backends() -> tuple[Native | Missing, ...]:
    """All variants; the first is the default route, which takes the fastest that fits the layout."""
    plain = (
        Native("native", "route"),
        Native("native:python", "python"),
        Native("native:norvig", "norvig"),
        Native("native:backtracking", "backtracking"),
        Native("native:subsets", "subsets"),
        Native("native:splitting", "splitting"),
        Native("native:bitset", "bitset"),
    )
    compiled = (
        Native("native:engine", "engine"),
        Native("native:kernel", "kernel9", nine=True),
        Native("native:batch", "lockstep", ALL | {"batch"}, nine=True),
    )
    if find_spec("numba"):
        return plain + compiled
    return plain + tuple(Missing(n.name, "not installed: pip install numba") for n in compiled)
