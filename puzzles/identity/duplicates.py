"""Duplicates among instances: equal by content, or up to a renaming of variables and the order of constraints.

An instance is compared with those before it whose sizes and kinds are the same, and only then its digest is computed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from puzzles.problem import Instance

CONTENT, RENAMED, MAYBE = "equal", "renamed", "may be equal up to renaming"
MOST_COMPARED = 200_000  # instances of a corpus that later ones are compared with
MOST_NAMED = 100  # in a note
MOST_HELD = 1 << 28  # bytes of domains and numbers of the problems that are held for comparison, about
WORDS = {CONTENT: "equal by content", RENAMED: "equal up to a renaming that was found and checked", MAYBE: MAYBE}


class Duplicate(NamedTuple):
    """An instance, an earlier one, and how they are equal: one of WORDS."""

    name: str
    first: str
    how: str


@dataclass
class Compared:
    """Instance that others are compared with, and its digest that renaming does not change, computed when needed."""

    instance: Instance[Any]

    @cached_property
    def digest(self) -> str:
        from puzzles.identity.refinement import renamed_digest  # which needs numpy

        return renamed_digest(self.instance)

    def compared(self, other: "Compared") -> Duplicate | None:
        """Return the duplicate that this is of another instance of its size."""
        from puzzles.identity.renaming import renaming

        if self.digest != other.digest:
            return None
        how = MAYBE if renaming(other.instance, self.instance) is None else RENAMED
        return Duplicate(self.instance.name, other.instance.name, how)


@dataclass
class Duplicates:
    """Instances so far, by content; and by size those whose renamings are looked for, until too many are held."""

    most: int = MOST_COMPARED
    contents: dict[Any, str] = field(default_factory=dict)
    sizes: dict[Any, list["Compared"]] = field(default_factory=dict)
    held: int = 0

    def take(self, instance: Instance[Any]) -> Duplicate | None:
        """Return the duplicate that an instance is; else keep it."""
        content = instance.problem.digest, hash(instance.domains)
        if first := self.contents.get(content):
            return Duplicate(instance.name, first, CONTENT)
        if len(self.contents) < self.most:
            self.contents[content] = instance.name
        if instance.problem.shared or (size := size_of(instance)) is None:
            return None
        same, own = self.sizes.setdefault(size, []), Compared(instance)
        found = next(filter(None, map(own.compared, same)), None)
        if (found is None or found.how == MAYBE) and self.held < MOST_HELD:
            same.append(own)
            self.held += bytes_of(instance)
        return found


def bytes_of(instance: Instance[Any]) -> int:
    """Return about how many bytes the parts of an instance take."""
    arrays = (part for c in instance.problem.constraints for part in vars(c).values())
    return 64 * len(instance.domains) + sum(getattr(part, "nbytes", 1000) for part in arrays)


def size_of(instance: Instance[Any]) -> Any:
    """Return numbers that renaming does not change; None for an instance of which parts are not read."""
    problem = instance.problem
    if any(c.kind == "unsupported" for c in problem.constraints):
        return None
    parts = sorted((c.kind, sum(getattr(a, "size", 0) for a in vars(c).values())) for c in problem.constraints)
    goal = problem.objective
    return len(problem.variables), len(problem.values), tuple(parts), goal and goal.kind


def distinct(
    instances: Iterable[Instance[Any]], before: Duplicates, found: Callable[[Duplicate], object]
) -> Iterator[Instance[Any]]:
    """Yield instances without those that are equal to an earlier one or a checked renaming of it.

    `found` gets each duplicate.
    """
    for instance in instances:
        duplicate = before.take(instance)
        if duplicate is not None:
            found(duplicate)
        if duplicate is None or duplicate.how == MAYBE:
            yield instance


def notes(duplicates: Sequence[Duplicate], left_out: bool, unnamed: int = 0) -> Iterator[str]:
    """Yield a note on the duplicates of each sort, which names them; `unnamed` more are equal by content."""
    for how, words in WORDS.items():
        found = [f"{d.name} ({d.first})" for d in duplicates if d.how == how]
        if not found:
            continue
        gone = "left out, " if left_out and how != MAYBE else ""
        advice = "" if left_out or how == MAYBE else "; --distinct leaves them out"
        more = max(0, len(found) - MOST_NAMED) + unnamed * (how == CONTENT)
        shown = ", ".join(found[:MOST_NAMED]) + f", and {more:,} more" * (more > 0)
        yield f"{gone}{words}, each with the first: {shown}{advice}"
