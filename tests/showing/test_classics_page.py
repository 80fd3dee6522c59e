"""docs/reference/classics.md: outputs are those of commands, but for times; tables are what the solvers count."""

import re
import shlex
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.answer import Ask, Reason, Status
from backends.native import subsets
from backends.native.board import board
from backends.native.budget import Budget
from puzzles.corpora import find
from puzzles.formats import read
from puzzles.problem.values import Domains
from tests.conftest import ROOT, Harness
from tests.effort import slow_after
from tests.native.boards import FORMULA

TEXT = (ROOT / "docs/reference/classics.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```sh\npython -m harness (.*)\n```\n\n```text\n((?:.*\n)*?)```$", TEXT, re.M)
TIME = re.compile(r"\d[\d.,]* (?:ns|us|ms|s)\b")
TOO_LONG = ("native:backtracking", "Norvig")  # a figure that takes ten seconds and more


@pytest.fixture
def at_root(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> Harness:
    """The command line in the repository, on a page as wide as that of the gallery."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "110")
    return harness


def lines_of(text: str) -> list[str]:
    return [TIME.sub("TIME", line.rstrip()) for line in text.splitlines()]


def missing(shown: str, printed: str) -> list[str]:
    """Return the first lines between two `...` of a page that are not printed after those before them, or []."""
    left = lines_of(printed)
    parts = re.split(r"(?m)^\.\.\.\n", shown)
    for number, part in enumerate(map(lines_of, parts)):
        starts = [0] if number == 0 and part else range(len(left) - len(part) + 1)
        found = next((at for at in starts if left[at : at + len(part)] == part), None)
        if found is None or (number == len(parts) - 1 and part and left[found + len(part) :]):
            return part
        left = left[found + len(part) :]
    return []


def test_every_command_has_an_output() -> None:
    assert len(EXAMPLES) == TEXT.count("```sh") == TEXT.count("```text") > 10


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_an_output_is_what_its_command_prints(command: str, shown: str, at_root: Harness, tmp_path: Path) -> None:
    words = shlex.split(command)
    done = at_root(*words, *(("-o", tmp_path / "j.sqlite") if words[0] == "run" else ()))
    assert missing(shown, done.out) == []


def test_lines_that_are_not_printed_are_found() -> None:
    printed = "a\nb\nc\nd 1.5 ms\n"
    assert [missing(shown, printed) for shown in ("a\n...\nd 9 s\n", "a\nb\n...\n", "...\nb\nc\n...\n")] == [[]] * 3
    assert missing("b\n...\n", printed) == ["b"]
    assert missing("a\n...\nc\n", printed) == ["c"]
    assert missing("...\nc\n...\nb\n...\n", printed) == ["b"]


def table(heading: str) -> list[list[str]]:
    """Return the cells of the table whose first column has this heading, its own row first."""
    rows = TEXT.partition(f"\n| {heading} |")[2].partition("\n\n")[0].splitlines()
    cells = [[cell.strip(" `") for cell in row.strip("|").split("|")] for row in rows]
    return [[heading, *cells[0]], *cells[2:]]


def claims() -> list[tuple[str, list[str]]]:
    """Return the command of each claim of a text, and what its output shows."""
    rows = [
        re.split(r"(?<!\\)\|", row)[1:-1]
        for row in TEXT.partition("## Claim by claim")[2].splitlines()
        if row[:1] == "|"
    ]
    spans = [[re.findall(r"`([^`]+)`", cell.replace("\\|", "|")) for cell in row[2:]] for row in rows[2:]]
    return [(command, shown) for (command,), shown in spans]


@pytest.mark.parametrize(("command", "shown"), claims(), ids=[f"{i}" for i in range(len(claims()))])
def test_a_claim_of_a_text_is_seen(command: str, shown: list[str], at_root: Harness, tmp_path: Path) -> None:
    words = shlex.split(command)
    done = at_root(*words, *(("-o", tmp_path / "j.sqlite") if words[0] == "run" else ()))
    printed = " ".join(done.out.split())
    assert shown
    assert [text for text in shown if text not in printed] == []


def test_every_text_has_claims_and_none_is_answered_by_no() -> None:
    rows = [row.split("|") for row in TEXT.partition("## Claim by claim")[2].splitlines() if row.startswith("|")][2:]
    assert {row[1].strip() for row in rows} == {"Norvig", "backtracking", "sudopy", "Meyers", "bit sets"}
    assert len(rows) == len(claims()) > 20
    assert not any(row[-2].strip().lower().startswith("no") for row in rows)


def boards(corpus: str) -> Iterator[Domains]:
    for instance in read(find(corpus)):
        yield instance.domains


def figures(backend: str) -> Iterator[str]:
    """Yield what the page's last table has for a backend, board by board."""
    names = table("backend")[0][1:]
    for name, domains in zip(names, boards(str(ROOT / "docs/classics/boards.txt")), strict=True):
        if (backend, name) == TOO_LONG:
            continue
        answer = registry.find(backend).open(FORMULA).ask(Ask(domains, seconds=60))
        counts = answer.counters
        stuck = answer.reason is Reason.STUCK
        assert stuck or answer.status is Status.SATISFIABLE
        yield "stuck" if stuck else f"{counts['decisions']:,}, {counts['conflicts']:,}"


@pytest.mark.parametrize("row", table("backend")[1:], ids=lambda row: row[0])
def test_the_table_has_the_guesses_of_each_backend(row: list[str]) -> None:
    backend, *cells = row
    assert cells[backend == TOO_LONG[0] :] == list(figures(backend))  # its first board is left out


@pytest.mark.slow
@pytest.mark.parametrize("row", slow_after(1, table("corpus")[1:]), ids=lambda row: row[0])
def test_subsets_solves_as_many_boards_as_the_table_says(row: list[str]) -> None:
    passes, largest, every = [], 0, list(boards(row[0]))
    for domains in every:
        *steps, last = subsets.trace(board(FORMULA), domains, Budget(Ask(domains)))
        if isinstance(last, subsets.Fixpoint) and all(d & d - 1 == 0 for d in last.domains):
            passes.append(len(steps))
            largest = max(largest, *(step.n for step in steps if isinstance(step, subsets.Pass)))
    middle = f"{min(passes)}, {statistics.median(passes):g}, {max(passes)}"
    assert row[1:] == [str(len(every)), str(len(passes)), middle, str(largest)]


def test_the_candidates_of_the_first_grid_leave_the_product_that_the_page_states() -> None:
    (shown,) = [text for command, text in EXAMPLES if "--candidates" in command]
    _, *rows, _, ways = shown.splitlines()  # after the numbers of the columns
    product = 1
    for candidates in re.findall(r"\d+", "\n".join(rows)):
        product *= len(candidates)
    mantissa, power = f"{product:.11e}".split("e+")
    assert ways.startswith(f"{mantissa} x 10^{power} ways to fill")
