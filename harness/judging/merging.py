"""Merge journals of the same instances and limits: two runs, or all the shards of one.

Runs of the same contender become repeats; shards have no instance in common.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from harness.judging.referee import Referee
from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.settings import differences
from harness.storing.hashes import content_hashes
from harness.storing.journal import Journal
from harness.storing.union import Move, write_union

MAX_LISTED = 10  # missing shards


def mismatch(a: Journal, b: Journal) -> str | None:
    """Return the reason why journals can't be merged, in their settings or corpora; else None."""
    x, y = a.facts.settings(), b.facts.settings()
    for key in ("limit", "count"):
        if getattr(x, key) != getattr(y, key):
            return f"their {key} differs ({getattr(x, key)} and {getattr(y, key)})"
    if differing := differences(x, y):
        return f"they differ in {', '.join(differing)}"
    pythons = [j.facts.all()["versions"]["python"] for j in (a, b)]
    if pythons[0] != pythons[1]:
        return f"their Python differs ({pythons[0]} and {pythons[1]})"
    if a.corpora.sizes() != b.corpora.sizes():
        names = [", ".join(f"{name} ({n})" for name, n in j.corpora.sizes()) for j in (a, b)]
        return f"their corpora differ: {names[0]}; {names[1]}"
    return None


def check_instances(journals: Sequence[Journal]) -> None:
    """Raise BadUsage if an instance, a claim on it or a malformed file differs between the journals."""
    first, *others = journals
    for other in others:
        if (files := other.corpora.malformed()) != first.corpora.malformed():
            both = " and ".join(str(len(found)) for found in (first.corpora.malformed(), files))
            why = f"their malformed files differ ({both} files, or other errors)"
            raise BadUsage(f"{first.path} and {other.path} can't be merged: {why}")
    for row, *more in zip(*(zip(content_hashes(j), j.claims.rows(), strict=True) for j in journals), strict=True):
        for other, same in zip(others, more, strict=True):
            if same != row:
                why = f"puzzle {row[0][1]} differs between the journals"
                raise BadUsage(f"{first.path} and {other.path} can't be merged: {why}")


def same_run(a: Journal, number: int, b: Journal, other: int) -> bool:
    """Return True if the first repeats of two contenders have identical times: they are the same run."""
    x, y = (j.outcomes.columns(c, "puzzle", "wall", "solve", repeat=0) for j, c in ((a, number), (b, other)))
    return len(x["wall"]) > 0 and all(x[k].tolist() == y[k].tolist() for k in x)


def with_version(contender: Contender, taken: set[str]) -> Contender:
    """Return the contender renamed by its version, since another version has its name."""
    version = re.sub(r"[^A-Za-z0-9._-]+", "-", contender.version).strip("-") or "other"
    base, tail = contender.name.partition("@")[0], [*filter(None, [contender.env]), version]
    name = f"{base}@{'-'.join(tail)}"
    while name in taken:
        name += "-other"
    return replace(contender, name=name, env=name.partition("@")[2])


def alike(x: Contender, y: Contender) -> bool:
    """Return True if two contenders have the same name, version and origin, as far as these are recorded."""
    known = x.origins and y.origins
    return (x.name, x.version) == (y.name, y.version) and (not known or x.origins == y.origins)


def plan_moves(a: Journal, b: Journal) -> list[Move]:
    """Return the moves of the contenders of b into the merged journal. Raises BadUsage on a common run."""
    mine = a.contenders.all()
    taken = {c.name for c in mine}
    found: list[Move] = []
    for number, contender in enumerate(b.contenders.all()):
        same = next((i for i, c in enumerate(mine) if c.name == contender.name), None)
        if same is not None and alike(mine[same], contender):
            if same_run(a, same, b, number):
                raise BadUsage(f"{a.path} and {b.path} contain the same run of {contender.name}: nothing to merge")
            found.append(Move(number, same, a.outcomes.repeats_of(same), None))
            continue
        named = with_version(contender, taken) if contender.name in taken else contender
        taken.add(named.name)
        found.append(Move(number, len(mine) + sum(m.new is not None for m in found), 0, named))
    return found


