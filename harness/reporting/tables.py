"""Format numbers, tables, the header of a run, and lines on agreement, disagreements and trouble."""

import csv
import io
import shutil
import sys
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import tabulate

from harness.storing.journal import Journal

FORMATS = ("table", "markdown", "csv")
tabulate.MIN_PADDING = 0  # wide tables need every column of the terminal
MAX_TROUBLE_KINDS = 3  # shown per contender
MAX_DISAGREEMENTS = 20  # shown
Seconds = float | None


def header(journal: Journal) -> str:
    """Return one line that describes a run: corpora, contenders, limits, seed and machine."""
    settings, meta, contenders = journal.settings(), journal.meta(), journal.contenders()
    corpora = ", ".join(f"{name}: {plural(n, 'puzzle')}" for name, n in journal.corpora())
    names = list(dict.fromkeys(layout.name for layout, _ in journal.problem_counts()))
    kinds = ", ".join(names[:3]) + (f" and {len(names) - 3} more layouts" if len(names) > 3 else "")
    warm = {c.warm for c in contenders}
    heat = "cold and warm" if len(warm) == 2 else "warm" if warm == {True} else "cold"
    repeats = f", {settings.repeats} repeats" if settings.repeats > 1 else ""
    cores, python = meta["host"]["cores"], ".".join(meta["versions"]["python"].split(".")[:2])
    return (
        f"{corpora}, {kinds} | {plural(len(contenders), 'contender')}, {heat}, limit {settings.limit:g} s{repeats}"
        f" | seed {settings.seed} | {plural(cores, 'core')}, Python {python}"
    )


def format_seconds(value: Seconds) -> str:
    """Format a time with three digits and a unit, such as 1.23 ms."""
    if value is None:
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= scale * 0.9995:
            return f"{format_number(value / scale)} {unit}"
    return f"{value * 1e9:.0f} ns" if value else "0"


def format_megabytes(value: int | None) -> str:
    return "-" if value is None else f"{value / 1e6:,.0f} MB"


def format_number(value: float) -> str:
    """Format a number with three significant digits, without an exponent."""
    if value >= 999.5:
        return f"{value:,.0f}"
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f}"


def format_table(headers: Sequence[str], rows: Sequence[Sequence[str]], fmt: str, left: int = 1) -> str:
    """Format a table of texts in one of FORMATS; the first `left` columns are left-aligned."""
    if fmt == "csv":
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows((headers, *rows))
        return file.getvalue().removesuffix("\n")
    if fmt == "markdown":
        rows = [[c.replace("|", "\\|") for c in line] for line in rows]
    style = "github" if fmt == "markdown" else "simple"
    align = (*["left"] * left, *["right"] * (len(headers) - left))
    return str(tabulate.tabulate(rows, headers, tablefmt=style, colalign=align, disable_numparse=True))


def csv_value(value: Any) -> str:
    """Return a value as a CSV cell: not rounded, empty for None."""
    return "" if value is None else str(value)


def terminal_width() -> int | None:
    """Return the width of the terminal, or None if standard output is not one."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def wrapped(line: str, width: int | None = None) -> str:
    """Return a line broken between words, to fit the terminal if no width is given; words are never broken."""
    width = width or terminal_width()
    if not width:
        return line
    return "\n".join(wrap(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))


def plural(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def agreement_line(summary: dict[str, Any]) -> str:
    """Return one line: puzzles agreed on, solutions verified, and numbers of solutions known."""
    a = summary["agreement"]
    if len(summary["contenders"]) < 2:
        parts = ["agreement: needs two contenders"]
    else:
        parts = [f"agreement: {a['agreed']:,} of {plural(a['puzzles'], 'puzzle')}"]
    if a["outvoted"]:
        parts.append(f"{a['outvoted']:,} where all but the refuted agree")
    if a["unjudged"] and len(summary["contenders"]) > 1:
        parts.append(f"{a['unjudged']:,} decided by fewer than two contenders")
    parts.append(f"{a['verified']:,} of {plural(a['shown'], 'solution')} verified")
    kinds = (("unique", "unique"), ("several", "with several solutions"), ("none", "without a solution"))
    parts += [f"{a[kind]:,} {label}" for kind, label in kinds if a[kind]]
    if a["certified"]:
        parts.append(f"{a['certified']:,} certified by a checked proof")
    if a["unconfirmed"]:
        counted = f"{a['unconfirmed']:,} counted by one kind of solver alone"
        parts.append(f"{counted}: add another kind, such as cpsat or pysat, to confirm")
    if left := a["uncounted"] - a["unconfirmed"]:
        parts.append(f"{left:,} not checked for uniqueness{'; use --count 2' if summary['count'] == 1 else ''}")
    return " | ".join(parts)


def disagreement_lines(summary: dict[str, Any]) -> list[str]:
    """Return a line per disagreement: contender or corpus, puzzle, reason; at most MAX_DISAGREEMENTS."""
    lines = []
    every = summary["agreement"]["disagreements"]
    for d in every[:MAX_DISAGREEMENTS]:
        blamed = "CORPUS WRONG" if "corpus" in d else f"WRONG: {', '.join(d['contenders'])}"
        lines.append(f"{blamed}: {d['puzzle']}: {d['why']}")
    if len(every) > MAX_DISAGREEMENTS:
        lines.append(f"WRONG: {plural(len(every) - MAX_DISAGREEMENTS, 'more line')} like these; --json has all")
    return lines


def trouble_lines(summary: dict[str, Any]) -> list[str]:
    """Return a line for each kind of failure, at most MAX_TROUBLE_KINDS per contender."""
    lines = []
    for c in summary["contenders"]:
        for t in c["trouble"][:MAX_TROUBLE_KINDS]:
            more = f" (and {plural(t['times'] - 1, 'more outcome')})" if t["times"] > 1 else ""
            lines.append(f"trouble: {c['name']}: {t['puzzle']}: {t['why']}{more}")
        if len(c["trouble"]) > MAX_TROUBLE_KINDS:
            lines.append(
                f"trouble: {c['name']}: {len(c['trouble']) - MAX_TROUBLE_KINDS} more kinds, all in the journal"
            )
    return lines
