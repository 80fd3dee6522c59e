"""Failing case as one self-contained text file: a summary in comment lines after '#', then JSON.

asks        boards asked of the contender in order, in one session; the last one fails
witnesses   known solutions of the last ask: evidence where exhaustive search takes too long
clauses     of a formula, or of a finding whose formula was shrunk: a board is then an assignment to its variables
constraints of any other problem: kind and content of each
objective   of a problem whose best solution is asked for: kind and content; the file then has another version
parts of the source   of the constraints of a model, those with which shrinking began, with their lines
"""

import json
import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from harness.fuzzing.clausal import clauses_of_problem, named_clause_problem
from harness.fuzzing.findings.constraints import constraints_to_json, objective_to_json, parse_problem
from harness.model.errors import BadUsage
from harness.model.invocation import PROGRAM
from harness.reporting.writing.printable import printable
from puzzles.boards.families import draw
from puzzles.boards.layout import Layout
from puzzles.errors import plural
from puzzles.files import read_text, write_file
from puzzles.problem import Problem
from puzzles.problem.content import values_to_json
from puzzles.problem.values import Domains, IntegerRange, Solution, Values, bits, ends_of, indices_of, size_of

MAX_SIZE = (1 << 63) - 1  # of a number
FORMAT = 1
PARTS = "parts of the source"  # entry
OPTIMISING = 2  # format of a finding with an objective, which an older Crosscheck must not read
MAX_SHOWN = 9  # values of a range that are listed
MAX_LINES, MAX_LINE = 100, 4000  # of the variables and constraints in a summary
MAX_REPEATS = 1000
MAX_PLACED = 1 << 26  # values in the solutions that an ask may want


class Faster(NamedTuple):
    """Contender beside which an outlier is slow, by this ratio of their CPU times at least."""

    contender: str
    ratio: float

    @property
    def signature(self) -> str:
        """Return the kind of failure."""
        return f"{self.ratio:g} times slower than {self.contender}"


@dataclass(frozen=True)
class Case:
    """A contender and the asks put to it. `seconds` and `memory` (bytes, 0: no limit) limit each ask.

    If the problem has an objective, its best solution is asked for, and `count` is 1. A case that does not always fail
    is asked up to `repeats` times, until it does.
    """

    contender: str
    problem: Problem
    asks: tuple[Domains, ...]
    count: int = 1
    seconds: float = 1.0
    memory: int = 0
    witnesses: tuple[Solution, ...] = ()
    faster: Faster | None = None
    repeats: int = 1

    @property
    def layout(self) -> Layout:
        """Problem of a case, if it is a board and not a formula."""
        assert isinstance(self.problem, Layout)
        return self.problem

    @property
    def givens(self) -> int:
        """Number of variables whose domain is not open, over all asks."""
        return sum(mask != self.problem.full for domains in self.asks for mask in domains)


@dataclass(frozen=True)
class Finding:
    """A case, its failure and its origin. `blame` names the component at fault, or is '' if unknown."""

    case: Case
    signature: str
    expected: str = ""
    seen: str = ""
    blame: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def failed_on(self) -> str:
        """Return the words on the original file with which the contender failed, '' if it got none."""
        path = self.provenance.get("original")
        if not path:
            return ""
        return f"; it failed with {path} itself, and gets here what was read of it, written anew: text of it may matter"

    @property
    def in_asks(self) -> str:
        """Return the words on a case that does not always fail, '' if it does."""
        return f" in {self.case.repeats} asks" if self.case.repeats > 1 else ""

    @property
    def parts(self) -> list[str]:
        """Parts of the source with which shrinking began, in words; none if it began with the whole."""
        parts = self.provenance.get(PARTS)
        return [str(word) for word in parts] if isinstance(parts, list) else []

    def with_case(self, case: Case, **changes: Any) -> "Finding":
        return replace(self, case=case, **changes)


