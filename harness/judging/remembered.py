"""Evidence and changed verdicts as columns, for the user's cache (harness/storing/remembering)."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from harness.judging.judge import Evidence
from harness.model.lineage import LineageGroups
from harness.model.quality import Quality, Stated
from harness.storing.remembering import Arrays
from harness.storing.selection import Revision

STATED = ("complete", "certified", "formula")
PLAIN = ("agreeing", "first", "convicting", "independent")
ROW = ("verdict", "valid", "puzzle", "contender", "repeat")  # of a revised outcome


def columns_of(evidence: Evidence, revisions: Sequence[Revision], lineage_groups: LineageGroups) -> Arrays | None:
    """Return all that was derived, as columns; None if a quality is beyond 64 bits."""
    qualities = {"shown": evidence.verified, **{name: getattr(evidence, name).quality for name in STATED}}
    if any(quality.number.dtype != np.int64 for quality in qualities.values()):
        return None
    several = [(puzzle, h) for puzzle, hashes in evidence.more.items() for h in sorted(hashes)]
    rows = np.array(list(chain.from_iterable(revision.rows() for revision in revisions)), np.int64)
    return {
        "voices": np.array(lineage_groups.of, np.int64),
        **{f"{name}.some": quality.some for name, quality in qualities.items()},
        **{f"{name}.number": quality.number for name, quality in qualities.items()},
        **{f"{name}.given": getattr(evidence, name).given for name in STATED},
        **{name: getattr(evidence, name) for name in PLAIN},
        "more.puzzle": np.array([puzzle for puzzle, _ in several], np.int64),
        "more.hash": np.array([h for _, h in several], np.uint64),
        "revised": rows.reshape(-1, len(ROW)),
    }


def evidence_of(columns: Arrays, size: int, lineage_groups: LineageGroups) -> Evidence | None:
    """Return the evidence on `size` puzzles; None if it was gathered with other lineage groups."""
    if tuple(columns["voices"].tolist()) != lineage_groups.of or not np.array_equal(
        columns["independent"], lineage_groups.independent
    ):
        return None
    if len(columns["agreeing"]) != size + 1:
        return None

    def quality(name: str) -> Quality:
        return Quality(columns[f"{name}.some"], columns[f"{name}.number"])

    more: dict[int, set[int]] = {}
    for puzzle, h in zip(columns["more.puzzle"].tolist(), columns["more.hash"].tolist(), strict=True):
        more.setdefault(puzzle, set()).add(h)
    complete, certified, formula = (Stated(columns[f"{name}.given"], quality(name)) for name in STATED)
    agreeing, first, convicting, independent = (columns[name] for name in PLAIN)
    return Evidence(quality("shown"), complete, agreeing, first, certified, formula, convicting, independent, more)


def revisions_of(columns: Arrays) -> Iterator[Revision]:
    """Yield the outcomes whose verdicts differ from the stored ones, by contender and repeat."""
    rows = columns["revised"]
    for contender, repeat in sorted(set(map(tuple, rows[:, 3:].tolist()))):
        verdict, valid, puzzle = rows[(rows[:, 3] == contender) & (rows[:, 4] == repeat), :3].T
        yield Revision(contender, repeat, puzzle, valid.astype(np.int32), verdict.astype(np.int8))
