"""Scores by group of instances: corpus, folder, kind and status, also crossed.

corpus  a file, folder, pattern or list of the run
folder  the first folder in an instance's name, behind the folders that all names begin with; the families of a corpus
kind    the kind of problem, such as cnf or sudoku 9x9
status  sat, unsat, or undecided, by the answers that are not refuted
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.model.errors import BadUsage
from harness.reporting.frame.results import CLOCK_NAMES, Results
from harness.reporting.statistics.estimates import Floats
from harness.reporting.views.families import FIELDS
from harness.reporting.views.ranking.named import parsed
from harness.reporting.views.ranking.rank_text import unit_of
from harness.reporting.views.ranking.ranks import RankedColumns, named_columns
from harness.reporting.views.ranking.scores import Performance, Score
from harness.reporting.writing.labels import short_names
from harness.reporting.writing.table import Cell, Column, ResultTable, Unit, table_of
from puzzles.problem.arrays import BoolArray

ALL = "all"


@dataclass(frozen=True)
class ScoredGroup:
    """Instances of one group: its label by field, bool[instances], and the scores of contenders, NaN if not asked."""

    labels: tuple[str, ...]
    instances: BoolArray
    solved: tuple[int, ...]
    scores: Floats


def fields_of(text: str) -> list[str]:
    """Return the fields of `--by A,B`. Raises BadUsage."""
    found = [part.strip() for part in text.split(",")]
    if len(set(found)) < len(found) or not set(found) <= FIELDS.keys():
        raise BadUsage(f"--by {text}: write some of {', '.join(FIELDS)}, separated by commas")
    return found


def groups(results: Results, fields: Sequence[str], score: str, clock: str) -> tuple[RankedColumns, list[ScoredGroup]]:
    """Return the contenders, and each group of their instances with its scores; the last one has all."""
    name = parsed(score)
    c, rule, counts = named_columns(results, name, clock, tested=False)
    points = np.zeros_like(c.seconds)
    points[:, counts] = rule.points(Performance(c.seconds[:, counts], results.limits.of(clock)))
    asked: BoolArray = np.any(c.asked, axis=0)
    known: dict[tuple[str, ...], int] = {}
    keys = zip(*(FIELDS[name](results) for name in fields), strict=True)
    numbers = np.array([known.setdefault(key, len(known)) for key in keys], np.int64)
    of = {key: member for key, k in sorted(known.items()) if (member := asked & (numbers == k)).any()}
    every = {**of, (ALL,) * len(fields): asked}
    counted = (c.asked if rule.asked else np.ones_like(c.asked)) & counts
    return c, [group(c, labels, instances, points, counted, rule) for labels, instances in every.items()]


def group(
    c: RankedColumns, labels: tuple[str, ...], instances: BoolArray, points: Floats, counted: BoolArray, rule: Score
) -> ScoredGroup:
    """Return a group with its scores, which are those of a run of these instances alone."""
    some = c.among(instances)
    total = np.where(counted, points, 0.0)[:, instances].sum(axis=1)
    number = counted[:, instances].sum(axis=1)
    means = np.divide(total, number, out=np.full(len(total), np.nan), where=number > 0)
    means = total if rule.sums else rule.of_means(means, int(instances.sum()))
    scores: Floats = np.where(some.asked.any(axis=1), means, np.nan)
    solved = (~np.isnan(some.seconds)).sum(axis=1).tolist()
    return ScoredGroup(labels, instances, tuple(solved), scores)


def pairs_table(results: Results, fields: Sequence[str], score: str, clock: str) -> ResultTable:
    """Return scores by group for programs: a row for each group and contender."""
    c, found = groups(results, fields, score, clock)
    rows = [
        [*g.labels, int(g.instances.sum()), name, solved, *([] if score == "solved" else [known(value)])]
        for g in found
        for name, solved, value in zip(c.names, g.solved, g.scores.tolist(), strict=True)
    ]
    return table_of((*fields, "instances", "contender", "solved", *([] if score == "solved" else [score])), rows)


def table(results: Results, fields: Sequence[str], score: str, clock: str) -> ResultTable:
    """Return scores by group: a row for each, a column for each contender."""
    c, found = groups(results, fields, score, clock)
    unit = unit_of(score) if score != "solved" else None
    rows = [
        [*g.labels, int(g.instances.sum()), *(cell(*pair, unit) for pair in zip(g.solved, g.scores, strict=True))]
        for g in found
    ]
    both = f"decided, and {score} in brackets" if unit else "decided"
    below = f"{both} ({CLOCK_NAMES[clock]}); sat and unsat by the answers that are not refuted"
    return table_of(
        (*fields, Column("instances", Unit.COUNT), *short_names(c.names)[0].values()),
        rows,
        left=len(fields),
        caption=below,
        comments=(f"Instances by {' and '.join(fields)}: {below}",),
        label=f"by-{'-'.join(fields)}",
    )


def cell(solved: int, score: float, unit: Unit | None) -> Cell:
    """Return number decided and score of a contender: "-" for none; the number alone without a unit."""
    return Cell(solved, f"{solved:,}" if unit is None else f"{solved:,} ({unit.text(known(score))})")


def known(value: float) -> float | None:
    """Return a score, None for none."""
    return None if np.isnan(value) else float(value)


def as_data(results: Results, fields: Sequence[str], score: str, clock: str) -> dict[str, Any]:
    """Return scores by group as JSON-compatible data."""
    c, found = groups(results, fields, score, clock)
    entries = []
    for g in found:
        each = [
            {"name": name, "solved": solved, "score": known(value)}
            for name, solved, value in zip(c.names, g.solved, g.scores, strict=True)
        ]
        entries.append({"group": list(g.labels), "instances": int(g.instances.sum()), "contenders": each})
    return {"fields": list(fields), "score": score, "clock": clock, "groups": entries}