def summary(finding: Finding) -> list[str]:
    """Return the summary lines for people."""
    case = finding.case
    problem, is_board = case.problem, isinstance(case.problem, Layout)
    sizes = (
        (len(problem.variables), "square" if is_board else "variable"),
        (len(problem.values), "value"),
        (len(units_of(case)), "unit") if is_board else rules_of(problem),
        (len(case.asks), "instance"),
        *([(case.givens, "given")] if is_board else []),
    )
    programs = "".join(f" --program {shlex.quote(program)}" for program in finding.provenance.get("program", ()))
    lines = [
        f"{case.contender}: {finding.signature}",
        f"expected: {finding.expected}",
        f"seen:     {finding.seen}",
        *([f"blame:    {finding.blame}"] if finding.blame else []),
        *(f"source:   {word}" for word in finding.parts[:MAX_LINES]),
        f"asked:    {problem.name} for {wanted(case)}: " + ", ".join(plural(n, what) for n, what in sizes),
        f"replay:   {PROGRAM} replay THIS_FILE{programs} (exit 1 while it fails, 0 once it does not)",
        "",
    ]
    if clauses_of_problem(problem) is not None:
        return lines[:-1]
    if not isinstance(problem, Layout):
        words = words_of(case)
        more = [f"... and {plural(len(words) - MAX_LINES, 'line')} more"] if len(words) > MAX_LINES else []
        return [*lines, *(shorten(line) for line in words[:MAX_LINES]), *more]
    layout = case.layout
    cells = ["." if d == layout.full else "".join(layout.values[v] for v in bits(d)) or "-" for d in case.asks[-1]]
    return [*lines, *draw(layout, cells).splitlines()]


def rules_of(problem: Problem) -> tuple[int, str]:
    """Return the number of clauses of a formula, or of constraints."""
    clauses = clauses_of_problem(problem)
    return (len(problem.constraints), "constraint") if clauses is None else (len(clauses), "clause")


def shorten(line: str) -> str:
    """Cut a long line of the summary; the JSON below it has everything."""
    return line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]} ..."


def wanted(case: Case) -> str:
    """Return the request of the last ask in words."""
    return plural(case.count, "solution") if case.problem.objective is None else "the best solution"


def words_of(case: Case) -> list[str]:
    """Return the variables of the last ask with their values, the constraints, one per line, and the objective."""
    problem = case.problem
    names = [
        f"{name}: {values_text(problem, mask)}" for name, mask in zip(problem.variables, case.asks[-1], strict=True)
    ]
    goal = problem.objective
    best = [] if goal is None else [f"{'maximise' if goal.maximise else 'minimise'} {goal.words(problem)}"]
    return names + [json.dumps(data) for data in constraints_to_json(problem)] + best


def values_text(problem: Problem, domain: int) -> str:
    """Return the values of a domain, of a range the first and the last."""
    if problem.ranged and size_of(domain, problem.values) > MAX_SHOWN:
        return " to ".join(problem.values[v] for v in ends_of(domain, problem.values))
    return ", ".join(problem.values[v] for v in indices_of(domain, problem.values)) or "no value"


def units_of(case: Case) -> tuple[tuple[int, ...], ...]:
    """Return the units of a board, none for another problem."""
    return case.problem.units if isinstance(case.problem, Layout) else ()


def text(finding: Finding) -> str:
    """Return the content of the finding's file."""
    case = finding.case
    rules: dict[str, Any] = {}  # other than units
    if (clauses := clauses_of_problem(case.problem)) is not None:
        rules = {"clauses": clauses}
    elif not isinstance(case.problem, Layout):
        rules = {"constraints": constraints_to_json(case.problem)}
    if (goal := case.problem.objective) is not None:
        rules["objective"] = objective_to_json(goal)
    data = {
        "crosscheck finding": FORMAT if case.problem.objective is None else OPTIMISING,
        "contender": case.contender,
        "signature": finding.signature,
        "expected": finding.expected,
        "seen": finding.seen,
        "blame": finding.blame,
        "count": case.count,
        "seconds": case.seconds,
        "memory": case.memory,
        "layout": case.problem.name,
        "squares": list(case.problem.variables),
        "values": values_to_json(case.problem.values) if case.problem.ranged else list(case.problem.values),
        "units": units_of(case),
        **rules,
        "asks": case.asks,
        "witnesses": case.witnesses,
        **({"slower than": case.faster} if case.faster else {}),
        **({"repeats": case.repeats} if case.repeats > 1 else {}),
        **finding.provenance,
    }
    entries = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()]
    return (
        "".join(f"# {printable(line)}".rstrip() + "\n" for line in summary(finding))
        + "{\n"
        + ",\n".join(entries)
        + "\n}\n"
    )


def is_domain(problem: Problem, domain: int) -> bool:
    """Return True for a domain over the values of a problem."""
    if problem.ranged and domain:
        first, last = ends_of(domain, problem.values)
        return 0 <= first <= last < len(problem.values)
    return 0 <= domain <= problem.full


