"""Scores by values of objectives, of all instances, by which the page ranks contenders: as `report --rank` has them."""

from typing import Any

from harness.model.errors import BadUsage
from harness.reporting.frame.results import CLOCKS, Results
from harness.reporting.views.comparing.measures import OBJECTIVE_SCORES
from harness.reporting.views.ranking.objective_scores import OBJECTIVE_SCORE
from harness.reporting.views.ranking.ranks import Ranking, rank
from harness.reporting.views.ranking.result import asks_for_values

LABELS = {
    "best": "best values",
    "gap": "mean gap",
    "primal-integral": "primal integral",
    "target": "time to within 1 %",
    "minizinc": "MiniZinc challenge",
    "xcsp3": "XCSP3 competition",
    "maxsat-anytime": "MaxSAT anytime",
}
MOST_PAIRS = 1 << 21  # pairs of contenders by instances, whose points against each other are computed
FIELDS = ("score", "low", "high", "seen_low", "seen_high", "rank", "rank_low", "rank_high")


def score_part(results: Results) -> dict[str, Any]:
    """Return the scores by name, the one of the headline first; none if most instances have no objective."""
    if not asks_for_values(results):
        return {}
    pairs = results.size * len(results.contenders) ** 2
    names = [name for name in LABELS if name != "minizinc" or pairs <= MOST_PAIRS]
    return {name: found for name in names if (found := stored(results, name))}


def stored(results: Results, name: str) -> dict[str, Any] | None:
    """Return a score with its words, and by clock what it makes of each contender; None if it does not apply."""
    try:
        clocks = {clock: by_contender(results, rank(results, name, clock)) for clock in CLOCKS}
    except BadUsage:
        return None
    score, words = OBJECTIVE_SCORE[name], {"label": LABELS[name], "title": OBJECTIVE_SCORES[name]}
    return words | {key: getattr(score, key) for key in ("smaller", "sums", "seconds")} | {"clocks": clocks}


def by_contender(results: Results, found: Ranking) -> dict[str, Any]:
    """Return the figures of each contender in the order of the journal, None without a score, and the groups."""
    rows = {c.name: {key: getattr(c, key) for key in FIELDS} for c in found.contenders if c.score is not None}
    number = {name: k for k, name in enumerate(results.by_name)}
    groups = found.groups and [[number[name] for name in group] for group in found.groups]
    return {"rows": [rows.get(name) for name in results.by_name], "groups": groups}
