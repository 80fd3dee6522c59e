"""Reports of `check`: as text, as Markdown, and as the XML that CI systems read as JUnit's.

A report is a function of the summary (docs/summary.md), with its `golden` part, and of today's golden entries.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree import ElementTree as Xml

from harness.reporting.golden import Entry
from harness.reporting.tables import agreement_line, disagreement_lines, format_table, plural, trouble_lines, wrapped

KINDS = ("changed", "weaker", "stronger")
COUNTS = ("solved", "unsatisfiable", "timeout", "memory", "unknown", "unsupported", "error", "wrong")


def golden_lines(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the differences to the golden file, and how many entries are the same."""
    golden = summary["golden"]
    if golden is None:
        return
    for kind in KINDS:
        yield from (f"{kind}: {line}" for line in golden[kind])
    if golden["written"]:
        yield f"golden:    {plural(golden['puzzles'], 'puzzle')} written to {golden['file']}"
    else:
        yield f"golden:    {golden['same']} of {plural(golden['puzzles'], 'puzzle')} as in {golden['file']}"


def lines(summary: dict[str, Any]) -> list[str]:
    """Return the agreement, what is wrong, what failed, and the golden file."""
    wrong, failed = disagreement_lines(summary), trouble_lines(summary)
    return [agreement_line(summary), *wrong, *failed, *golden_lines(summary)]


def text(summary: dict[str, Any], today: Sequence[Entry]) -> str:
    """Return a line per fact."""
    return "\n".join(map(wrapped, lines(summary)))


def markdown(summary: dict[str, Any], today: Sequence[Entry]) -> str:
    """Return a table of contenders, and a list of the facts."""
    rows = [[c["name"], c["version"], *(str(c[k]) for k in COUNTS)] for c in summary["contenders"]]
    table = format_table(["contender", "version", *COUNTS], rows, "markdown", left=2)
    return "\n".join([table, "", *(f"- {line}" for line in lines(summary))])


def failures(summary: dict[str, Any]) -> dict[str, list[str]]:
    """Return what is wrong with each puzzle that has a wrong answer or differs from the golden file."""
    found: dict[str, list[str]] = {}
    for d in summary["agreement"]["disagreements"]:
        found.setdefault(d["puzzle"], []).append(d["why"])
    for line in (summary["golden"] or {"changed": []})["changed"]:
        puzzle, _, why = line.partition(": ")
        found.setdefault(puzzle, []).append(why)
    return found


def junit(summary: dict[str, Any], today: Sequence[Entry]) -> str:
    """Return a test case per puzzle: failed if wrong or changed, skipped if undecided."""
    wrong = failures(summary)
    undecided = {e["puzzle"] for e in today if e["count"] == "?"}
    puzzles = list(dict.fromkeys([*(e["puzzle"] for e in today), *wrong]))
    suite = Xml.Element("testsuite", name="crosscheck check", tests=str(len(puzzles)), failures=str(len(wrong)))
    suite.set("skipped", str(len(undecided - set(wrong))))
    for puzzle in puzzles:
        case = Xml.SubElement(suite, "testcase", classname=puzzle.rpartition(":")[0], name=puzzle)
        for why in wrong.get(puzzle, ()):
            Xml.SubElement(case, "failure", message=printable(why))
        if puzzle in undecided and puzzle not in wrong:
            Xml.SubElement(case, "skipped", message="undecided: no contender answered")
    Xml.SubElement(suite, "system-out").text = printable("\n".join(lines(summary)))
    Xml.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(suite, encoding="unicode")


def printable(message: str) -> str:
    """Replace characters that XML does not allow, such as a program's control characters."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in message)


FORMATS = {"text": text, "markdown": markdown, "junit": junit}
