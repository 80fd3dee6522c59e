"""SMT-LIB scripts evaluated: numbers of the variables are given, all else is defined by terms, integers or bit vectors.

Bit vectors are integers in two's complement, so what overflows their width wraps, as in a solver.
"""

import operator
import re
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from typing import Any

from encoders.formula import Constraints
from encoders.smt import script
from encoders.smt.objectives import goal_of
from harness.judging.translations.extending import Evaluated
from puzzles.problem.values import Domains, Solution

TOKEN = re.compile(r"[()]|[^\s()]+")
Parsed = str | list[Any]


def of_script(
    backend: str, form: Constraints, domains: Domains, solution: Solution, vectors: bool = False
) -> Evaluated:
    """Evaluate the script of a problem."""
    made = script(replace(form, objective=None), vectors)
    goal = None if form.objective is None else goal_of(made, form.objective)
    if any(form.numbers[v] not in form.members(mask) for mask, v in zip(domains, solution, strict=True)):
        return Evaluated(False)
    values: dict[str, Any] = {f"v{x}": form.numbers[v] for x, v in enumerate(solution)}
    width = made.width() if vectors else 0
    for line in made.text().splitlines():
        name, *parts = parsed(line)
        if name == "declare-const" and parts[1] == "Bool":
            values[parts[0]] = bool(values[parts[0]])
        elif name == "define-fun":
            values[parts[0]] = value(parts[-1], values, width)
        elif name == "assert" and not value(parts[0], values, width):
            return Evaluated(False)
    return Evaluated(True, None if goal is None else value(parsed(made.completed(goal.text)), values, width))


def parsed(text: str) -> Any:
    """Return a term as nested lists of words."""
    stack: list[list[Any]] = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0][0]


def value(term: Parsed, values: dict[str, Any], width: int) -> Any:
    """Return the value of a term, a bool or an integer."""
    if isinstance(term, str):
        return term == "true" if term in ("true", "false") else values[term] if term in values else int(term)
    name, *parts = term
    if name == "_":
        return wrapped(int(parts[0].removeprefix("bv")), width)
    if name == "ite":
        return value(parts[1 if value(parts[0], values, width) else 2], values, width)
    if name in ("and", "or"):
        return (all if name == "and" else any)(value(part, values, width) for part in parts)
    found = OPERATORS[name](*[value(part, values, width) for part in parts])
    return found if isinstance(found, bool) else wrapped(found, width)


def wrapped(n: int, width: int) -> int:
    """Return a number as a bit vector of a width holds it; any number if there is no width."""
    return (n + (1 << width - 1)) % (1 << width) - (1 << width - 1) if width else n


def truncated(a: int, b: int) -> int:
    """Return a / b truncated towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def chain(holds: Callable[[Any, Any], bool]) -> Callable[..., bool]:
    return lambda *parts: all(holds(a, b) for a, b in pairwise(parts))


OPERATORS: dict[str, Callable[..., Any]] = {
    "not": operator.not_,
    "xor": lambda *parts: bool(sum(parts) % 2),
    "distinct": lambda *parts: len(set(parts)) == len(parts),
    "=": chain(operator.eq),
    **dict.fromkeys(("<", "bvslt"), chain(operator.lt)),
    **dict.fromkeys(("<=", "bvsle"), chain(operator.le)),
    **dict.fromkeys((">", "bvsgt"), chain(operator.gt)),
    **dict.fromkeys((">=", "bvsge"), chain(operator.ge)),
    **dict.fromkeys(("+", "bvadd"), lambda *parts: sum(parts)),
    **dict.fromkeys(("*", "bvmul"), lambda *parts: reduce(operator.mul, parts)),
    **dict.fromkeys(("-", "bvsub"), lambda a, *parts: a - sum(parts) if parts else -a),
    "bvneg": operator.neg,
    "div": lambda a, b: a // b if b > 0 else -(a // -b),
    "bvsdiv": lambda a, b: truncated(a, b) if b else -1 if a >= 0 else 1,
    "bvsrem": lambda a, b: a - b * truncated(a, b) if b else a,
}
