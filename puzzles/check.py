"""The independent judge of a solution. It knows the problem and the solution, and nothing of any solver."""

from collections.abc import Sequence

from puzzles.problem import Domains, Problem, bits

LISTED = 9  # candidates that are named


def violations(problem: Problem, domains: Domains, solution: Sequence[int]) -> list[str]:
    """Everything that is wrong with `solution`, a value index for each variable, one line each; empty if it is right.

    Constraints are asked where every variable holds a value of the problem.
    """
    if len(solution) != len(problem.variables):
        return [f"has {len(solution)} values, not {len(problem.variables)}"]
    names, values = problem.variables, problem.values
    count = len(values)
    if none := [x for x, v in enumerate(solution) if not 0 <= v < count]:
        return [f"{names[x]} holds no value of the problem ({solution[x]})" for x in none]
    outside = [x for x, v in enumerate(solution) if not domains[x] >> v & 1]
    wrong = [f"{names[x]} {allowed(problem, domains[x])}, the answer has {values[solution[x]]}" for x in outside]
    return wrong + [line for constraint in problem.constraints for line in constraint.explain(solution, problem)]


def allowed(problem: Problem, mask: int) -> str:
    """What a variable may be, in words."""
    texts = [problem.values[v] for _, v in zip(range(LISTED), bits(mask), strict=False)]
    if (more := mask.bit_count() - len(texts)) > 0:
        texts.append(f"{more} others")
    if not texts:
        return "has no candidates"
    *most, last = texts
    return f"may be {', '.join(most)} or {last}" if most else f"is given as {last}"
