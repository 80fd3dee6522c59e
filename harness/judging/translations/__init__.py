"""Translations of ours that lie between an instance and a solver, evaluated on answers that are wrong.

A wrong answer may be right for what a solver was given. So its wrong solutions, and right solutions that it denies, are
evaluated on the translated model, without the solver: the numbers of the variables are given, further variables are
searched. Right answers cost nothing.

    name      of the translation, in words
    users     backends that share it: an error of it is an error of all of them
    evaluate  base of the backend, formula, domains, solution -> is it allowed, and with which value
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from backends.contract.options import split_options
from encoders.axes import joined
from encoders.formula import AllDifferent, Unsupported
from encoders.registry import spec
from harness.judging.translations.extending import Evaluated, Model, extended
from harness.model.lineage import lineage_of
from harness.model.patterns import NamedContender, NamePattern
from puzzles.errors import BadInput
from puzzles.problem import Problem
from puzzles.problem.check import violations
from puzzles.problem.columns import index_type
from puzzles.problem.values import Domains, Solution

MOST_VARIABLES = 5_000
MOST_SOLUTIONS = 3  # of an answer that are evaluated
UNKNOWN = Evaluated(None)
# A problem beyond a limit of the translation, a package that is not installed here, wide domains, and deep terms.
GIVES_UP = (Unsupported, BadInput, ImportError, OSError, OverflowError, RecursionError)


class Translation(NamedTuple):
    name: str
    users: tuple[str, ...]
    evaluate: Callable[..., Evaluated]

    def __str__(self) -> str:
        *others, last = self.users
        return f"our {self.name}, shared by {', '.join(self.users)}" if others else f"our {self.name}, for {last}"


def late(module: str, name: str) -> Callable[..., Evaluated]:
    """Return the evaluation by a function of a module of this package, which is loaded when it is first asked."""

    def evaluate(*asked: Any) -> Evaluated:
        found = getattr(import_module(f"{__name__}.{module}"), name)(*asked)
        return extended(found) if isinstance(found, Model) else found

    return evaluate


SAT = ("pysat:*", "native:cdcl", "cryptominisat", "z3:bool", "dimacs:*", "wcnf:*")
TRANSLATIONS = {  # by the encoder of a lineage
    "flat": Translation("flattening", ("choco", "pumpkin", "toulbar2", "fzn:*"), late("models", "of_flat")),
    "zero-one": Translation(
        "rows of Booleans", ("highs", "scip", "naps", "exact", "opb:*", "lp:*", "mps:*"), late("models", "of_rows")
    ),
    "smt-lib": Translation("SMT-LIB", ("z3:int", "z3:bv", "cvc5:int", "cvc5:bv"), late("scripts", "of_script")),
    "minizinc": Translation("MiniZinc text", ("minizinc:*",), late("models", "of_minizinc")),
    "xcsp3": Translation("XCSP3 text", ("xcsp3:*",), late("models", "of_xcsp3")),
    "cpmpy": Translation("CPMpy expressions", ("cpmpy:*",), late("expressions", "of_expressions")),
    "elementary": Translation("tables and sums", ("native:lazy",), late("models", "of_tables")),
    "clauses": Translation("clauses", SAT, late("models", "of_clauses")),
    "booleans": Translation("groups of Booleans", ("cpsat", "z3:bool"), late("models", "of_clauses")),
}


class Answered(NamedTuple):
    """Solutions of an answer; `complete` if it says that there are no others, or none better.

    stated  with an objective: the value that it states of its solution, if that has another
    bound   the value below which it says there is no solution
    """

    solutions: Sequence[Solution]
    complete: bool = False
    stated: int | None = None
    bound: int | None = None


def translation_of(contender: NamedContender | NamePattern) -> Translation | None:
    """Return the translation between an instance and a contender's solver, if there is one of ours."""
    return TRANSLATIONS.get(lineage_of(contender.backend, contender.encoding).encoder)


def culprit(
    contender: NamedContender | NamePattern,
    problem: Problem,
    domains: Domains,
    answer: Answered,
    known: Iterable[Solution],
) -> Translation | None:
    """Return the translation for which a contender's wrong answer is right; None without one, or if that is not known.

    `known` are right solutions. The translation is at fault where it allows a solution of the answer that is none,
    excludes one that the answer denies, or values one as the answer does.
    """
    found = translation_of(contender)
    if found is None or len(problem.variables) > MOST_VARIABLES:
        return None

    def evaluated(solution: Solution) -> Evaluated:
        return evaluate(found, contender, problem, domains, solution)

    placed = (s for s in answer.solutions if max(s, default=0) < len(problem.values))
    broken = (s for s in placed if violations(problem, domains, s))
    if any(evaluated(solution).allowed for solution in islice(broken, MOST_SOLUTIONS)):
        return found
    misstated = answer.stated is not None and [s for s in answer.solutions[:1] if value_of(problem, s) != answer.stated]
    if misstated and evaluated(misstated[0]).value == answer.stated:
        return found
    best = best_of(problem, domains, answer)
    # limits below which the answer says there is no value: of the instance, and of the translated model
    limits = [] if answer.bound is None else [(answer.bound, answer.bound)]
    if best is not None and (translated := evaluated(best).value) is not None:
        limits.append((value_of(problem, best), translated))
    for solution in islice(denied(problem, answer, best, known), MOST_SOLUTIONS):
        seen = evaluated(solution)
        if seen.allowed is False:
            return found
        if seen.value is not None and any(value_of(problem, solution) < n and m <= seen.value for n, m in limits):
            return found
    return None


def best_of(problem: Problem, domains: Domains, answer: Answered) -> Solution | None:
    """Return the valid solution that an answer calls the best; None without one."""
    right = (s for s in answer.solutions if not violations(problem, domains, s))
    if problem.objective is None or not answer.complete:
        return None
    return min(right, key=lambda s: value_of(problem, s), default=None)


def denied(problem: Problem, answer: Answered, best: Solution | None, known: Iterable[Solution]) -> Iterator[Solution]:
    """Yield right solutions that an answer says do not exist, with an objective those that are better than it says."""
    if problem.objective is None:
        yield from (s for s in known if answer.complete and s not in answer.solutions)
        return
    limits = [n for n in (answer.bound, None if best is None else value_of(problem, best)) if n is not None]
    for solution in known:
        if any(value_of(problem, solution) < n for n in limits) or (answer.complete and best is None):
            yield solution


def value_of(problem: Problem, solution: Solution) -> int:
    assert problem.objective is not None
    found: int = problem.objective.values(np.array([solution], index_type(problem)), problem).tolist()[0]
    return found


def evaluate(
    translation: Translation,
    contender: NamedContender | NamePattern,
    problem: Problem,
    domains: Domains,
    solution: Solution,
) -> Evaluated:
    """Evaluate the translation of a problem for a contender on a solution."""
    encoded = joined(contender.encoding, contender.at_most_one, contender.linear, contender.table)
    try:
        formula = spec(encoded).formula(problem, domains)
        if isinstance(formula, AllDifferent):
            formula = formula.as_constraints()
        return translation.evaluate(split_options(contender.backend)[0], formula, domains, solution)
    except GIVES_UP:
        return UNKNOWN
