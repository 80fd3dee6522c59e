"""Reports for continuous integration say what failed, and the exit code stays that of the verb."""

import csv
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from harness.reporting.writing.booktabs import latex_cell
from tests.conftest import Harness
from tests.journals import make, noisy


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal with a clean, a wrong, a crashed and an undecided contender; `slow` takes twice the time of `x`."""
    times = {name: noisy(i, 5, 40) for i, name in enumerate(("x", "wrong", "crashed", "late"))}
    times["slow"] = noisy(9, 5, 40, factor=2.0)
    odd = {"wrong": {"unsatisfiable": [2]}, "crashed": {"crashed": [1]}, "late": {"undecided": [0, 3]}}
    return make(tmp_path / "j.sqlite", times, odd=odd)


def suite(text: str) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the counts of a test suite, and the tags below each of its cases."""
    root = Xml.fromstring(text.encode())
    counts = {key: root.attrib[key] for key in ("tests", "failures", "errors", "skipped")}
    return counts, {case.attrib["name"]: [part.tag for part in case] for case in root.iter("testcase")}


def test_junit_of_a_report_has_a_case_for_each_contender(journal: Path, harness: Harness) -> None:
    done = harness("report", journal, "--format", "junit")
    counts, cases = suite(done.out)
    assert counts == {"tests": "5", "failures": "1", "errors": "1", "skipped": "1"}
    tags = {"x": [], "wrong": ["failure"], "crashed": ["error"], "late": ["skipped"], "slow": []}
    assert cases == {name: [*found, "system-out"] for name, found in tags.items()}
    assert done.code == 1
    assert 'message="made:3: says that no solution exists, but 1 was found and checked"' in done.out
    assert 'message="2 timeout"' in done.out


def test_github_summary_of_a_report_has_the_call_first_and_folds_the_rest(journal: Path, harness: Harness) -> None:
    done = harness("report", journal, "--format", "github")
    lines = done.out.splitlines()
    assert (done.code, lines[0]) == (1, "### ❌ 5 contenders, 40 puzzles: a wrong answer")
    assert lines[2].startswith("| contender ")
    before, _, folded = done.out.partition("<details>")
    assert "WRONG: wrong: made:3" not in before
    assert "\n\n- WRONG: wrong: made:3: says that no solution exists" in folded
    assert done.out.count("<details>") == done.out.count("</details>") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("report", "--rank", "par2", "--matrix"),
        ("report", "--errors"),
        ("report", "--matrix-only"),
        ("compare", "--contenders", "x", "slow"),
    ],
    ids=" ".join,
)
def test_no_lines_run_together_in_markdown(tmp_path: Path, harness: Harness, words: tuple[str, ...]) -> None:
    """Markdown joins lines that follow each other, unless they are rows of a table, items of a list, or code."""
    times = {"x": noisy(1), "slow": noisy(1, factor=2.0)}
    journal = make(tmp_path / "i.sqlite", times, odd={"slow": {"crashed": [1]}}, state="interrupted")
    lines = harness(words[0], journal, *words[1:], "--format", "markdown").out.splitlines()
    pairs = [(line, after) for line, after in pairwise(lines) if line and after]
    assert [after for line, after in pairs if (line[0], after[0]) not in (("|", "|"), ("-", "-"), (" ", " "))] == []
    assert words[0] == "compare" or any(line.startswith("- interrupted: this table is partial") for line in lines)


@pytest.mark.parametrize(
    ("after", "code", "head", "tags"),
    [
        ("slow", 3, "### ❌ compare: regressed", ["failure", "system-out"]),
        ("wrong", 1, "### ❌ compare: 1 wrong", ["failure", "system-out"]),
        ("crashed", 3, "### ❌ compare: 1 lost", ["failure", "system-out"]),
    ],
)
def test_reports_of_a_comparison_name_the_call_and_what_was_lost(
    journal: Path, harness: Harness, after: str, code: int, head: str, tags: list[str]
) -> None:
    done = harness("compare", journal, "--contenders", "x", after, "--format", "github")
    assert (done.code, done.out.splitlines()[0]) == (code, head)
    done = harness("compare", journal, "--contenders", "x", after, "--format", "junit")
    counts, cases = suite(done.out)
    assert (done.code, counts["failures"], cases) == (code, "1", {f"x -> {after}": tags})


def test_latex_has_a_row_for_each_contender_with_the_numbers_of_the_table(journal: Path, harness: Harness) -> None:
    table = harness("report", journal, "--format", "latex").out
    rows = list(csv.DictReader(harness("report", journal, "--format", "csv").out.splitlines()))
    lines = [line.removesuffix(r" \\") for line in table.splitlines() if line.endswith(r"\\")]
    heads, *found = [line.replace(r"\bfseries ", "").split(" & ") for line in lines]
    assert heads[:2] == ["contender", "{solved}"]
    assert [row[1] for row in found] == [row["solved"] for row in rows]
    scale = {"s": 1, "ms": 1e3, r"\textmu{}s": 1e6, "ns": 1e9}
    par2, unit = next((k, head[8:-2]) for k, head in enumerate(heads) if head.startswith("{PAR-2 ("))
    assert [float(row[par2]) for row in found] == pytest.approx(
        [float(r["PAR-2"]) * scale[unit] for r in rows], rel=6e-3
    )
    assert harness("export", journal, "--format", "latex").out == table
    matrix = harness("report", journal, "--format", "latex", "--matrix").out.splitlines()
    assert matrix[1].startswith(r"\begin{tabular}{@{}l")
    assert matrix[-1].startswith("% ")


def test_latex_sets_the_units_of_both_ends_of_an_interval() -> None:
    assert latex_cell("394 us to 1,200 ms") == r"394\,\textmu{}s to 1,200\,ms"
    assert latex_cell("394 us to nothing") == "394 us to nothing"
