"""Odd outputs of programs through every protocol: the table of docs/reference/programs.md holds what becomes of each.

A row has what a program prints, in words that each protocol spells in its own way, and how the program ends. A protocol
with an objective gets each output also as that of an optimiser, with the same result.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Reason, Status, Unsupported
from backends.contract.cases import FOUR, SOLVED_FOUR
from backends.programs.process import ProgramFailed
from encoders.direct import constraints, text
from encoders.formula import Formula
from encoders.registry import spec
from puzzles.constraints.clauses import Clauses
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import BOOLEAN, Objective, Problem
from puzzles.problem.check import violations
from puzzles.problem.values import Numbered
from tests.conftest import ROOT

PAGE = ROOT / "docs/reference/programs.md"
PROTOCOLS = ("dimacs", "wcnf", "opb", "xcsp3", "fzn", "lines")
OPTIMISERS = ("wcnf", "opb", "xcsp3", "fzn")
GOAL = LinearObjective.of({0: 1, 2: 1})  # whose best solution is x2 alone


def problem(goal: Objective | None) -> Problem:
    return Problem("p", Numbered("x", 3), BOOLEAN, (Clauses.of([[1, 2, 3]]),), objective=goal)


XML = "v <instantiation> <list> {} </list> <values> {} </values> </instantiation>"
SAT, UNSAT, UNKNOWN = "s SATISFIABLE", "s UNSATISFIABLE", "s UNKNOWN"
FZN_NONE = "=====UNSATISFIABLE====="
WORDS = {  # of each protocol: a blank line stands for what it can't say
    "result": dict.fromkeys(PROTOCOLS[:4], SAT),
    "none": dict.fromkeys(PROTOCOLS[:4], UNSAT) | {"fzn": FZN_NONE, "lines": "unsatisfiable"},
    "unknown": dict.fromkeys(PROTOCOLS[:4], UNKNOWN) | {"fzn": "=====UNKNOWN=====", "lines": "unknown"},
    "solution": {
        "dimacs": f"{SAT}\nv -1 2 -3 0",
        "wcnf": f"{SAT}\nv 010",
        "opb": f"{SAT}\nv -x1 x2 -x3",
        "xcsp3": f"{SAT}\n{XML.format('v1 v2 v3', '0 1 0')}",
        "fzn": "xs = [0, 1, 0];\n----------",
        "lines": SOLVED_FOUR,
    },
    "contradiction": {
        "dimacs": f"{SAT}\nv -1 1 2 -2 3 0",
        "wcnf": f"{SAT}\nv -1 2 -3 1 0",
        "opb": f"{SAT}\nv -x1 x2 -x3 x1",
        "xcsp3": f"{SAT}\n{XML.format('v1 v2 v3 v1', '0 1 0 1')}",
        "fzn": "xs = [0, 1, 0];\nxs = [1, 1, 0];\n----------",
        "lines": f"{SOLVED_FOUR} unsatisfiable",
    },
    "partial": {
        "dimacs": f"{SAT}\nv 2 0",
        "wcnf": f"{SAT}\nv 2 0",
        "opb": f"{SAT}\nv x2",
        "xcsp3": f"{SAT}\n{XML.format('v2', '1')}",
        "fzn": "xs = [1];\n----------",
        "lines": f"....{SOLVED_FOUR[4:]}",
    },
    "beyond": {
        "dimacs": f"{SAT}\nv -1 2 -3 4 0",
        "wcnf": f"{SAT}\nv 0101",
        "opb": f"{SAT}\nv -x1 x2 -x3 x4",
        "xcsp3": f"{SAT}\n{XML.format('v1 v2 v3 v4', '0 1 0 1')}",
        "fzn": "xs = [0, 1, 0, 1];\n----------",
        "lines": f"{SOLVED_FOUR}1",
    },
    "word": {
        "dimacs": f"{SAT}\nv -1 two 0",
        "wcnf": f"{SAT}\nv -1 two 0",
        "opb": f"{SAT}\nv -x1 two",
        "xcsp3": f"{SAT}\n{XML.format('v1 v2 v3', '0 one 0')}",
        "fzn": "xs = [0, one, 0];\n----------",
        "lines": "a solution",
    },
    "wrong": {
        "dimacs": f"{SAT}\nv -1 -2 -3 0",
        "wcnf": f"{SAT}\nv 000",
        "opb": f"{SAT}\nv -x1 -x2 -x3",
        "xcsp3": f"{SAT}\n{XML.format('v1 v2 v3', '0 0 0')}",
        "fzn": "xs = [0, 0, 0];\n----------",
        "lines": "1" * 16,
    },
}
ERROR, SILENT, LOWER = "*** ERROR: parse error in line 3", "a warning of no weight", "solver: error: no memory map"
SIGNALS = {"SIGSEGV": "kill -SEGV $$", "SIGKILL": "kill -KILL $$"}


class Row(NamedTuple):
    """An output in words, how its program ends, a line of standard error."""

    words: tuple[str, ...]
    end: str = "0"
    error: str = ""

    def title(self) -> str:
        """Return the cells of the table that describe the output."""
        printed = ", then ".join(self.words) or "nothing"
        return f"{printed}{f'; `{self.error}`' if self.error else ''} | {self.end}"

    def script(self, protocol: str, optimises: bool) -> str:
        """Return a script for a shell that prints the output."""
        lines = [WORDS[word].get(protocol, "") if word in WORDS else word for word in self.words]
        if optimises:
            lines = [line.replace(f"{SAT}\n", "o 0\ns OPTIMUM FOUND\n") for line in lines]
        printed = "".join(f"cat <<'END'\n{line}\nEND\n" for line in lines if line)
        said = f"echo {self.error!r} >&2\n" if self.error else ""
        return f"{printed}{said}{SIGNALS.get(self.end, f'exit {self.end}')}\n"


CODES = ("0", "1", "10", "20", "30", "40", "65", "139", *SIGNALS)
ROWS = (
    *(Row((word,), end) for word in ("solution", "none", "unknown") for end in CODES),
    *(Row((), end) for end in CODES),
    *(Row((word,)) for word in ("contradiction", "partial", "beyond", "word", "wrong", "result")),
    Row(("solution", "none")),
    Row(("none", "solution")),
    Row(("unknown", "solution")),
    Row(("none", "none")),
    Row(("solution",), error=ERROR),
    Row(("none",), error=ERROR),
    *(Row((), error=line) for line in (ERROR, LOWER, SILENT)),
    *(Row(("unknown",), error=line) for line in (ERROR, LOWER, SILENT)),
    Row(("unknown",), "65", ERROR),
)


def answer_of(protocol: str, row: Row, path: Path, goal: Objective | None) -> Answer:
    path.write_text(row.script(protocol, goal is not None))
    backend = registry.find(f"{protocol}:mine", {"mine": f"sh '{path}'"})
    formula, domains = formula_of(protocol, goal), FOUR.open if protocol == "lines" else problem(None).open
    session = backend.open(formula)
    try:
        return session.ask(Ask(domains, 1, 20.0))
    finally:
        session.close()


def formula_of(protocol: str, goal: Objective | None) -> Formula:
    if protocol == "lines":
        return text(FOUR)
    return spec("direct").formula(problem(goal)) if protocol in ("dimacs", "wcnf") else constraints(problem(goal))


def outcome(protocol: str, row: Row, path: Path, goal: Objective | None) -> str:
    """Return what becomes of an output, as a cell of the table."""
    try:
        answer = answer_of(protocol, row, path, goal)
    except ProgramFailed:
        return "error"
    except Unsupported:
        return "unsupported"
    note = ", note" if answer.note else ""
    if answer.status == Status.UNSATISFIABLE:
        return f"none{note}"
    if answer.status == Status.UNKNOWN:
        assert answer.reason == Reason.STUCK
        return f"stuck{note}"
    (solution,) = answer.solutions
    of, domains = (FOUR, FOUR.open) if protocol == "lines" else (problem(None), problem(None).open)
    return f"{'wrong' if violations(of, domains, solution) else 'solution'}{note}"


def rows_of_page() -> Iterator[tuple[str, list[str]]]:
    for line in PAGE.read_text().splitlines():
        if line.startswith("| ") and line.count("|") == len(PROTOCOLS) + 3:
            printed, end, *cells = [cell.strip() for cell in line.strip("|").split("|")]
            yield f"{printed} | {end}", cells


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_page_tells_what_becomes_of_each_output(protocol: str, tmp_path: Path) -> None:
    stated = dict(rows_of_page())
    at = PROTOCOLS.index(protocol)
    path = tmp_path / "program.sh"
    for row in ROWS:
        for goal in (None, GOAL) if protocol in OPTIMISERS else (None,):
            found = outcome(protocol, row, path, goal)
            assert stated[row.title()][at] == found, (row, goal)
    assert len(ROWS) == len(stated) - 1 >= 40
