"""Job summaries of GitHub Actions: Markdown with the call first, a table, and folded details."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from harness.reporting.objectives_text import has_objectives, objective_table
from harness.reporting.printable import markdown_text, printable
from harness.reporting.tables import (
    agreement_line,
    alarm_lines,
    disagreement_lines,
    limits_text,
    malformed_lines,
    plural,
    trouble_lines,
)

MOST = 100  # lines of a folded list: GitHub shows at most 1 MiB of a step
CALLS = {
    0: "clean",
    1: "a wrong answer",
    2: "a refuted claim of a corpus, or a malformed file",
    3: "a regression",
    4: "not all decided",
    130: "interrupted",
}
MARKS = {0: "✅", 4: "⚠️", 130: "⚠️"}  # all others are failures
FAILED = "❌"


def heading(what: str, code: int, call: str = "") -> str:
    """Return the first line: a mark, the task, and its result."""
    return f"### {MARKS.get(code, FAILED)} {what}: {call or CALLS.get(code, 'failed')}"


def folded(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield a list that unfolds, nothing if it is empty."""
    every = list(lines)
    if every:
        more = [f"and {plural(len(every) - MOST, 'more line')}"] if len(every) > MOST else []
        items = (f"- {markdown_text(line)}" for line in (*every[:MOST], *more))
        yield "\n".join([f"<details><summary>{escape(printable(title))}</summary>", "", *items, "", "</details>"])


def page(*parts: str) -> str:
    """Return parts with an empty line between them, as Markdown needs it."""
    return "\n\n".join(parts)


def call_of(summary: dict[str, Any]) -> str:
    """Return the call of a summary with false certificates or malformed files, '' for other summaries."""
    if alarm_lines(summary):
        return "a false certificate"
    number = len(summary.get("malformed", ())) if summary["exit"] == 2 else 0
    return plural(number, "malformed file") if number else ""


def alarms(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the false certificates as an unfolded list; nothing if there are none."""
    if lines := alarm_lines(summary):
        yield "\n".join(f"- **{markdown_text(line)}**" for line in lines)


def objectives(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the table of what was reached on instances with an objective; nothing without any."""
    if has_objectives(summary):
        yield objective_table(summary, "github")


def run_report(summary: dict[str, Any], table: str, lines: Sequence[str] = (), clock: str = "wall") -> str:
    """Return the report of a run; `table` is its ranking in Markdown, `lines` are commands to continue with."""
    of = plural(summary["agreement"]["puzzles"], summary["unit"])
    return page(
        heading(f"{plural(len(summary['contenders']), 'contender')}, {of}", summary["exit"], call_of(summary)),
        *alarms(summary),
        table,
        *objectives(summary),
        f"limit: {limits_text(summary, clock)}",
        agreement_line(summary),
        *folded("Wrong answers and claims", disagreement_lines(summary)),
        *folded("Malformed files", malformed_lines(summary)),
        *folded("Trouble", trouble_lines(summary)),
        *folded("Warnings", summary["warnings"]),
        *folded("Shrink", lines),
    )


def check_report(summary: dict[str, Any], table: str, golden: Sequence[str]) -> str:
    """Return the report of a check; `golden` are the lines of differences to a golden file, and their number."""
    of = plural(summary["agreement"]["puzzles"], summary["unit"])
    return page(
        heading(f"check of {of}", summary["exit"], call_of(summary)),
        *alarms(summary),
        table,
        *objectives(summary),
        agreement_line(summary),
        *(markdown_text(line) for line in golden[-1:]),
        *folded("Wrong answers and claims", disagreement_lines(summary)),
        *folded("Differences to the golden file", golden[:-1]),
        *folded("Malformed files", malformed_lines(summary)),
        *folded("Trouble", trouble_lines(summary)),
    )


def comparison_report(result: dict[str, Any], calls: Sequence[str], table: str) -> str:
    """Return the report of a comparison; `calls` are verdicts in words, `table` is a Markdown table of them."""
    parts: list[str] = []
    for c in result["comparisons"]:
        who = f"{c['before']['contender']}, {c['after']['contender']}"
        for kind in ("conflict", "wrong", "lost", "gained", "flipped", "missing", "broken"):
            parts += folded(f"{who}: {kind} ({len(c[kind])})", c[kind])
        for kind in ("slower", "faster"):
            parts += folded(f"{who}: {kind} ({len(c[kind])})", (f"{x['puzzle']}: {x['ratio']:.2f}x" for x in c[kind]))
    sums = {kind: sum(len(c[kind]) for c in result["comparisons"]) for kind in ("conflict", "wrong", "lost")}
    call = ", ".join([*dict.fromkeys(calls), *(f"{n} {kind}" for kind, n in sums.items() if n)])
    return page(heading("compare", result["exit"], call), table, *parts, *folded("Warnings", result["warnings"]))
