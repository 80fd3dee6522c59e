"""Summaries as text: the table, in the format asked for, the agreement under it, and each disagreement in full."""

from collections.abc import Sequence
from typing import Any

import tabulate

from harness.journal import Journal

FORMATS = ("table", "markdown", "csv")
tabulate.MIN_PADDING = 0  # a table of this many columns needs every one of them
COUNTS = ("unsat", "timeout", "memory", "unknown", "unsupported", "error", "wrong", "certified", "bad proof")
SHOWN = 3
# Shown where there are any.
SOMETIMES = ("peak", "memory", "unknown", "unsupported", "certified", "bad proof", "encode", "load", "decode")
TIMES = ("median", "mean", "p95", "max", "puzzles/s", "PAR-2", "vs best", "peak")
PHASES = ("encode", "load", "solve", "decode")
Seconds = float | None


def header(journal: Journal) -> str:
    """What is about to be run, in one line."""
    meta, contenders = journal.meta(), journal.contenders()
    corpora = ", ".join(f"{name}: {plural(n, 'puzzle')}" for name, n in journal.corpora())
    names = list(dict.fromkeys(layout.name for layout, _ in journal.layout_counts()))
    kinds = ", ".join(names[:3]) + (f" and {len(names) - 3} more layouts" if len(names) > 3 else "")
    warm = {c.warm for c in contenders}
    heat = "cold and warm" if len(warm) == 2 else "warm" if warm == {True} else "cold"
    repeats = f", {meta['runs']} runs" if meta["runs"] > 1 else ""
    cores, python = meta["host"]["cores"], ".".join(meta["versions"]["python"].split(".")[:2])
    return (
        f"{corpora}, {kinds} | {plural(len(contenders), 'contender')}, {heat}, limit {meta['limit']:g} s{repeats}"
        f" | seed {meta['seed']} | {plural(cores, 'core')}, Python {python}"
    )


def seconds(value: Seconds) -> str:
    """Three digits and a unit: 1.23 ms."""
    if value is None:
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= scale * 0.9995:
            return f"{figure(value / scale)} {unit}"
    return f"{value * 1e9:.0f} ns" if value else "0"


def megabytes(value: int | None) -> str:
    return "-" if value is None else f"{value / 1e6:,.0f} MB"


def figure(value: float) -> str:
    """Three significant digits, plainly written."""
    if value >= 999.5:
        return f"{value:,.0f}"
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f}"


def ratio(value: Seconds, best: Seconds) -> str:
    return "-" if not value or not best else f"{figure(value / best)}x"


def row(c: dict[str, Any], puzzles: int, best: Seconds) -> list[str]:
    """One contender's line."""
    s = c["seconds"]
    counts = [c[k] for k in ("unsatisfiable", "timeout", "memory", "unknown", "unsupported", "error", "wrong")]
    proofs = [c["certified"], c["refused"]]
    rate = "-" if c["puzzles_per_second"] is None else figure(c["puzzles_per_second"])
    times = [seconds(s[k]) for k in ("median", "mean", "p95", "max")]
    phases = [seconds(c["phases"][p]) for p in PHASES]
    return [
        c["name"],
        f"{c['solved']}/{puzzles}",
        *map(str, counts + proofs),
        *times,
        rate,
        seconds(c["par2"]),
        ratio(c["par2"], best),
        megabytes(c["peak"]),
        *phases,
    ]


def grid(headers: Sequence[str], rows: Sequence[Sequence[str]], fmt: str) -> str:
    """A table of texts in one of FORMATS."""
    if fmt == "csv":
        return "\n".join(",".join(f'"{c}"' if "," in c else c for c in line) for line in (headers, *rows))
    if fmt == "markdown":
        rows = [[c.replace("|", "\\|") for c in line] for line in rows]
    style = "github" if fmt == "markdown" else "simple"
    align = ("left", *["right"] * (len(headers) - 1))
    return str(tabulate.tabulate(rows, headers, tablefmt=style, colalign=align, disable_numparse=True))


def contender_table(summary: dict[str, Any], fmt: str = "table") -> str:
    """The ranking: fastest by PAR-2 first where it tells, in the order named otherwise; empty columns are left out."""
    puzzles = summary["agreement"]["puzzles"]
    best = min((c["par2"] for c in summary["contenders"] if c["par2"]), default=None)
    ranked = sorted(summary["contenders"], key=lambda c: (c["wrong"] > 0, c["par2"] is None, c["par2"] or 0))
    headers = ["contender", "solved", *COUNTS, *TIMES, *PHASES]
    rows = [row(c, puzzles, best) for c in ranked]
    if fmt != "csv":
        dull = {i for i, h in enumerate(headers) if h in SOMETIMES and all(r[i] in ("0", "-") for r in rows)}
        headers = [h for i, h in enumerate(headers) if i not in dull]
        rows = [[c for i, c in enumerate(r) if i not in dull] for r in rows]
    return grid(headers, rows, fmt)


def plural(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def agreement_line(summary: dict[str, Any]) -> str:
    """How many puzzles are agreed on, how many solutions were verified, and what is known of uniqueness."""
    a = summary["agreement"]
    parts = [f"agreement: {a['agreed']} of {plural(a['puzzles'], 'puzzle')}"]
    if a["unjudged"]:
        parts.append(f"{a['unjudged']} decided by fewer than two contenders")
    parts.append(f"{a['verified']} of {plural(a['shown'], 'solution')} verified")
    kinds = (("unique", "unique"), ("several", "with several solutions"), ("none", "without a solution"))
    parts += [f"{a[kind]} {label}" for kind, label in kinds if a[kind]]
    if a["certified"]:
        parts.append(f"{a['certified']} certified by a checked proof")
    if a["uncounted"]:
        which = "" if a["uncounted"] == a["puzzles"] else f" of {a['uncounted']}"
        parts.append(f"uniqueness{which} not counted{' (--count 2)' if summary['count'] == 1 else ''}")
    return " | ".join(parts)


def disagreement_lines(summary: dict[str, Any]) -> list[str]:
    """Each disagreement in full: who is blamed, on which puzzle, and why."""
    lines = []
    for d in summary["agreement"]["disagreements"]:
        blamed = "CORPUS WRONG" if "corpus" in d else f"WRONG: {', '.join(d['contenders'])}"
        lines.append(f"{blamed}: {d['puzzle']}: {d['why']}")
    return lines


def trouble_lines(summary: dict[str, Any]) -> list[str]:
    """What contenders died of or were killed for, a line for each way; at most SHOWN of a contender."""
    lines = []
    for c in summary["contenders"]:
        for t in c["trouble"][:SHOWN]:
            more = f" (and {t['times'] - 1} more)" if t["times"] > 1 else ""
            lines.append(f"trouble: {c['name']}: {t['puzzle']}: {t['why']}{more}")
        if len(c["trouble"]) > SHOWN:
            lines.append(f"trouble: {c['name']}: {len(c['trouble']) - SHOWN} other kinds, all in the journal")
    return lines


def report(summary: dict[str, Any], fmt: str = "table") -> str:
    """Everything under the header of a run."""
    if fmt == "csv":
        return contender_table(summary, fmt)
    lines = [contender_table(summary, fmt), "", agreement_line(summary), *disagreement_lines(summary)]
    lines += trouble_lines(summary)
    lines.append(f"journal:   {summary['journal']}")
    lines += [f"warning: {text}" for text in summary["warnings"]]
    if summary["interrupted"]:
        again = f"python -m harness run --resume {summary['journal']}"
        lines.append(f"interrupted: this table is partial; go on with `{again}`")
    return "\n".join(lines)
