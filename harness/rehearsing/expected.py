"""Expected rank of a solver among imported results, by the first ranking of the rules, on the instances of both.

Times above the smaller of the two limits count as undecided. Machines may differ: times are compared as measured.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.model.errors import BadUsage
from harness.model.rules import Rules
from harness.reporting.frame.reading import open_judged
from harness.reporting.frame.results import Results
from harness.reporting.statistics.workers import Workers
from harness.reporting.views.ranking.ranks import RankedColumns, ranked, untested_columns
from harness.reporting.views.ranking.scores import SCORE
from puzzles.errors import plural

FEWEST = 5  # common instances


def expected(rules: Rules, table: str, own: str) -> list[dict[str, Any]]:
    """Return the rank of each contender of a run among the results of a table, as JSON-compatible data.

    Raises BadUsage.
    """
    score = rules.ranking[0].score
    if score not in SCORE:
        raise BadUsage(f"{rules.title} ranks by {score}, a score of values: --against takes scores of times alone")
    with open_judged(table) as theirs, open_judged(own) as mine:
        c, number, limit = joined(theirs.results(), mine.results(), rules.limits.clock)
    entries, _ = ranked(c, SCORE[score], limit)
    ours = c.names[len(c.names) - number :]
    return [
        {**vars(one), "score_name": score, "of": len(c.names), "instances": c.seconds.shape[1], "limit": limit}
        for one in entries
        if one.name in ours
    ]


def joined(theirs: Results, mine: Results, clock: str) -> tuple[RankedColumns, int, float]:
    """Return the contenders of both on their common instances, the number of ours, which are last, and the limit."""
    a, b = untested_columns(theirs, clock), untested_columns(mine, clock)
    limit = min(theirs.limits.of(clock), mine.limits.of(clock))
    known = {name: i for i, name in enumerate(theirs.listed.names)}
    pairs = [(known[name], i) for i, name in enumerate(mine.listed.names) if name in known]
    if len(pairs) < FEWEST:
        why = f"{plural(len(pairs), 'instance')} of the run {'is' if len(pairs) == 1 else 'are'} in the results"
        raise BadUsage(f"--against: {why} by name, fewer than {FEWEST}")
    at, own = np.array(pairs, np.int64).T
    seconds = np.vstack([a.seconds[:, at], b.seconds[:, own]])
    number = len(a.names) + len(b.names)
    names = (*a.names, *(name if name not in a.names else f"{name} (own run)" for name in b.names))
    none = Workers(np.zeros((number, 0)), 0.0, np.zeros(number))
    columns = RankedColumns(
        names,
        np.where(seconds <= limit, seconds, np.nan),
        np.vstack([a.asked[:, at], b.asked[:, own]]),
        np.concatenate([a.wrong, b.wrong]).astype(np.bool_),
        none,
        np.arange(len(pairs)),
    )
    return columns, len(b.names), limit


def sentence(rank: dict[str, Any]) -> str:
    """Return an expected rank in words."""
    ends: Sequence[int | None] = (rank["rank_low"], rank["rank_high"])
    between = "" if None in ends else f" ({ends[0]} to {ends[1]}, 95 %)"
    where = f"{plural(rank['instances'], 'common instance')}, limit {rank['limit']:g} s"
    return f"{rank['name']} would rank {rank['rank']}{between} of {rank['of']} by {rank['score_name']} on {where}"
