"""Our own solvers, one file each, from the essays' algorithms to compiled kernels.

A variant is a module of this package with `open(formula) -> Session`; it is imported when it is first opened.
"""

import importlib
from dataclasses import dataclass

from backends.answer import Session
from encoders.formula import AllDifferent, Formula

VERSION = "0.1.0"
ALL = frozenset({"count", "domains"})


@dataclass(frozen=True)
class Native:
    """One variant: `module` is its file, `can` what it can do beside finding a first solution."""

    name: str
    module: str
    can: frozenset[str] = ALL
    accepts: frozenset[type] = frozenset({AllDifferent})
    version: str = VERSION

    def open(self, formula: Formula) -> Session:
        session: Session = importlib.import_module(f"{__name__}.{self.module}").open(formula)
        return session


def backends() -> tuple[Native, ...]:
    """All variants; the first is the default route, which takes the fastest that fits the layout."""
    return (
        Native("native", "route"),
        Native("native:python", "python"),
        Native("native:norvig", "norvig"),
        Native("native:backtracking", "backtracking"),
        Native("native:subsets", "subsets"),
        Native("native:splitting", "splitting"),
        Native("native:bitset", "bitset"),
        Native("native:engine", "engine"),
        Native("native:kernel", "kernel9"),
        Native("native:batch", "lockstep", ALL | {"batch"}),
    )
