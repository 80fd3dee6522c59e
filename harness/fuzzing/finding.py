"""A failing case as one text file that needs nothing else: lines for people after '#', then JSON for us.

asks        boards put to the contender one after another, in one session; the last is the one that fails
witnesses   solutions of it, which anybody can check: evidence where trying everything takes too long
clauses     where the formula itself was shrunk: a board is then an assignment to its variables
"""

import json
import math
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.fuzzing.clausal import formula, rows_of
from harness.model.errors import BadUsage
from harness.reporting.tables import plural
from puzzles.families import draw
from puzzles.layout import Layout
from puzzles.problem import Domains, Problem, Solution, bits

FORMAT = 1


@dataclass(frozen=True)
class Case:
    """What is asked of whom. `seconds` and `memory` (bytes, 0: no limit) are each ask's limits."""

    contender: str
    problem: Problem
    asks: tuple[Domains, ...]
    count: int = 1
    seconds: float = 1.0
    memory: int = 0
    witnesses: tuple[Solution, ...] = ()

    @property
    def board(self) -> Layout:
        """The problem of a case that is no formula."""
        assert isinstance(self.problem, Layout)
        return self.problem

    @property
    def givens(self) -> int:
        """Variables whose domain is not open, over all asks."""
        return sum(mask != self.problem.full for domains in self.asks for mask in domains)


@dataclass(frozen=True)
class Finding:
    """A case, how it fails, and where it was seen. `blame` names what is at fault, as far as that is known."""

    case: Case
    signature: str
    expected: str = ""
    seen: str = ""
    blame: str = ""
    story: Mapping[str, Any] = field(default_factory=dict)

    def with_case(self, case: Case, **changes: Any) -> "Finding":
        return replace(self, case=case, **changes)


def on_a_line(text: str) -> str:
    """A text, as of an exception, without what would end a comment."""
    return "".join(c if c.isprintable() else " " for c in text)


def head(finding: Finding) -> list[str]:
    """What a person wants to know, a line each."""
    case = finding.case
    problem, units = case.problem, units_of(case)
    sizes = (
        *((len(problem.variables), "square"), (len(problem.values), "value"), (len(units), "unit")),
        *((len(case.asks), "ask"), (case.givens, "given")),
    )
    programs = "".join(f" --program {shlex.quote(program)}" for program in finding.story.get("program", ()))
    lines = [
        f"{case.contender}: {finding.signature}",
        f"expected: {finding.expected}",
        f"seen:     {finding.seen}",
        *([f"blame:    {finding.blame}"] if finding.blame else []),
        f"asked:    {problem.name} for {plural(case.count, 'solution')}: "
        + ", ".join(plural(n, what) for n, what in sizes),
        f"replay:   python -m harness replay THIS_FILE{programs} (exit 1 while it fails, 0 once it does not)",
        "",
    ]
    if (clauses := rows_of(problem)) is not None:
        return [*lines, plural(len(clauses), "clause")]
    layout = case.board
    cells = ["." if d == layout.full else "".join(layout.values[v] for v in bits(d)) or "-" for d in case.asks[-1]]
    return [*lines, *draw(layout, cells).splitlines()]


def units_of(case: Case) -> tuple[tuple[int, ...], ...]:
    """The units of a board; a formula has none."""
    return () if rows_of(case.problem) is not None else case.board.units


def text(finding: Finding) -> str:
    """The file's content."""
    case = finding.case
    clauses = rows_of(case.problem)
    data = {
        "crosscheck finding": FORMAT,
        "contender": case.contender,
        "signature": finding.signature,
        "expected": finding.expected,
        "seen": finding.seen,
        "blame": finding.blame,
        "count": case.count,
        "seconds": case.seconds,
        "memory": case.memory,
        "layout": case.problem.name,
        "squares": case.problem.variables,
        "values": case.problem.values,
        "units": units_of(case),
        **({} if clauses is None else {"clauses": clauses}),
        "asks": case.asks,
        "witnesses": case.witnesses,
        **finding.story,
    }
    entries = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()]
    return (
        "".join(f"# {on_a_line(line)}".rstrip() + "\n" for line in head(finding))
        + "{\n"
        + ",\n".join(entries)
        + "\n}\n"
    )


