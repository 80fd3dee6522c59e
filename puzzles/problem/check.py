"""Independent check of a solution, from the problem and the solution alone, without solver code."""

from collections.abc import Iterable, Sequence

from puzzles.problem import Problem
from puzzles.problem.values import Domains, ends_of, holds, indices_of, size_of

MAX_LISTED = 9  # candidates listed in a message


def violations(problem: Problem, domains: Domains, solution: Sequence[int]) -> list[str]:
    """Return the violations of a solution, a value index per variable, one line each; empty if it is valid.

    Domains and constraints are checked only if every value index is in range.
    """
    if len(solution) != len(problem.variables):
        return [f"has {len(solution)} values, not {len(problem.variables)}"]
    names, values = problem.variables, problem.values
    count = len(values)
    if none := [x for x, v in enumerate(solution) if not 0 <= v < count]:
        return [f"{names[x]} has no value: its index is {solution[x]}, not one of 0 to {count - 1}" for x in none]
    outside = [x for x, v in enumerate(solution) if not holds(domains[x], v, values)]
    wrong = [
        f"{names[x]} {describe_domain(problem, domains[x])}, the answer has {values[solution[x]]}" for x in outside
    ]
    return wrong + [line for constraint in problem.constraints for line in constraint.explain(solution, problem)]


def fault_of(problem: Problem, domains: Domains, solutions: Iterable[Sequence[int]]) -> str:
    """Return the reason why the solutions of an answer are wrong: the first violation, else that one is given twice."""
    for solution in solutions:
        if broken := violations(problem, domains, solution):
            more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
            return f"{broken[0]}{more}"
    return "it is given twice"


def describe_domain(problem: Problem, mask: int) -> str:
    """Describe a domain for a message."""
    values = problem.values
    if problem.ranged and size_of(mask, values) > MAX_LISTED:
        return "may be " + " to ".join(values[v] for v in ends_of(mask, values))
    texts = [values[v] for _, v in zip(range(MAX_LISTED), indices_of(mask, values), strict=False)]
    if (more := size_of(mask, values) - len(texts)) > 0:
        texts.append(f"{more} others")
    if not texts:
        return "has no candidates"
    *most, last = texts
    return f"may be {', '.join(most)} or {last}" if most else f"is given as {last}"
