"""Which contenders take which layouts, as far as their backends say so without being opened (`refuses`)."""

from collections.abc import Sequence

from backends import registry
from backends.answer import ChoosyBackend
from encoders.formula import Cnf, Unsupported
from encoders.registry import ENCODINGS, Spec
from harness.model.contender import GLOB, Contender, resolve
from harness.model.errors import BadUsage
from harness.model.settings import DEFAULT_CONTENDERS
from puzzles.problem import Problem


def refuses(contender: Contender, problem: Problem) -> str | None:
    """Why the contender's backend does not take a layout, as far as it says so without being opened."""
    backend, encoding = registry.find(contender.backend), ENCODINGS[contender.encoding]
    if not isinstance(backend, ChoosyBackend) or encoding.formula is Cnf:
        return None
    try:
        return backend.refuses(Spec(encoding).formula(problem))
    except Unsupported as e:
        return str(e)


def fitting(
    contenders: Sequence[Contender], patterns: Sequence[str], layouts: Sequence[tuple[Problem, int]]
) -> tuple[tuple[Contender, ...], tuple[str, ...]]:
    """Those that take these layouts (each with its number of puzzles), and notes on the others.

    One that does not take all is left out where a glob reached it. Where it was named it takes part, as far as it goes.
    Raises BadUsage where it takes none.
    """
    named, _ = resolve(
        [p for p in patterns if not GLOB.search(p)] or DEFAULT_CONTENDERS, envs={c.env for c in contenders}
    )
    kept, notes = [], []
    for c in contenders:
        whys = {layout: why for layout, _ in layouts if (why := refuses(c, layout))}
        if not whys:
            kept.append(c)
            continue
        why = next(iter(whys.values()))
        if c not in named:
            notes.append(f"left out: {why}")
        elif len(whys) == len(layouts):
            raise BadUsage(f"contender {c.name!r} can't be: {why}")
        else:
            lost, total = sum(n for board, n in layouts if board in whys), sum(n for _, n in layouts)
            notes.append(f"{why}; {lost} of {total} puzzles are unsupported")
            kept.append(c)
    if not kept:
        raise BadUsage(f"no contender is left: {'; '.join(notes)}")
    return tuple(kept), tuple(notes)
