"""Reports of `check`: as text, as Markdown, as a job summary of GitHub, and as the XML of JUnit.

A report is a function of the summary (docs/reference/summary.md), with its `golden` part, and today's golden entries.
"""

from collections.abc import Iterator, Sequence

from harness.reporting.formats import github
from harness.reporting.formats.golden import Entry
from harness.reporting.formats.junit import JunitCase, document
from harness.reporting.frame.entries import Summary, field_of
from harness.reporting.views.run_lines import (
    agreement_line,
    alarm_lines,
    disagreement_lines,
    malformed_lines,
    trouble_lines,
)
from harness.reporting.writing.printable import line_below, printable, wrapped
from harness.reporting.writing.table import table_of
from harness.reporting.writing.writers import written
from puzzles.errors import plural

KINDS = ("changed", "weaker", "stronger")
COUNTS = ("solved", "satisfiable", "unsatisfiable", "timeout", "memory", "unknown", "unsupported", "error", "wrong")


def golden_lines(summary: Summary) -> Iterator[str]:
    """Yield the differences to the golden file, and the number of equal entries."""
    golden = summary["golden"]
    if golden is None:
        return
    for kind in KINDS:
        yield from (printable(f"{kind}: {line}") for line in golden[kind])
    if golden["written"]:
        yield f"golden:    {plural(golden['puzzles'], 'instance')} written to {printable(golden['file'])}"
    else:
        of = plural(golden["puzzles"], "instance")
        yield f"golden:    {golden['same']} of {of} as in {printable(golden['file'])}"


def lines(summary: Summary) -> list[str]:
    """Return the lines: false certificates, agreement, wrong answers, failures, and the golden file."""
    wrong, failed = disagreement_lines(summary), [*malformed_lines(summary), *trouble_lines(summary)]
    return [*alarm_lines(summary), agreement_line(summary), *wrong, *failed, *golden_lines(summary)]


def text(summary: Summary, today: Sequence[Entry]) -> str:
    """Return a line per fact."""
    return "\n".join(map(wrapped, lines(summary)))


def markdown(summary: Summary, today: Sequence[Entry]) -> str:
    """Return a table of contenders, and a list of the facts."""
    return "\n".join([contender_table(summary), "", *(line_below(line, "markdown") for line in lines(summary))])


def contender_table(summary: Summary) -> str:
    """Return the counts of each contender in Markdown."""
    rows = [[c["name"], c["version"], *(field_of(c, k) for k in COUNTS)] for c in summary["contenders"]]
    return written(table_of(("contender", "version", *COUNTS), rows, left=2), "markdown")


def github_summary(summary: Summary, today: Sequence[Entry]) -> str:
    """Return a job summary: the call, a table, and the facts folded."""
    return github.check_report(summary, contender_table(summary), list(golden_lines(summary)))


def failures(summary: Summary) -> dict[str, list[str]]:
    """Return the failures of each instance: wrong answers, malformed files, and differences to a golden file."""
    found: dict[str, list[str]] = {}
    for d in summary["agreement"]["disagreements"]:
        found.setdefault(d["puzzle"], []).append(d["why"])
    for file in summary["malformed"]:
        found.setdefault(file["name"], []).append(f"malformed: {file['reason']}")
    for line in (summary.get("golden") or {"changed": []})["changed"]:
        puzzle, _, why = line.partition(": ")
        found.setdefault(puzzle, []).append(why)
    return found


def junit(summary: Summary, today: Sequence[Entry]) -> str:
    """Return a test case per puzzle: failed if wrong or changed, skipped if undecided."""
    wrong = failures(summary)
    undecided = {e["puzzle"] for e in today if e["status"] == "undecided"}
    puzzles = list(dict.fromkeys([*(e["puzzle"] for e in today), *wrong]))
    skipped = "undecided: no contender answered"
    cases = [
        JunitCase(
            puzzle.rpartition(":")[0], puzzle, wrong.get(puzzle, ()), skipped=skipped if puzzle in undecided else ""
        )
        for puzzle in puzzles
    ]
    return document("crosscheck check", cases, "\n".join(lines(summary)))


FORMATS = {"text": text, "markdown": markdown, "junit": junit, "github": github_summary}
