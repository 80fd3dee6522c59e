"""Text of a ranking."""

from collections.abc import Callable, Sequence
from string import ascii_letters

from harness.reporting.booktabs import comment
from harness.reporting.comparing.measures import NUMBER, score_name
from harness.reporting.labels import short_names
from harness.reporting.plots.bootstrap import LEVEL
from harness.reporting.printable import line_below, terminal_width, wrapped
from harness.reporting.ranking.named import is_timed
from harness.reporting.ranking.objective_scores import OBJECTIVE_SCORE
from harness.reporting.ranking.ranks import Ranked, Ranking
from harness.reporting.ranking.scores import SCORE
from harness.reporting.results import CLOCK_NAMES
from harness.reporting.statistics import LARGEST_WORKER_SD
from harness.reporting.tables import (
    PROOFS_REQUIRED,
    csv_value,
    drop_columns,
    format_number,
    format_seconds,
    format_table,
    plural,
    table_width,
    terminal_cell,
)

HEADS = ("rank", "contender", "95 %", "ranks", "mean rank", "group")
DROP = (
    ("mean rank",),
    ("ranks", "95 %"),
)  # columns that go first where the terminal is narrow, and after names are short
CSV_HEADS = ("rank", "low", "high", "rank low", "rank high", "mean rank", "group")


def rank_table(ranking: Ranking, fmt: str, width: int | None = None) -> str:
    """Return the ranking as a table: contender, score, rank, their intervals, mean rank, and letters of groups.

    Columns that do not fit a terminal of `width` characters are omitted, and named below the table.
    """
    letters = group_letters(ranking)
    if fmt == "csv":
        rows = [
            [c.name, *map(csv_value, (c.score, c.rank, c.low, c.high, c.rank_low, c.rank_high, c.mean_rank))]
            for c in ranking.contenders
        ]
        heads = ("contender", ranking.score, *CSV_HEADS)
        return format_table(heads, [[*row, letters.get(row[0], "")] for row in rows], fmt)
    rows = [[*cells(c, ranking.score), letters.get(c.name, "-")] for c in ranking.contenders]
    columns = (*HEADS[:2], ranking.score, *HEADS[2:])
    texts = [dict(zip(columns, row, strict=True)) for row in rows]
    notes = fit(texts, width) if fmt == "table" and width else []
    table = format_table(list(texts[0]), [list(text.values()) for text in texts], fmt, left=2)
    return "\n".join([table, *(wrapped(note, width) for note in notes)])


def fit(rows: list[dict[str, str]], width: int) -> list[str]:
    """Shorten names and remove columns from `rows`, in place, until the table fits `width`; return notes on that."""
    for row in rows:
        row["contender"] = terminal_cell(row["contender"])
    dropped, left = drop_columns(rows, width, DROP[0]), list[str]()
    if table_width(rows) > width:
        names, left = short_names([row["contender"] for row in rows])
        for row in rows:
            row["contender"] = names[row["contender"]]
    dropped += drop_columns(rows, width, DROP[1])
    notes = [f"omitted to fit {width} columns: {', '.join(dropped)} (--format csv has all)"] * bool(dropped)
    return notes + [f"names without {' and '.join(left)}"] * bool(left)


def cells(c: Ranked, score: str) -> list[str]:
    """Return the cells of one contender, but for its groups."""
    show = shown_as(score)
    if c.score is None or c.low is None or c.high is None:
        return ["-", c.name, *["-"] * 4]
    interval = f"{show(c.low)} to {show(c.high)}"
    mean = "-" if c.mean_rank is None else format_number(c.mean_rank)
    ranks = "-" if c.rank_low is None else f"{c.rank_low} to {c.rank_high}"
    return [f"{c.rank}", c.name, show(c.score), interval, ranks, mean]


def shown_as(score: str) -> Callable[[float], str]:
    """Return how the numbers of a score are formatted: times, sums, or means of at most 1 with four decimals."""
    name = score_name(score)
    if name.base == NUMBER:
        return format_number
    rule = OBJECTIVE_SCORE.get(name.base) or SCORE[name.base]
    if name.base in OBJECTIVE_SCORE and not (rule.sums or rule.seconds):
        return "{:.4f}".format
    return format_seconds if rule.seconds else format_number


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
    lines = [
        f"{ranking.score}{clock}: {score_name(ranking.score).described}",
        limit_line(ranking),
        f"95 %: interval of the score over {over}{allowance(ranking)}",
        "ranks, group: too many contenders to test each pair"
        if ranking.groups is None
        else "ranks, group: who shares a letter is not told apart (t-tests, Holm, 5 % for any false difference)",
    ]
    if ranking.virtual_best is not None:
        lines.append(
            f"virtual best: {shown_as(ranking.score)(ranking.virtual_best)}, the best contender of each instance"
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
    if any(c.wrong for c in ranking.contenders):
        lines.append("contenders with a wrong answer rank last")
    return lines


def limit_line(ranking: Ranking) -> str:
    """Return the limit of the score, and the unsatisfiable answers that count unless all do."""
    missing = "" if ranking.limit_clock == ranking.clock else f", as none of {CLOCK_NAMES[ranking.clock]} is known"
    limit = f"limit: {ranking.limit:g} s of {CLOCK_NAMES[ranking.limit_clock]}{missing}"
    return f"{limit}; {PROOFS_REQUIRED}" if ranking.proofs_required else limit


def allowance(ranking: Ranking) -> str:
    """Return the allowance in intervals of PAR-k for contenders that decided everything."""
    if ranking.sure is None or ranking.score not in ("par2", "par10"):
        return ""
    share = 1 - ((1 - LEVEL) / 2) ** (1 / ranking.sure)
    return f"; with none undecided of {ranking.sure:,} it allows for {format_number(100 * share)} %"


def rank_text(ranking: Ranking, fmt: str) -> str:
    """Return the ranking as a table with the lines below it, or the table alone as CSV or LaTeX."""
    table = rank_table(ranking, fmt, terminal_width())
    if fmt == "latex":
        return f"{table}\n{comment(limit_line(ranking))}"
    if fmt == "csv":
        return table
    return "\n".join([table, "", *(wrapped(line_below(line, fmt)) for line in lines_below(ranking))])