def stay(journal: Journal) -> list[Move]:
    """Return moves that keep the number of each contender of a journal."""
    return [Move(i, i, 0, None) for i in range(len(journal.contenders.all()))]


def begin(first: Journal, others: Sequence[Journal]) -> list[Move]:
    """Return the first journal's contenders as moved ones, with the origins that only other journals record."""
    recorded = [c for journal in others for c in journal.contenders.all() if c.origins]
    found = []
    for i, c in enumerate(first.contenders.all()):
        same = next((other.origins for other in recorded if alike(c, other)), "")
        found.append(Move(i, i, 0, replace(c, origins=c.origins or same)))
    return found


def check_shards(journals: Sequence[Journal]) -> None:
    """Raise BadUsage unless these journals are all the shards of one run, each once and complete."""
    first, by_number = journals[0], dict[int, Journal]()
    for journal in journals:
        shard = journal.instances.shard()
        if shard.of != first.instances.shard().of:
            each = " and ".join(f"{j.path} is {j.instances.shard()}" for j in (first, journal))
            raise BadUsage(f"not shards of one run: {each}")
        if shard.number in by_number:
            raise BadUsage(f"shard {shard.number} is there twice: {by_number[shard.number].path} and {journal.path}")
        if journal.facts.get("state") != "complete":
            raise BadUsage(f"{journal.path}: shard {shard.number} is not complete: continue it with `run --resume`")
        if contenders := unlike(first, journal):
            raise BadUsage(f"{first.path} and {journal.path} have different contenders: {contenders}")
        by_number[shard.number] = journal
    if missing := [str(n) for n in range(1, first.instances.shard().of + 1) if n not in by_number]:
        more = f" and {len(missing) - MAX_LISTED} more" if len(missing) > MAX_LISTED else ""
        raise BadUsage(f"missing of {first.instances.shard().of} shards: {', '.join(missing[:MAX_LISTED])}{more}")


def unlike(a: Journal, b: Journal) -> str | None:
    """Return the difference between contenders of two shards, or None; workers complete versions when they open."""
    for x, y, *setups in zip_longest(
        a.contenders.all(), b.contenders.all(), a.contenders.setups(), b.contenders.setups()
    ):
        opened = None not in setups
        if x is None or y is None or not alike(x, y if opened else replace(y, version=x.version)):
            shown = ("none" if c is None else f"{c.name} ({c.version or 'not opened'})" for c in (x, y))
            return " and ".join(dict.fromkeys(shown))
    return None


@contextmanager
def merge(journals: Sequence[Journal], path: Path) -> Iterator[Journal]:
    """Write the merged journal of two runs, or of all shards of one, at `path`, with new verdicts. Raises BadUsage."""
    if sharded := any(j.instances.shard().of > 1 for j in journals):
        journals = sorted(
            journals, key=lambda j: j.contenders.setups().count(None)
        )  # versions of an empty shard are incomplete
    first, *others = journals
    if path.exists():
        raise BadUsage(f"{path}: already exists: choose another with -o")
    if sharded:
        check_shards(journals)
    elif len(others) != 1:
        raise BadUsage("merge takes two journals, or all shards of a run")
    for other in others:
        if why := mismatch(first, other):
            raise BadUsage(f"{first.path} and {other.path} can't be merged: {why}")
    check_instances(journals)
    moves = [stay(other) if sharded else plan_moves(first, other) for other in others]
    part = path.with_name(path.name + ".merging")
    try:
        with write_union([*zip(journals, [begin(first, others), *moves], strict=True)], part) as journal:
            Referee(journal).rejudge(journal, write=True)
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    with Journal.open(path) as journal:
        yield journal
