"""Backends that know the best solution of a small Boolean instance by enumeration, and answer rightly or wrongly.

`honest` reports every improvement and the bound. Each other variant does one thing otherwise, as its function says.
"""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from backends.contract.answer import Answer, Ask, Reason, Session, Status
from encoders.formula import AllDifferent, Constraints, Formula, Unsupported
from puzzles.problem import Problem
from puzzles.problem.values import Integers, Solution, bits

Found = list[tuple[int, Solution]]  # values and solutions, each better than the one before


def solutions(formula: Constraints, ask: Ask) -> Found:
    """Return improvements, from the first solution to the best one."""
    names = [f"x{i}" for i in range(formula.variables)]
    problem = Problem("", names, Integers(formula.numbers), formula.constraints)
    rows = np.array(list(product(*(list(bits(mask)) for mask in ask.domains))), np.uint16)
    ok = np.ones(len(rows), np.bool_)
    for constraint in formula.constraints:
        ok &= constraint.satisfied(rows, problem)
    assert formula.objective is not None
    values = formula.objective.values(rows[ok], problem).tolist()
    found: Found = []
    for value, row in zip(values, rows[ok].tolist(), strict=True):
        if not found or value < found[-1][0]:
            found.append((value, tuple(row)))
    return found


def reported(ask: Ask, found: Found) -> None:
    for value, solution in found:
        ask.improved(value, solution)


def honest(ask: Ask, found: Found) -> Answer:
    if not found:
        return Answer(Status.UNSATISFIABLE, complete=True)
    reported(ask, found)
    value, solution = found[-1]
    ask.bounded(value)
    return Answer(Status.SATISFIABLE, (solution,), True, value=value, bound=value)


def content(ask: Ask, found: Found) -> Answer:
    """Call the first solution the best."""
    value, solution = found[0]
    return Answer(Status.SATISFIABLE, (solution,), True, value=value)


def forgetful(ask: Ask, found: Found) -> Answer:
    """Report the best solution, and then call the first one the best."""
    reported(ask, found)
    return content(ask, found)


def modest(ask: Ask, found: Found) -> Answer:
    """Report the best solution, and return the first one, without a proof."""
    reported(ask, found)
    return replace(content(ask, found), complete=False, reason=Reason.STUCK)


def cheap(ask: Ask, found: Found) -> Answer:
    """State a value that is one less than that of the solution."""
    value, solution = found[-1]
    return Answer(Status.SATISFIABLE, (solution,), False, Reason.STUCK, value=value - 1)


def steep(ask: Ask, found: Found) -> Answer:
    """State a bound above the best value."""
    value, solution = found[0]
    ask.bounded(found[-1][0] + 1)
    return Answer(Status.SATISFIABLE, (solution,), False, Reason.STUCK, value=value)


def infeasible(ask: Ask, found: Found) -> Answer:
    """Say that there is no solution."""
    return Answer(Status.UNSATISFIABLE, complete=True)


def false_value(ask: Ask, found: Found) -> Answer:
    """Report a solution with another value than it has, and answer rightly."""
    ask.improved(found[0][0] - 1, found[0][1])
    time.sleep(0.2)  # a report that is overwritten at once is not read
    return honest(ask, found)


def broken(ask: Ask, found: Found) -> Answer:
    """Report what is no solution, and answer rightly."""
    value, solution = found[-1]
    ask.improved(value - 5, tuple(7 for _ in solution))
    time.sleep(0.2)
    return honest(ask, found)


def early(ask: Ask, found: Found) -> Answer:
    """Stamp the reports a second too early."""
    from harness.running.workers import reports

    vars(reports)["monotonic_ns"] = lambda: time.monotonic_ns() - 1_000_000_000
    time.sleep(1.2)
    return honest(ask, found)


def killed(ask: Ask, found: Found) -> Answer:
    """Report all solutions, and die."""
    reported(ask, found)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def raising(ask: Ask, found: Found) -> Answer:
    """Report all solutions, and raise."""
    reported(ask, found)
    raise RuntimeError("no more")


def late(ask: Ask, found: Found) -> Answer:
    """Report all solutions but the best, and answer after the limit."""
    reported(ask, found[:-1])
    time.sleep(ask.seconds + 30)
    return honest(ask, found)


def claiming(ask: Ask, found: Found) -> Answer:
    """State values alone, as programs do, and the best solution at the end."""
    for value, _ in found:
        ask.improved(value, None)
    value, solution = found[-1]
    return Answer(Status.SATISFIABLE, (solution,), True, value=value)


def torn(ask: Ask, found: Found) -> Answer:
    """Die while a better report is being written."""
    reported(ask, found[:-1])
    slots = ask.listener.slots  # type: ignore[attr-defined]
    number = 1 + max(int(meta[0]) for meta in slots.meta[:2])
    slots.meta[number % 2][:] = (number, 1, 0, time.monotonic_ns(), 1, 1, 0)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def flood(ask: Ask, found: Found) -> Answer:
    """Report every value above the best one, each with its solution, if values are the bits of a solution."""
    (best, _), n = found[-1], len(found[-1][1])
    for value in range((1 << n) - 1, best - 1, -1):
        ask.improved(value, tuple(value >> n - 1 - i & 1 for i in range(n)))
    return honest(ask, found[-1:])


KINDS: dict[str, Callable[[Ask, Found], Answer]] = {
    f.__name__: f
    for f in (
        *(honest, content, forgetful, modest, cheap, steep, infeasible, false_value, broken, early, killed, raising),
        *(late, claiming, torn, flood),
    )
}


@dataclass(frozen=True)
class Bettering:
    """Session of one formula."""

    formula: Constraints
    answer: Callable[[Ask, Found], Answer]

    def ask(self, ask: Ask) -> Answer:
        return self.answer(ask, solutions(self.formula, ask))

    def close(self) -> None:
        """Hold nothing."""


@dataclass(frozen=True)
class Better:
    """Backend of one variant."""

    name: str
    version: str = "1"
    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"optimise", "domains"})

    def open(self, formula: Formula) -> Session:
        if not isinstance(formula, Constraints) or formula.objective is None:
            raise Unsupported(f"{self.name} takes objectives")
        return Bettering(formula, KINDS[self.name.partition(":")[2]])


def backends() -> list[Better]:
    return [Better(f"better:{name}") for name in KINDS]
