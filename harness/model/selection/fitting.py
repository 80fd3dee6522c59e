"""Selection of contenders whose backends do not reject the problems before opening (`refuses`)."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

from backends.contract import catalogue
from backends.contract.answer import BOUNDS_SUMS, goal_refusal
from backends.contract.registry import NO_PROGRAMS
from encoders.formula import Cnf
from encoders.registry import ProblemKind, encoding, spec
from harness.model.contender import Contender, resolve
from harness.model.errors import BadUsage
from harness.model.outcome import MAX_PLACED
from harness.model.patterns import is_glob
from harness.model.settings import DEFAULT_CONTENDERS
from puzzles.constraints.unsupported import unsupported_parts
from puzzles.problem import Problem


def refuses(contender: Contender, problem: Problem, programs: Mapping[str, str]) -> str | None:
    """Return the reason why a contender's backend rejects a problem before it is opened, or None.

    An instance that was not read is no reason: every contender is unsupported on it.
    """
    if unsupported_parts(problem):
        return None
    can = catalogue.describe(contender.backend, programs).can
    if why := goal_refusal(contender.backend, can, problem.objective):
        return why
    if problem.objective is not None:
        return catalogue.refusal(contender.backend, contender.encoding, problem, programs)
    if encoding(contender.encoding).formula is Cnf:
        return None
    if problem.shared and not catalogue.describe(contender.backend, programs).choosy:
        return None
    return catalogue.refusal(contender.backend, contender.encoding, problem, programs)


def takes_any_clauses(contender: Contender, programs: Mapping[str, str]) -> bool:
    """Return True if a contender takes problems without an objective as clauses, whatever they are."""
    can = catalogue.describe(contender.backend, programs).can
    return encoding(contender.encoding).formula is Cnf and goal_refusal(contender.backend, can, None) is None


def select_supported(
    contenders: Sequence[Contender],
    patterns: Sequence[str],
    problems: Iterable[tuple[Problem, int]],
    programs: Mapping[str, str] = NO_PROGRAMS,
    objectives: bool = False,
) -> tuple[tuple[Contender, ...], tuple[str, ...]]:
    """Return the contenders that support these problems, and notes on the others; `objectives` if some have one.

    Each problem comes with its number of puzzles; none is looked at if all contenders take any clauses and there is no
    objective. A contender runs on the problems that it supports, and is unsupported on the others, as a note says. One
    that supports none is left out if a glob matched it. Raises BadUsage if it was named, or if none is left.
    """
    exact = [p for p in patterns or DEFAULT_CONTENDERS if not is_glob(p)]
    named = resolve(exact, envs={c.env for c in contenders}, programs=programs)[0] if exact else ()
    if not objectives and all(takes_any_clauses(c, programs) for c in contenders):
        return tuple(contenders), ()
    counts: list[int] = []  # numbers of puzzles, by problem
    unread = 0  # problems that no contender supports
    refused: list[dict[int, str]] = [{} for _ in contenders]  # reasons by problem
    for i, (problem, n) in enumerate(problems):
        counts.append(n)
        unread += bool(unsupported_parts(problem))
        for c, reasons in zip(contenders, refused, strict=True):
            if why := refuses(c, problem, programs):
                reasons[i] = why
    kept, notes = [], []
    left: dict[str, list[str]] = {}  # backends left out, by reason without their name
    for c, reasons in zip(contenders, refused, strict=True):
        if not reasons:
            kept.append(c)
            continue
        why = next(iter(reasons.values()))
        if c not in named and len(reasons) == len(counts) - unread:
            left.setdefault(why.replace(c.backend, "{name}", 1), []).append(c.backend)
        elif len(reasons) == len(counts):
            raise BadUsage(f"contender {c.name!r} is not supported: {why}")
        else:
            notes.append(f"{why}; unsupported: {sum(counts[i] for i in reasons)} of {sum(counts)} instances")
            kept.append(c)
    for why, backends in left.items():
        first, *others = dict.fromkeys(backends)
        notes.append(f"left out: {why.replace('{name}', first)}" + f"; likewise {', '.join(others)}" * bool(others))
    if not kept:
        raise BadUsage(f"no contender is left to run: {'; '.join(notes)}")
    return tuple(kept), tuple(dict.fromkeys(notes))


def without_copies(
    contenders: Sequence[Contender],
    patterns: Sequence[str],
    problems: Iterable[ProblemKind],
    programs: Mapping[str, str] = NO_PROGRAMS,
) -> tuple[tuple[Contender, ...], tuple[str, ...]]:
    """Return the contenders without globbed ones whose formulas are all those of another, and a note on these.

    Encodings differ in how they write units, sums and tables: a CNF file has one formula in all of them.
    """
    exact = [p for p in patterns if not is_glob(p)] or DEFAULT_CONTENDERS
    named, _ = resolve(exact, envs={c.env for c in contenders}, programs=programs)
    names, kinds = {c.name for c in named}, list(problems)
    first: dict[Hashable, Contender] = {}
    kept, left = [], dict[str, list[str]]()
    for c in sorted(contenders, key=lambda c: c.name not in names):  # named ones first
        if encoding(c.encoding).formula is not Cnf:
            kept.append(c)
            continue
        bounds = BOUNDS_SUMS in catalogue.describe(c.backend, programs).can
        key = (c.backend, c.warm, c.env, tuple(spec(c.encoded).choices_on(kind, bounds) for kind in kinds))
        if c.name in names or key not in first:
            first.setdefault(key, c)
            kept.append(c)
        else:
            left.setdefault(first[key].encoded, []).append(c.name)
    notes = (
        f"{others[0]}{f' and {len(others) - 1} more' if others[1:] else ''} left out: here its formula is that of /{of}"
        for of, others in left.items()
    )
    return tuple(c for c in contenders if c in kept), tuple(notes)


def most_solutions(variables: int) -> int:
    """Return the number of solutions that memory holds, of a problem with `variables` variables."""
    return MAX_PLACED // max(1, variables)


def check_count(count: int, problems: Iterable[tuple[str, int]]) -> None:
    """Raise BadUsage if memory can't hold `count` solutions of a problem, given by name and number of variables."""
    for name, variables in problems:
        if count > most_solutions(variables):
            raise BadUsage(f"{count} solutions of {name} are too many: at most {most_solutions(variables)} are kept")
