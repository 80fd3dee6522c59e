"""Instances known by name alone, of which others state results. They share one problem, whose content is unknown.

Such an instance is asked for no solution, and none can be checked.
"""

from puzzles.constraints.unsupported import UnsupportedParts
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers

PROBLEM = Problem("imported", (), Integers(range(1)), (UnsupportedParts(("the text, since results were imported",)),))


def named_instance(name: str, satisfiable: bool | None) -> Instance[Problem]:
    """Return the instance of a name, with a claim that it has a solution or has none; None for no claim."""
    count = None if satisfiable is None else int(satisfiable)
    return Instance(name, PROBLEM, (), count, at_least=bool(satisfiable))
