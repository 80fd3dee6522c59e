"""Job summaries of GitHub Actions: Markdown with the call first, a table, and folded details; and annotations.

Annotations are lines that the runner reads from the output of a step (workflow commands): they go to standard error,
since standard output is the summary.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from harness.reporting.frame.entries import ComparisonResult, Summary, field_of
from harness.reporting.views.objectives_text import has_objectives, objective_table
from harness.reporting.views.run_lines import (
    agreement_line,
    alarm_lines,
    disagreement_lines,
    limits_text,
    malformed_lines,
    trouble_lines,
)
from harness.reporting.writing.printable import markdown_text, printable
from harness.reporting.writing.writers import written
from puzzles.errors import plural

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


def call_of(summary: Summary) -> str:
    """Return the call of a summary with false certificates or malformed files, '' for other summaries."""
    if alarm_lines(summary):
        return "a false certificate"
    number = len(summary.get("malformed", ())) if summary["exit"] == 2 else 0
    return plural(number, "malformed file") if number else ""


def alarms(summary: Summary) -> Iterator[str]:
    """Yield the false certificates as an unfolded list; nothing if there are none."""
    if lines := alarm_lines(summary):
        yield "\n".join(f"- **{markdown_text(line)}**" for line in lines)


def objectives(summary: Summary) -> Iterator[str]:
    """Yield the table of values on instances with an objective; nothing without such instances."""
    if has_objectives(summary):
        yield written(objective_table(summary), "github")


def run_report(summary: Summary, table: str, lines: Sequence[str] = (), clock: str = "wall") -> str:
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


def check_report(summary: Summary, table: str, golden: Sequence[str]) -> str:
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


def comparison_report(result: ComparisonResult, calls: Sequence[str], table: str, undecided: Sequence[str]) -> str:
    """Return the report of a comparison: `calls` are verdicts in words, `table` is a Markdown table of them.

    undecided  a line for each inconclusive comparison
    """
    parts: list[str] = []
    for c in result["comparisons"]:
        who = f"{c['before']['contender']}, {c['after']['contender']}"
        for kind in ("conflict", "wrong", "lost", "gained", "flipped", "missing", "broken"):
            names = field_of(c, kind)
            parts += folded(f"{who}: {kind} ({len(names)})", names)
        for kind, found in (("slower", c["slower"]), ("faster", c["faster"])):
            parts += folded(f"{who}: {kind} ({len(found)})", (f"{x['puzzle']}: {x['ratio']:.2f}x" for x in found))
    call = ", ".join(dict.fromkeys(calls))
    number = f"Inconclusive ({len(undecided)} of {len(result['comparisons'])})"
    below = [*folded(number, undecided), *folded("Warnings", result["warnings"])]
    return page(heading("compare", result["exit"], call), table, *parts, *below)


def annotations(failures: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a workflow command for each failure of an instance FILE or FILE:LINE, at most MOST of them."""
    every = [(name, why) for name, reasons in failures.items() for why in reasons]
    for name, why in every[:MOST]:
        file, _, line = name.rpartition(":")
        place = f"file={escaped(file)},line={line}" if file and line.isdecimal() else f"file={escaped(name)}"
        yield f"::error {place}::{escaped(why, ESCAPES[:3])}"
    if len(every) > MOST:
        yield f"::error::{plural(len(every) - MOST, 'more failure')}"


# Characters that end or divide a workflow command, and their codes; the last two only in the places of properties.
ESCAPES = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C"))


def escaped(text: str, escapes: Sequence[tuple[str, str]] = ESCAPES) -> str:
    """Return text for a workflow command."""
    for character, code in escapes:
        text = text.replace(character, code)
    return text


def changes_for_the_worse(result: ComparisonResult) -> dict[str, list[str]]:
    """Return what became worse of each instance, of the comparisons of `compare`."""
    found: dict[str, list[str]] = {}
    for c in result["comparisons"]:
        who = f"{c['before']['contender']}, {c['after']['contender']}"
        for kind in ("conflict", "wrong", "lost"):
            for text in c[kind]:
                name, _, why = text.partition(": ")
                found.setdefault(name, []).append(": ".join(filter(None, (who, kind, why))))
    return found
