"""Two journals of the same puzzles and limits as one: contenders side by side, the same contender's runs as repeats."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from harness.judging.referee import Referee, rejudge
from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.storing.baselines import copy
from harness.storing.hashes import hashes
from harness.storing.journal import Journal
from harness.storing.schema import MEASURED

SAME = ("limit", "count", "cpu", "memory")
OUTCOME = ("verdict", "valid", "proof", *MEASURED, "detail", "solutions")


def refusal(a: Journal, b: Journal) -> str | None:
    """Why the journals do not fit, or None."""
    x, y = a.meta(), b.meta()
    for key in SAME:
        if x.get(key) != y.get(key):
            return f"their {key} differs ({x.get(key)} and {y.get(key)})"
    if a.corpora() != b.corpora():
        names = [", ".join(f"{name} ({n})" for name, n in j.corpora()) for j in (a, b)]
        return f"their corpora differ: {names[0]}; {names[1]}"
    claims = "select known, at_least, solution from puzzles order by id"
    sides = [zip(hashes(j), j.db.execute(claims), strict=True) for j in (a, b)]
    for left, right in zip_longest(*sides):
        if left != right:
            return f"puzzle {left[0][1]} is another in each"
    return None


def copied(a: Journal, number: int, b: Journal, other: int) -> bool:
    """Whether a first repeat of both is one and the same run."""
    x, y = (j.columns(c, "puzzle", "wall", "solve", repeat=0) for j, c in ((a, number), (b, other)))
    return len(x["wall"]) > 0 and all(x[k].tolist() == y[k].tolist() for k in x)


def told_apart(contender: Contender, taken: set[str]) -> Contender:
    """The contender under a name that says its version, for where another version has its own."""
    version = re.sub(r"[^A-Za-z0-9._-]+", "-", contender.version).strip("-") or "other"
    base, tail = contender.name.partition("@")[0], [*filter(None, [contender.env]), version]
    name = f"{base}@{'-'.join(tail)}"
    while name in taken:
        name += "-other"
    return replace(contender, name=name, env=name.partition("@")[2])


def places(a: Journal, b: Journal) -> list[tuple[int, int, Contender | None]]:
    """For each contender of b: its number in the merged journal, its first repeat there, and itself if it is new."""
    mine = a.contenders()
    taken = {c.name for c in mine}
    found: list[tuple[int, int, Contender | None]] = []
    for number, contender in enumerate(b.contenders()):
        same = next((i for i, c in enumerate(mine) if c.name == contender.name), None)
        if same is not None and mine[same].version == contender.version:
            if copied(a, same, b, number):
                raise BadUsage(f"{a.path} and {b.path} hold the same run of {contender.name}: nothing to merge")
            query = "select coalesce(max(repeat) + 1, 0) from outcomes where contender = ?"
            found.append((same, int(a.db.execute(query, (same,)).fetchone()[0]), None))
            continue
        named = told_apart(contender, taken) if contender.name in taken else contender
        taken.add(named.name)
        found.append((len(mine) + sum(1 for f in found if f[2]), 0, named))
    return found


def meta(a: Journal, b: Journal) -> dict[str, Any]:
    """What the merged journal says of itself beside what it takes over from a."""
    x, y = a.meta(), b.meta()
    states = {x["state"], y["state"]}
    hosts = x.get("hosts", [x["host"]]) + y.get("hosts", [y["host"]])
    return {
        "state": "complete" if states == {"complete"} else "interrupted",
        "hosts": [h for i, h in enumerate(hosts) if h not in hosts[:i]],
        "reference": x.get("reference", []) + y.get("reference", []),
        "merged": [str(a.path), str(b.path)],
    }


@contextmanager
def merge(a: Journal, b: Journal, path: Path) -> Iterator[tuple[Journal, Referee]]:
    """The merged journal at `path`, judged, and the referee that judged it. Raises BadUsage on what does not fit."""
    if path.exists():
        raise BadUsage(f"{path}: exists already; choose another with -o")
    if why := refusal(a, b):
        raise BadUsage(f"{a.path} and {b.path} can't be merged: {why}")
    where, setups = places(a, b), b.setups()
    part = path.with_name(path.name + ".merging")
    copy(a, part)
    try:
        with Journal.open(part, write=True) as journal:
            journal.db.execute("begin")
            for number, (at, shift, contender) in enumerate(where):
                if contender:
                    row = (at, contender.name, json.dumps(asdict(contender)), contender.version, setups[number])
                    journal.db.execute("insert into contenders values (?, ?, ?, ?, ?)", row)
                names = ", ".join(OUTCOME)
                query = f"select ?, repeat + ?, puzzle, {names} from outcomes where contender = ?"
                journal.db.executemany(
                    f"insert into outcomes (contender, repeat, puzzle, {names})"
                    f" values ({', '.join('?' * (3 + len(OUTCOME)))})",
                    b.db.execute(query, (at, shift, number)),
                )
            journal.db.execute("commit")
            journal.put(**meta(a, b))
            referee = Referee(journal, journal.meta()["count"])
            rejudge(journal, referee)
            referee.finalise_verdicts(journal)
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    with Journal.open(path) as journal:
        yield journal, referee
