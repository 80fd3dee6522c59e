"""Instances known by name alone, of which others state results: they share one problem, whose text nobody read.

No solution of them can be checked, and none is asked for.
"""

from puzzles.constraints.unsupported import UnsupportedParts
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers

PROBLEM = Problem("imported", (), Integers(range(1)), (UnsupportedParts(("the text, since results were imported",)),))


def named_instance(name: str, satisfiable: bool | None) -> Instance[Problem]:
    """Return the instance of a name, with the claim that it has a solution, or has none; None for no claim."""
    count = None if satisfiable is None else int(satisfiable)
    return Instance(name, PROBLEM, (), count, at_least=bool(satisfiable))
