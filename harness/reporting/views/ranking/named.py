"""Scores by the names that users give them (measures.py), for the contenders of a journal."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from harness.model.errors import BadUsage
from harness.reporting.frame.log_statistics import decided_numbers, require_known
from harness.reporting.frame.results import Results
from harness.reporting.statistics.estimates import Floats
from harness.reporting.views.comparing.measures import NUMBER, ScoreName, score_name
from harness.reporting.views.ranking.scores import SCORE, Performance, Score, shapley, shifted
from puzzles.problem.arrays import BoolArray


def parsed(text: str) -> ScoreName:
    """Parse the name of a score. Raises BadUsage."""
    try:
        return score_name(text)
    except ValueError as e:
        raise BadUsage(str(e)) from None


def is_timed(name: ScoreName) -> bool:
    """Return True for a score that needs trusted times."""
    return name.base in SCORE and SCORE[name.base].timed


def ranked_by(results: Results, name: ScoreName) -> Collection[str] | None:
    """Return the contenders that a score ranks, None for all: those that have the number. Raises BadUsage."""
    return numbers(results, name.number).keys() if name.base == NUMBER else None


def numbers(results: Results, name: str) -> dict[str, Floats]:
    """Return the values of a number on decided instances, by contender that has it. Raises BadUsage without one."""
    require_known(results.journal, name, "--rank")
    if not (found := results.once(decided_numbers, name)):
        raise BadUsage(f"--rank {name}: no contender has this number of an instance that it decided")
    return found


def named_score(results: Results, name: ScoreName, clock: str, contenders: tuple[str, ...]) -> tuple[Score, BoolArray]:
    """Return a score for these contenders, and bool[n], the instances that count. Raises BadUsage."""
    if name.base == NUMBER:
        score, mask = score_of_number(results, name.number, contenders)
    elif name.base in SCORE:
        score = shifted(name.shift) if name.base == "sgm" else SCORE[name.base]
        mask = np.ones(results.size, np.bool_)
    else:
        score, mask = score_of_objective(results, name, clock, contenders)
    return contribution(score, name.contribution) if name.contribution else score, mask


def score_of_number(results: Results, name: str, contenders: tuple[str, ...]) -> tuple[Score, BoolArray]:
    """Return the mean of a number, the smaller the better, over the instances of which all these contenders have it."""
    every = numbers(results, name)
    values = np.array([every[who] for who in contenders])
    mask: BoolArray = np.asarray(~np.isnan(values).any(axis=0))
    if not mask.any():
        raise BadUsage(f"--rank {name}: no instance has this number from all contenders that have some: leave out some")
    points = values[:, mask]
    most = float(points.max())
    return Score(lambda _: points, lambda *_: most, smaller=True, timed=False, alone=True), mask


def score_of_objective(
    results: Results, name: ScoreName, clock: str, contenders: tuple[str, ...]
) -> tuple[Score, BoolArray]:
    """Return one of OBJECTIVE_SCORES for these contenders, and the instances that count. Raises BadUsage."""
    if results.best_known is None:
        raise BadUsage(f"{name.base} ranks by the values of objectives, and no instance of this journal has one")
    if name.base == "count" and not results.settings.count_models:
        raise BadUsage("count ranks by numbers of models: run with --count all")
    from harness.reporting.frame.searches import searches
    from harness.reporting.views.ranking.objective_scores import NoScore, objective_score

    score, of = objective_score(name), searches(results, contenders, clock)
    mask = score.counts(of)
    try:
        points = score.points(of)[:, mask]
    except NoScore as e:
        raise BadUsage(str(e)) from None
    own = Score(
        lambda _: points,
        lambda limit, number: 2 * limit if score.seconds else score.most(number),
        smaller=score.smaller,
        sums=score.sums,
        seconds=score.seconds,
        timed=False,
        alone=True,
        ties=score.ties,
        unfit=score.unfit if np.isnan(points).any() else "",
        beyond=score.beyond and score.beyond(of),
    )
    return own, mask


def contribution(score: Score, kind: str) -> Score:
    """Return what a contender contributes to a score, if a coalition has the points of its best member."""

    def worth(of: Performance) -> Floats:
        points = score.points(of)
        return score.most(of.limit, len(points)) - points if score.smaller else points

    share = {"vbs": lost_without, "shapley": shapley}[kind]

    def points(of: Performance) -> Floats:
        own = worth(of)
        found: Floats = np.where(np.isnan(own), np.nan, share(np.nan_to_num(own)))
        return found

    return replace(
        score,
        points=points,
        smaller=False,
        asked=False,
        alone=score.alone and not score.timed,
        ties=False,
    )


def lost_without(worth: Floats) -> Floats:
    """Return what the best of all loses without each contender, by instance."""
    ordered = np.sort(np.vstack([worth, np.zeros((2, worth.shape[1]))]), axis=0)
    found: Floats = np.where(worth == ordered[-1], ordered[-1] - ordered[-2], 0.0)
    return found


def virtual_best(score: Score, of: Performance) -> float | None:
    """Return the score of the best contender of each instance, None without an instance or a contender."""
    points = score.points(of)
    if not points.size:
        return None
    best = points.min(axis=0) if score.smaller else points.max(axis=0)
    return float(score.of_means(best.mean(keepdims=True), len(best))[0])
