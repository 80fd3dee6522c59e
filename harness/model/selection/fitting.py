"""Selection of contenders whose backends do not reject the problems before opening (`refuses`)."""

from collections.abc import Iterable, Sequence

from backends import catalogue
from encoders.formula import Cnf
from encoders.registry import encoding
from harness.model.contender import Contender, resolve
from harness.model.errors import BadUsage
from harness.model.outcome import MAX_PLACED
from harness.model.selection.patterns import GLOB
from harness.model.settings import DEFAULT_CONTENDERS
from puzzles.constraints.unsupported import unsupported_parts
from puzzles.problem import Problem


def refuses(contender: Contender, problem: Problem) -> str | None:
    """Return why the contender's backend rejects a problem before it is opened, or None.

    An instance that was not read is no reason: every contender is unsupported on it.
    """
    if encoding(contender.encoding).formula is Cnf or unsupported_parts(problem):
        return None
    if problem.shared and not catalogue.describe(contender.backend).choosy:
        return None
    return catalogue.refusal(contender.backend, contender.encoding, problem)


def select_supported(
    contenders: Sequence[Contender], patterns: Sequence[str], problems: Sequence[tuple[Problem, int]]
) -> tuple[tuple[Contender, ...], tuple[str, ...]]:
    """Return the contenders that support these problems, and notes on the others.

    Each problem comes with its number of puzzles. A contender that does not support all problems is left out if a glob
    matched it. If it was named, it runs on those that it supports. Raises BadUsage if it supports none.
    """
    named, _ = resolve(
        [p for p in patterns if not GLOB.search(p)] or DEFAULT_CONTENDERS, envs={c.env for c in contenders}
    )
    kept, notes = [], []
    for c in contenders:
        reasons = {i: why for i, (problem, _) in enumerate(problems) if (why := refuses(c, problem))}
        if not reasons:
            kept.append(c)
            continue
        why = next(iter(reasons.values()))
        if c not in named:
            notes.append(f"left out: {why}")
        elif len(reasons) == len(problems):
            raise BadUsage(f"contender {c.name!r} is not supported: {why}")
        else:
            lost, total = sum(problems[i][1] for i in reasons), sum(n for _, n in problems)
            notes.append(f"{why}; {lost} of {total} puzzles are unsupported")
            kept.append(c)
    if not kept:
        raise BadUsage(f"no contender is left to run: {'; '.join(notes)}")
    return tuple(kept), tuple(notes)


def most_solutions(problem: Problem) -> int:
    """Return the number of solutions that memory holds."""
    return MAX_PLACED // max(1, len(problem.variables))


def check_count(count: int, problems: Iterable[Problem]) -> None:
    """Raise BadUsage if memory does not hold so many solutions of a problem."""
    for problem in problems:
        if count > most_solutions(problem):
            raise BadUsage(
                f"{count} solutions of {problem.name} are too many: at most {most_solutions(problem)} are kept"
            )
