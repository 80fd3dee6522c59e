"""Journals of the tests in a browser, and their pages."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.commands.html import write_page
from harness.reporting.frame.results import Results
from harness.reporting.frame.summary import summarise
from harness.reporting.views.figures import definitions
from harness.reporting.views.ranking.ranks import blocks_of, rank, steady_of
from harness.runs.runner import Run
from harness.storing.journal import Journal, open_journal
from puzzles.problem.arrays import Int64Array
from tests.journals import make, noisy, puzzle

LIMIT = 1.0
SMALL = ("native", "cpsat", "pysat:glucose4/pairwise", "pysat:glucose4/extended", "pysat:cadical195/extended")
HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "<!--<script>",
    "=cmd()",
    "\u202egnp.exe",
    "\u2066left\u2069",
    "x" * 500,
    "a&b=c#d%41+~ é 🧩",
)


@dataclass(frozen=True)
class Made:
    """A page with the summary that `report --json` writes, and the columns of the journal."""

    page: Path
    summary: dict[str, Any]
    names: list[str]
    columns: Mapping[str, Any]
    blocks: Int64Array


def written(journal: Path) -> Made:
    """Write the page of a journal."""
    page = journal.with_suffix(".html")
    with open_journal(journal) as opened:
        results = Run(opened).rejudge().results()
        summary = summarise(results)
        write_page(str(page), [results], [summary])
        names = [name for name, _, _ in opened.instances.listing()]
        every = definitions.columns(results)
        levels = dict(zip((c.name for c in every), steady_of(results, "wall", every), strict=True))
        found = {name: columns(results, name) | {"steady": levels[name]} for name in results.by_name}
        return Made(page, json.loads(json.dumps(summary)), names, found, blocks_of(results))


def columns(results: Results, name: str) -> dict[str, Any]:
    """Return states and times of a contender, one an instance."""
    c = results.by_name[name]
    return {
        "state": c.state[1:],
        "unsatisfiable": c.unsatisfiable[1:],
        "wall": c.wall[1:],
        "effects": c.times["wall"].mean_effects,
    }


def ranking(made: Made, by: str, clock: str = "wall") -> dict[str, Any]:
    """Return what `report --rank` writes as JSON."""
    with open_journal(made.page.with_suffix(".sqlite")) as opened:
        found = rank(Run(opened).rejudge().results(), by, clock)
    result: dict[str, Any] = json.loads(json.dumps(found.as_dict()))
    return result


def small(folder: Path) -> Made:
    """Return a journal of 60 instances and five contenders with every state: both clocks, repeats, a warning."""
    wall = {name: noisy(k, 2, 60, noise=0.4, factor=2.0**k) for k, name in enumerate(SMALL)}
    odd = {name: {"unsatisfiable": [7]} for name in SMALL}
    odd["cpsat"] |= {"undecided": [3, 9, 20, 21, 22, 23], "crashed": [5, 6]}
    odd[SMALL[3]] = {"undecided": [9, 30], "unsatisfiable": [7, 40]}
    cpu = {name: times * 0.9 for name, times in wall.items()}
    path = make(folder / "small.sqlite", wall, odd=odd, cpu_times=cpu, limit=LIMIT)
    reasons = {20: 2, 21: 5, 22: 6, 23: 4}  # memory, gave up, unsupported, an exception
    with open_journal(path, write=True) as journal:
        for place, reason in reasons.items():
            journal.db.execute("update outcomes set reason = ? where contender = 1 and puzzle = ?", (reason, place + 1))
        journal.db.execute("update corpora set path = ?", (json.dumps("/my puzzles/made"),))
        explain(journal, "worker died: signal 11")
    return written(path)


def hostile(folder: Path) -> Made:
    """Return a journal of hostile names of instances, contenders, corpus and family, and hostile texts of failures."""
    puzzles = [replace(puzzle(i), name=f"made:{name}" if i % 2 else name) for i, name in enumerate(HOSTILE * 2)]
    contenders = [f"backend{k}[x={name}]" for k, name in enumerate(HOSTILE)] + [HOSTILE[2]]
    wall = {name: noisy(k, 1, len(puzzles)) for k, name in enumerate(contenders)}
    odd = {name: {"crashed": [0, 3, k], "unsatisfiable": [5] if k == 1 else []} for k, name in enumerate(contenders)}
    path = make(folder / "hostile.sqlite", wall, puzzles, odd=odd, limit=LIMIT)
    with open_journal(path, write=True) as journal:
        journal.db.execute("update corpora set name = ?", (HOSTILE[0] + HOSTILE[5],))
        explain(journal, *(name + "\nsecond line " + name for name in HOSTILE))
    return written(path)


def many(folder: Path) -> Made:
    """Return a journal of 572 contenders."""
    rng = np.random.default_rng(1)
    names = [f"pysat:solver{k % 22}/encoding{k // 22}" for k in range(572)]
    wall = {name: noisy(k, 1, 16, noise=0.5, factor=float(rng.lognormal())) for k, name in enumerate(names)}
    return written(
        make(folder / "many.sqlite", wall, odd={name: {"undecided": [k % 16]} for k, name in enumerate(names)})
    )


def explain(journal: Journal, *texts: str) -> None:
    """Store texts as the reasons of failures, in turns."""
    for k, text in enumerate(texts):
        where = "verdict = 3 and (puzzle + contender) % ? = ?"
        journal.db.execute(f"update outcomes set detail = ? where {where}", (text, len(texts), k))