def write(finding: Finding, path: Path) -> None:
    """Write the file, all of it or nothing. Raises BadUsage where that can't be."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text(finding), encoding="utf-8")
        part.replace(path)
    except OSError as e:
        with suppress(OSError):
            part.unlink()
        raise BadUsage(f"{path}: {e.strerror}") from None


def read(path: Path) -> Finding:
    """The finding in a file. Raises BadUsage, with what is wrong with it."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as e:
        raise BadUsage(f"{path}: {getattr(e, 'strerror', None) or 'not UTF-8 text'}") from None
    try:
        data = json.loads("\n".join("" if line.startswith("#") else line for line in lines))
        if not isinstance(data, dict):
            raise TypeError("no entries by name")
        if data.pop("crosscheck finding") != FORMAT:
            raise BadUsage(f"{path}: a finding of another version: this one reads {FORMAT}")
        return parsed(data)
    except BadUsage:
        raise
    except KeyError as e:
        raise BadUsage(f"{path}: not a finding, or not all of one: it has no {e}") from None
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as e:
        raise BadUsage(f"{path}: not a finding, or not all of one: {e}") from None


def parsed(data: dict[str, Any]) -> Finding:
    """A finding from its entries. Raises KeyError, TypeError or ValueError where they are not of their kind.

    A program that it was found with is told, never started: a file from somebody else runs nothing that was not named.
    """
    squares, values = tuple(map(str, data.pop("squares"))), tuple(map(str, data.pop("values")))
    units = tuple(tuple(map(int, unit)) for unit in data.pop("units"))
    name, clauses = str(data.pop("layout")), data.pop("clauses", None)
    problem = Layout(name, squares, values, units) if clauses is None else parsed_formula(name, squares, clauses)
    asks = tuple(tuple(map(int, domains)) for domains in data.pop("asks"))
    witnesses = tuple(tuple(map(int, w)) for w in data.pop("witnesses"))
    if not asks or any(len(board) != len(squares) for board in (*asks, *witnesses)):
        raise ValueError("asks and witnesses need an entry for each square")
    if any(not 0 <= s < len(squares) for unit in units for s in unit):
        raise ValueError("a unit holds a square that is not there")
    if any(len(set(unit)) < len(unit) for unit in units):
        raise ValueError("a unit holds a square twice")
    if clauses is not None and (units or len(values) != 2):
        raise ValueError("a formula has two values and no units")
    if any(not 0 <= mask <= problem.full for domains in asks for mask in domains):
        raise ValueError("a domain holds a value that is not there")
    limits = int(data.pop("count")), float(data.pop("seconds")), int(data.pop("memory"))
    if limits[0] < 1 or not 0 < limits[1] < math.inf or limits[2] < 0:
        raise ValueError("count, seconds or memory is no limit")
    case = Case(str(data.pop("contender")), problem, asks, *limits, witnesses)
    signature, expected, seen, blame = (str(data.pop(key)) for key in ("signature", "expected", "seen", "blame"))
    dict(data.get("versions", {}))
    if any(not isinstance(program, str) for program in data.get("program", ())):
        raise TypeError("a program is no text")
    return Finding(case, signature, expected, seen, blame, data)


def parsed_formula(name: str, variables: tuple[str, ...], clauses: Any) -> Problem:
    """A formula from the entries of a finding. Raises TypeError or ValueError."""
    rows = [[int(x) for x in clause] for clause in clauses]
    if not all(0 < abs(x) <= len(variables) for row in rows for x in row):
        raise ValueError("a clause holds a variable that is not there")
    return formula(name, variables, rows)
