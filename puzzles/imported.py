"""Instances known by name alone, of which others state results. They share problems whose content is unknown.

Such an instance is asked for no solution, and none can be checked; of its objective, if there is one, only the sense is
known.
"""

from functools import cache

from puzzles.constraints.unsupported import UnsupportedParts
from puzzles.objectives.imported import ImportedObjective
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers

NAME = "imported"


@cache
def problem_of(maximise: bool | None) -> Problem:
    """Return the problem of instances without an objective (None), or with one that is minimised or maximised."""
    constraint = UnsupportedParts(("the text, since results were imported",))
    goal = None if maximise is None else ImportedObjective(maximise)
    return Problem(NAME, (), Integers(range(1)), (constraint,), objective=goal)


@cache
def digests() -> frozenset[str]:
    """Return the digests of the problems of imported instances."""
    return frozenset(problem_of(maximise).digest for maximise in (None, False, True))


def is_imported(problem: Problem) -> bool:
    """Return True for the problem of an instance known by name alone."""
    return problem.name == NAME and problem.digest in digests()


def named_instance(
    name: str, satisfiable: bool | None, maximise: bool | None = None, best: int | None = None
) -> Instance[Problem]:
    """Return the instance of a name, with a claim that it has a solution or has none; None for no claim.

    With an objective, `best` is the value, to be minimised, that a solution is said to have.
    """
    problem = problem_of(maximise)
    if maximise is not None and satisfiable is not False:
        return Instance(name, problem, (), None, at_least=best is not None, optimum=best)
    count = None if satisfiable is None else int(satisfiable)
    return Instance(name, problem, (), count, at_least=bool(satisfiable))