def write(finding: Finding, path: Path) -> None:
    """Write the file atomically. Raises BadUsage if it can't be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text(finding))
    except OSError as e:
        raise BadUsage(f"{path}: {e.strerror}") from None


def read(path: Path) -> Finding:
    """Read the finding in a file. Raises BadUsage, with the defect, if the file has no valid one."""
    try:
        lines = read_text(path).split("\n")
    except (OSError, UnicodeDecodeError) as e:
        raise BadUsage(f"{path}: {getattr(e, 'strerror', None) or 'not UTF-8 text'}") from None
    try:
        data = json.loads("\n".join("" if line.startswith("#") else line for line in lines))
        if not isinstance(data, dict):
            raise TypeError("not a JSON object")
        if data.pop("crosscheck finding") != (OPTIMISING if "objective" in data else FORMAT):
            reads = f"this Crosscheck reads version {FORMAT}, and with an objective {OPTIMISING}"
            raise BadUsage(f"{path}: unsupported version of the finding format: {reads}")
        return parse_entries(data)
    except BadUsage:
        raise
    except KeyError as e:
        raise BadUsage(f"{path}: not a finding, or an incomplete one: entry {e} is missing") from None
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as e:
        raise BadUsage(f"{path}: not a finding, or an incomplete one: {e}") from None


def values_of(stated: Any) -> Values:
    """Return the values of an entry: those listed, or a range. Raises KeyError, TypeError or ValueError."""
    if not isinstance(stated, dict):
        return tuple(map(str, stated))
    first, last = map(int, stated["bounds"])
    if not -MAX_SIZE <= first <= last <= MAX_SIZE or last - first >= MAX_SIZE:
        raise ValueError("the bounds of the values are not integers of 64 bits")
    return IntegerRange(range(first, last + 1))


def parse_entries(data: dict[str, Any]) -> Finding:
    """Build a finding from its entries. Raises KeyError, TypeError or ValueError if they are invalid.

    A program entry is run only if the user agrees to it: a foreign file starts no program by itself.
    """
    squares, values = tuple(map(str, data.pop("squares"))), values_of(data.pop("values"))
    units = tuple(tuple(map(int, unit)) for unit in data.pop("units"))
    name, clauses, constraints = str(data.pop("layout")), data.pop("clauses", None), data.pop("constraints", None)
    objective = data.pop("objective", None)
    problem: Problem
    if constraints is not None:
        problem = parse_problem(name, squares, values, constraints, objective)
    elif objective is not None:
        raise ValueError("an objective needs constraints")
    else:
        problem = (
            Layout(name, squares, tuple(values), units) if clauses is None else parse_clauses(name, squares, clauses)
        )
    asks = tuple(tuple(map(int, domains)) for domains in data.pop("asks"))
    witnesses = tuple(tuple(map(int, w)) for w in data.pop("witnesses"))
    if not asks or any(len(board) != len(squares) for board in (*asks, *witnesses)):
        raise ValueError("asks and witnesses need one entry per square")
    if any(not 0 <= s < len(squares) for unit in units for s in unit):
        raise ValueError("a unit contains an unknown square")
    if any(len(set(unit)) < len(unit) for unit in units):
        raise ValueError("a unit contains a square twice")
    if constraints is not None and (units or clauses is not None):
        raise ValueError("a problem of constraints has no units or clauses of its own")
    if clauses is not None and (units or len(values) != 2):
        raise ValueError("a formula has two values and no units")
    if any(not is_domain(problem, mask) for domains in asks for mask in domains):
        raise ValueError("a domain contains an unknown value")
    limits = int(data.pop("count")), float(data.pop("seconds")), int(data.pop("memory"))
    too_many = limits[0] * len(squares) > MAX_PLACED
    if objective is not None and limits[0] != 1:
        raise ValueError("of a problem with an objective one solution is wanted")
    if limits[0] < 1 or too_many or not 0 < limits[1] < math.inf or not 0 <= limits[2] < 1 << 62:
        raise ValueError("count, seconds or memory is out of range")
    slow = data.pop("slower than", None)
    faster = None if slow is None else Faster(str(slow[0]), float(slow[1]))
    repeats = int(data.pop("repeats", 1))
    if not 1 <= repeats <= MAX_REPEATS:
        raise ValueError("repeats are out of range")
    case = Case(str(data.pop("contender")), problem, asks, *limits, witnesses, faster, repeats)
    signature, expected, seen, blame = (str(data.pop(key)) for key in ("signature", "expected", "seen", "blame"))
    if not isinstance(data.get("versions", {}), dict):
        raise TypeError("versions are not by name")
    if any(not isinstance(program, str) for program in data.get("program", ())):
        raise TypeError("a program is not a string")
    return Finding(case, signature, expected, seen, blame, data)


def parse_clauses(name: str, variables: tuple[str, ...], clauses: Any) -> Problem:
    """Build a formula from the entries of a finding. Raises TypeError or ValueError."""
    rows = [[int(x) for x in clause] for clause in clauses]
    if not all(0 < abs(x) <= len(variables) for row in rows for x in row):
        raise ValueError("a clause contains an unknown variable")
    return named_clause_problem(name, variables, rows)
