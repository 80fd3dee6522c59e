"""Evidence and changed verdicts as columns, for the user's cache (harness/storing/remembering)."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from harness.judging.judge import Evidence
from harness.model.lineage import Voices
from harness.model.merit import Merit, Stated
from harness.storing.remembering import Arrays
from harness.storing.selection import Revision

STATED = ("complete", "certified", "formula")
PLAIN = ("agreeing", "first", "convicting", "independent")
ROW = ("verdict", "valid", "puzzle", "contender", "repeat")  # of a revised outcome


def columns_of(evidence: Evidence, revisions: Sequence[Revision], voices: Voices) -> Arrays | None:
    """Return all that was derived, as columns; None if a merit is beyond 64 bits."""
    merits = {"shown": evidence.shown, **{name: getattr(evidence, name).merit for name in STATED}}
    if any(merit.number.dtype != np.int64 for merit in merits.values()):
        return None
    several = [(puzzle, h) for puzzle, hashes in evidence.more.items() for h in sorted(hashes)]
    rows = np.array(list(chain.from_iterable(revision.rows() for revision in revisions)), np.int64)
    return {
        "voices": np.array(voices.of, np.int64),
        **{f"{name}.some": merit.some for name, merit in merits.items()},
        **{f"{name}.number": merit.number for name, merit in merits.items()},
        **{f"{name}.given": getattr(evidence, name).given for name in STATED},
        **{name: getattr(evidence, name) for name in PLAIN},
        "more.puzzle": np.array([puzzle for puzzle, _ in several], np.int64),
        "more.hash": np.array([h for _, h in several], np.uint64),
        "revised": rows.reshape(-1, len(ROW)),
    }


def evidence_of(columns: Arrays, size: int, voices: Voices) -> Evidence | None:
    """Return the evidence on `size` puzzles; None if it was gathered with other voices."""
    if tuple(columns["voices"].tolist()) != voices.of or not np.array_equal(columns["independent"], voices.independent):
        return None
    if len(columns["agreeing"]) != size + 1:
        return None

    def merit(name: str) -> Merit:
        return Merit(columns[f"{name}.some"], columns[f"{name}.number"])

    more: dict[int, set[int]] = {}
    for puzzle, h in zip(columns["more.puzzle"].tolist(), columns["more.hash"].tolist(), strict=True):
        more.setdefault(puzzle, set()).add(h)
    complete, certified, formula = (Stated(columns[f"{name}.given"], merit(name)) for name in STATED)
    agreeing, first, convicting, independent = (columns[name] for name in PLAIN)
    return Evidence(merit("shown"), complete, agreeing, first, certified, formula, convicting, independent, more)


def revisions_of(columns: Arrays) -> Iterator[Revision]:
    """Yield the outcomes whose verdicts differ from the stored ones, by contender and repeat."""
    rows = columns["revised"]
    for contender, repeat in sorted(set(map(tuple, rows[:, 3:].tolist()))):
        verdict, valid, puzzle = rows[(rows[:, 3] == contender) & (rows[:, 4] == repeat), :3].T
        yield Revision(contender, repeat, puzzle, valid.astype(np.int32), verdict.astype(np.int8))
