"""Text of a ranking."""

import re
from collections.abc import Sequence
from itertools import combinations
from math import log2
from string import ascii_letters

from harness.reporting.frame.results import CLOCK_NAMES
from harness.reporting.statistics.bootstrap import LEVEL
from harness.reporting.statistics.differences import LEVEL as LARGEST_P
from harness.reporting.statistics.estimates import LARGEST_WORKER_SD
from harness.reporting.views.comparing.measures import NUMBER, score_name
from harness.reporting.views.ranking.named import is_timed
from harness.reporting.views.ranking.objective_scores import OBJECTIVE_SCORE
from harness.reporting.views.ranking.ranks import Ranked, Ranking
from harness.reporting.views.ranking.scores import SCORE
from harness.reporting.views.run_lines import PROOFS_REQUIRED
from harness.reporting.writing.fitting import omit, shorten_names
from harness.reporting.writing.numbers import format_number
from harness.reporting.writing.table import Cell, Column, Readers, ResultTable, Unit, Value, table_of
from puzzles.errors import plural

RATIO = "vs best"
UNSEEN = "with unseen"  # the upper end with the allowance for failures that were not seen
NARROW = (omit("mean rank"), omit(RATIO), omit(UNSEEN), shorten_names, omit("ranks"), omit("95 %"))
PEOPLE, PROGRAMS = Readers.PEOPLE, Readers.PROGRAMS


def rank_table(ranking: Ranking) -> ResultTable:
    """Return the ranking: contender, score, rank, their intervals, mean rank, and letters of groups."""
    unit, letters = unit_of(ranking.score), group_letters(ranking)
    columns = (
        Column("rank", readers=PEOPLE),
        Column("contender", names=True),
        Column(ranking.score, unit),
        *([Column(RATIO, Unit.RATIO)] if has_ratio(ranking) else []),
        *(Column(name, readers=PROGRAMS) for name in ("rank", "low", "high")),
        Column("95 %", readers=PEOPLE),
        *([Column(UNSEEN, readers=PEOPLE)] if has_unseen(ranking) else []),
        *(Column(name, readers=PROGRAMS) for name in ("rank low", "rank high")),
        Column("ranks", readers=PEOPLE),
        Column("mean rank", Unit.NUMBER),
        Column("group"),
        *(Column(name, readers=PROGRAMS) for name in ("seen low", "seen high")),
    )
    first = set(ranking.groups[0]) if ranking.groups else set()
    shown, unseen = ranking.contenders, has_unseen(ranking)
    rows = [
        [
            *cells(c, unit, c.name in first and not (c.wrong or c.idle), unseen),
            letters.get(c.name),
            c.seen_low,
            c.seen_high,
        ]
        for c in shown
    ]
    if has_ratio(ranking):
        rows = [[*row[:3], c.ratio, *row[3:]] for c, row in zip(shown, rows, strict=True)]
    notes, limit = tuple(lines_below(ranking)), limit_line(ranking)
    caption = f"Ranking of {plural(ranking.instances, 'instance')} by {score_name(ranking.score).described}"
    comments, label = (caption, limit, *uncounted(ranking)), "ranking-" + re.sub("[^a-z0-9]+", "-", ranking.score)
    return table_of(columns, rows, left=2, narrow=NARROW, notes=notes, comments=comments, label=label)


def has_unseen(ranking: Ranking) -> bool:
    """Return True if intervals of what was seen are apart from the allowance for failures that were not."""
    return any(c.seen_high is not None for c in ranking.contenders)


def has_ratio(ranking: Ranking) -> bool:
    """Return True if the scores are times, which are compared with the best one."""
    return any(c.ratio is not None for c in ranking.contenders)


def cells(c: Ranked, unit: Unit, best: bool, unseen: bool) -> list[Cell | Value]:
    """Return the cells of one contender, but for its groups; `best`: nobody is shown to be ahead of it."""
    low, high = (c.low, c.high) if c.seen_low is None else (c.seen_low, c.seen_high)
    interval = None if low is None or high is None else f"{unit.text(low)} to {unit.text(high)}"
    allowed = [None if c.seen_high is None else f"to {unit.text(c.high)}"] if unseen else []
    ranks = None if c.rank_low is None else f"{c.rank_low} to {c.rank_high}"
    score, ends = Cell(c.score, best=best), (c.low, c.high, interval, *allowed)
    return [c.rank, c.name, score, c.rank, *ends, c.rank_low, c.rank_high, ranks, c.mean_rank]


