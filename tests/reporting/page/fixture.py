"""Containers that web/test/data.test.ts and proofs.test.ts read, and what they hold by Python's account.

python -m tests.reporting.page.fixture    writes them again, after a change of the format
"""

import base64
import gzip
import json
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from harness.reporting.frame.proofs import with_proofs_required
from harness.reporting.frame.results import CLOCKS, Results
from harness.reporting.frame.summary import contender_entries
from harness.reporting.page.columns import EVIDENCE, journal_columns
from harness.reporting.page.container import Container
from harness.reporting.views.ranking.ranks import rank
from harness.reporting.views.ranking.scores import SCORE
from harness.runs.runner import Run
from harness.showing.pictures import picture, pictures
from harness.storing.journal import open_journal
from tests.journals import make, puzzle
from tests.reporting.proved import proved

PATH = Path(__file__).resolve().parents[3] / "web" / "test" / "fixtures" / "container.json"
PROVED = PATH.with_name("proved.json")
NAMES = (
    "made:1",
    "made:</script><img src=x onerror=alert(1)>",
    "made:it's",
    "made:\u202egnp",
    "made:" + "x" * 500,
    "made:\U0001f9e9",
)
DAYS = 86400.0


@contextmanager
def results() -> Iterator[Results]:
    """Yield results with times from nothing to days, whole and half nanoseconds, and every state."""
    short = np.array([0, 3e-9, 255e-9, 65.536e-6, 1.5, 12 * DAYS])
    wall = np.array([short + 1e-9, [3e-9, 3e-9, 255e-9, 65.536e-6, 1.7, 12 * DAYS + 1e-9]])
    cpu = np.array([[0, 5e-9, 1e-9, 70e-6, 1.5, 1.0], [0, 4e-9, 2e-9, 60e-6, 0.3, 2.0]])
    other = "pysat:cadical195/extended@it's"
    with TemporaryDirectory() as folder, chdir(folder):
        make(
            Path("made.sqlite"),
            {"a": wall, other: wall[:1] * 2},
            puzzles=[replace(puzzle(i), name=name) for i, name in enumerate(NAMES)],
            odd={other: {"undecided": [1], "crashed": [2], "unsatisfiable": [3]}},
            cpu_times={"a": cpu},
            command=["run", "made", "--as", "sudoku 2x2", "--alphabet=1234"],
            pythons={"it's": "old python"},
        )
        with open_journal("made.sqlite", write=True) as journal:
            journal.db.execute("update corpora set path = ?", (json.dumps("/my puzzles/made"),))
            journal.db.execute("update outcomes set detail = 'died: ' || puzzle where contender = 1 and puzzle = 3")
        with open_journal("made.sqlite") as journal:
            yield Run(journal).rejudge().results()


def halves(found: Results, number: int, clock: str) -> list[int | None]:
    """Return the median time of each instance in halves of a nanosecond, from the journal; None without one."""
    columns = found.journal.outcomes.columns(number, "puzzle", clock)
    by_puzzle: dict[int, list[int]] = {}
    for i, nanoseconds in zip(columns["puzzle"].tolist(), columns[clock].tolist(), strict=True):
        by_puzzle.setdefault(i, []).append(nanoseconds)
    decided = found.contenders[number].decided
    times = [median(map(Fraction, by_puzzle[i])) * 2 if decided[i] else 0 for i in range(1, found.size + 1)]
    return [int(time) if time else None for time in times]


def expected(found: Results) -> dict[str, Any]:
    """Return what the page is to read."""
    return {
        "names": list(NAMES),
        "contenders": [
            {
                "name": c.contender.name,
                "state": c.state[1:].tolist(),
                "unsatisfiable": c.unsatisfiable[1:].tolist(),
                "found": c.found[1:].tolist(),
                "evidence": sum(getattr(c, name)[1:].astype(int) << k for k, name in enumerate(EVIDENCE)).tolist(),
                "wall": halves(found, c.number, "wall"),
                "cpu": halves(found, c.number, "cpu"),
            }
            for c in found.contenders
        ],
        "drawing": picture(found.journal.instances.get(1)),
        "why": {"2": "died: 3", "3": found.agreement.disagreements[0].why if found.agreement else ""},
        "commands": [
            "python -m harness solve '/my puzzles/made:1' -b a -t 10 --count 1 --as 'sudoku 2x2' --alphabet=1234",
            f"python -m harness run '/my puzzles/{NAMES[1]}' -b 'pysat:cadical195/extended@it'\"'\"'s' -t 10 --count 1"
            " --as 'sudoku 2x2' --alphabet=1234 --env 'it'\"'\"'s=old python'",
        ],
    }


def fixture() -> dict[str, Any]:
    """Return the container, in base64, and what it holds. The summary is left out: it has versions and the machine."""
    with results() as found:
        into = Container()
        summary: Any = {}
        journal = journal_columns(found, summary, pictures, into) | {"scores": {}}
        header = {"journals": [journal], "comparison": None, "pairs": None, "command": "", "version": "0"}
        packed = gzip.decompress(into.packed(header))
        return {"container": base64.b64encode(packed).decode(), "expected": expected(found)}


def proved_fixture() -> dict[str, Any]:
    """Return a container of answers with and without proofs, and how contenders rank if proofs are required."""
    with TemporaryDirectory() as folder, open_journal(proved(Path(folder) / "proved.sqlite")) as journal:
        found, into = Run(journal).rejudge().results(), Container()
        summary: Any = {"contenders": contender_entries(found, ())}
        columns = journal_columns(found, summary, pictures, into) | {"path": "proved.sqlite", "scores": {}}
        header = {"journals": [columns], "comparison": None, "pairs": None, "command": "", "version": "0"}
        packed = gzip.decompress(into.packed(header))
    strict = with_proofs_required(found)
    entries = contender_entries(strict, ())
    counts = [{key: c[key] for key in ("solved", "satisfiable", "unsatisfiable", "proofless")} for c in entries]
    rankings = {
        f"{score} {clock}": [[c.name, c.rank, c.score] for c in rank(strict, score, clock).contenders]
        for score in SCORE
        for clock in CLOCKS
    }
    return {"container": base64.b64encode(packed).decode(), "counts": counts, "rankings": rankings}


def text(data: dict[str, Any]) -> str:
    """Return data as a file holds them."""
    return json.dumps(data, indent=1) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(fixture()), encoding="utf-8")
    PROVED.write_text(text(proved_fixture()), encoding="utf-8")