def unit_of(score: str) -> Unit:
    """Return the unit of the numbers of a score: times, sums, or means of at most 1."""
    name = score_name(score)
    if name.base == NUMBER:
        return Unit.NUMBER
    rule = OBJECTIVE_SCORE.get(name.base) or SCORE[name.base]
    if name.base in OBJECTIVE_SCORE and not (rule.sums or rule.seconds):
        return Unit.FRACTION
    return Unit.SECONDS if rule.seconds else Unit.NUMBER


def group_letters(ranking: Ranking) -> dict[str, str]:
    """Return the letters of each contender's groups: contenders with a common letter are not distinguished."""
    found: dict[str, str] = {}
    for i, group in enumerate(ranking.groups or ()):
        letter = ascii_letters[i] if i < len(ascii_letters) else f"({i + 1})"
        for name in group:
            found[name] = found.get(name, "") + letter
    return found


def lines_below(ranking: Ranking) -> Sequence[str]:
    """Return the definition of the score, and the meaning of intervals and groups."""
    clock = " (CPU time)" if ranking.clock == "cpu" else ""
    over = f"{plural(ranking.instances, 'instance')}{' and workers' if ranking.workers else ''}"
    if ranking.families:
        by, number = ranking.families
        over += f", for families like these {number:,} ({by}), which are resampled"
    lines = [
        f"{ranking.score}{clock}: {score_name(ranking.score).described}",
        limit_line(ranking),
        f"95 %: interval of the score over {over}",
        *allowance(ranking),
        "ranks, group: too many contenders to test each pair"
        if ranking.groups is None
        else "ranks, group: who shares a letter is not told apart (t-tests, Holm, 5 % for any false difference)",
        *too_few(ranking),
    ]
    if ranking.virtual_best is not None:
        lines.append(
            f"virtual best: {unit_of(ranking.score).text(ranking.virtual_best)}, the best contender of each instance"
        )
    if ranking.instances < ranking.of:
        lines.append(f"{ranking.instances:,} of {plural(ranking.of, 'instance')} count for this score")
    if ranking.workers == "assumed" and is_timed(score_name(ranking.score)):
        lines.append(f"one repeat does not show how workers differ: {LARGEST_WORKER_SD:.0%} is assumed; use -r 5")
    if ranking.workers == "unknown" and is_timed(score_name(ranking.score)):
        lines.append(
            f"which worker ran what is not known: all repeats of a contender count as one worker's, and"
            f" {LARGEST_WORKER_SD:.0%} between two is assumed"
        )
    lines += uncounted(ranking)
    if any(c.wrong for c in ranking.contenders):
        lines.append("contenders with a wrong answer rank last")
    return lines


def too_few(ranking: Ranking) -> list[str]:
    """Return a line if no pair can be told apart, whatever the scores are, since no p-value is below that of signs."""
    wrong = [c.wrong for c in ranking.contenders if c.rank is not None]
    pairs = sum(a == b for a, b in combinations(wrong, 2))
    over, what = (ranking.families[1], "families") if ranking.families else (ranking.instances, "instances")
    if not pairs or ranking.groups is None or pairs * 0.5 ** max(over - 1, 0) < LARGEST_P:
        return []
    needed = int(log2(pairs / LARGEST_P)) + 2
    return [f"{over:,} {what} are too few to tell {len(wrong)} contenders apart: {needed} that differ are needed"]


def uncounted(ranking: Ranking) -> list[str]:
    """Return a line on the instances that contenders do not support, none without one."""
    some = ", ".join(f"{c.name} {c.unsupported:,}" for c in ranking.contenders if c.unsupported)
    return [f"instances not supported, which count as undecided: {some}"] if some else []


def limit_line(ranking: Ranking) -> str:
    """Return the limit of the score, and the unsatisfiable answers that count unless all do."""
    missing = "" if ranking.limit_clock == ranking.clock else f", as none of {CLOCK_NAMES[ranking.clock]} is known"
    limit = f"limit: {ranking.limit:g} s of {CLOCK_NAMES[ranking.limit_clock]}{missing}"
    return f"{limit}; {PROOFS_REQUIRED}" if ranking.proofs_required else limit


def allowance(ranking: Ranking) -> list[str]:
    """Return the line on the allowance for failures that were not seen, none where it is not apart."""
    if not has_unseen(ranking):
        return []
    line = f"{UNSEEN}: upper end that allows for one more instance, undecided"
    if ranking.sure is not None and ranking.score in ("par2", "par10"):
        share = 1 - ((1 - LEVEL) / 2) ** (1 / ranking.sure)
        line += f"; with none undecided of {ranking.sure:,} up to {format_number(100 * share)} % may be"
    return [line]
