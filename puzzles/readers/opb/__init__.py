"""Reader of OPB and WBO, the pseudo-Boolean formats.

    * #variable= 3 #constraint= 2
    min: +1 x1 +2 x3 ;                  or max:, the objective
    +3 x1 -2 ~x2 >= 2 ;
    +2 x1 ~x2 +1 x3 <= 2 ;              a product of literals is an auxiliary variable

    soft: 6 ;                           WBO: the costs of soft constraints that do not hold sum up to less than 6
    [2] +1 x1 +1 x2 >= 2 ;              a soft constraint is relaxed by an auxiliary variable, whose cost is 2

Integers may have any length; `~x2` is 1 - x2. Auxiliary variables (`auxiliaries.py`) come after those of the file, and
a note says so. The syntax of 2005, names and labels are read too (`syntax.py`).

statement  its words up to the ';', each with its line and column
plain row  a constraint that is alone on its line, with spaces and short numbers: many are read at once, in columns,
           in large files by a compiled loop (`plain_rows.py`)
"""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzles.constraints.linear import CODES, Linear, Row
from puzzles.errors import ParseError, plural
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Problem, boolean_instance
from puzzles.readers.compiled.loading import Loop, loops_for
from puzzles.readers.opb.auxiliaries import Auxiliaries, Numbering
from puzzles.readers.opb.lines import Header, PlainRow, in_columns, statements
from puzzles.readers.opb.plain_rows import PlainRows
from puzzles.readers.opb.sums import (
    MAX_VARIABLES,
    Statement,
    Term,
    parse_constraint,
    parse_soft,
    parse_terms,
    parse_top,
)
from puzzles.readers.opb.syntax import Beyond
from puzzles.readers.refusal import Refusal, refused
from puzzles.readers.source import HEADER_STATES, Source, lines_of_texts

BLOCK_ROWS = 1 << 12


class Goal(NamedTuple):
    """Sum that a file minimises or maximises."""

    terms: list[Term]
    maximise: bool


@dataclass
class Statements:
    """Statements of a file so far.

    plain  plain rows in hand       rows  other rows in hand, if none are plain    parts  earlier rows, in columns
    goal   the objective            soft  True after 'soft:'                       top    the limit of costs, if stated
    count  number of constraints
    scanned  rows that a loop has read, later than `parts`
    beyond   forms that programs of the competitions do not read
    """

    added: Auxiliaries = field(default_factory=Auxiliaries)
    plain: list[PlainRow] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    parts: list[Linear] = field(default_factory=list)
    count: int = 0
    goal: Goal | None = None
    soft: bool = False
    top: int | None = None
    scanned: PlainRows = field(default_factory=PlainRows)
    beyond: Beyond = field(default_factory=set)

    def take(self, statement: Statement, source: Source) -> None:
        """Read a statement that is no plain row. Raises ParseError, Refusal."""
        word, line, column = statement[0]
        if word in ("min:", "max:"):
            if self.goal:
                raise Refusal(["several objectives"])
            if self.count:
                self.beyond.add(f"'{word}' after a constraint")
            terms = parse_terms(statement[1:], source, "a coefficient or a variable", self.added.named)
            self.goal = Goal(terms, word == "max:")
            self.added.see(terms)
        elif word == "preserved:":
            self.added.see(parse_terms(statement[1:], source, "a variable", self.added.named))
        elif word == "soft:":
            if self.soft:
                raise ParseError("a second 'soft:'", line, column)
            self.soft, self.top = True, parse_top(statement)
        else:
            self.take_constraint(statement, source)
        if self.goal and (self.soft or self.added.costs):
            raise ParseError("an objective and soft constraints in one file", line, column)

    def take_constraint(self, statement: Statement, source: Source) -> None:
        """Read a constraint, which may be soft. Raises ParseError."""
        cost, rest = parse_soft(statement) if statement[0][0] == "[" else (None, statement)
        constraint = parse_constraint(rest, source, self.added.named)
        self.see(np.array([CODES[constraint[1]]]))
        if self.plain or len(self.rows) >= BLOCK_ROWS:
            self.store(source)
        self.rows += [self.added.row(*constraint)] if cost is None else self.added.relaxed(constraint, cost)
        self.count += 1

    def take_plain(self, row: PlainRow, source: Source) -> None:
        """Keep a plain row until there are many. Raises ParseError."""
        if self.rows or len(self.plain) >= BLOCK_ROWS:
            self.store(source)
        self.plain.append(row)
        self.count += 1

    def scan(self, loop: Loop, source: Source, text: bytes, at: int) -> tuple[int, int]:
        """Read plain rows from a place in a text on; return where they end, and how many lines they have."""
        if self.plain or self.rows:
            self.store(source)
        at, rows, lines = self.scanned.scan(loop, text, at)
        self.count += rows
        return at, lines

    def store(self, source: Source) -> None:
        """Store the rows in hand in columns. Raises ParseError."""
        if len(self.scanned):
            self.parts.append(self.scanned.rows())
            self.scanned = PlainRows()
            self.see(self.parts[-1].comparisons)
        if self.plain:
            self.parts.append(in_columns(self.plain, source))
            self.see(self.parts[-1].comparisons)
        if self.rows:
            self.parts.append(Linear.of(self.rows))
        self.plain, self.rows = [], []

    def see(self, comparisons: npt.NDArray[Any]) -> None:
        """Note comparisons that programs of the competitions do not read."""
        self.beyond |= {repr(word) for word in ("<=", "!=") if np.any(comparisons == CODES[word])}


def read_opb(source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError at source.line."""
    try:
        return read_statements(source)
    except Refusal as e:
        return refused(source, e)


def read_statements(source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError at source.line, Refusal."""
    stated: Header | None = None
    found, first = Statements(), source.line
    loops = loops_for("opb", source.size, "rows") if source.texts else None
    if source.texts and not loops:
        source.lines = lines_of_texts(source.texts)
    try:
        for statement in statements(source, partial(found.scan, loops[0], source) if loops else None, found.beyond):
            if isinstance(statement, tuple):
                stated, first = statement, source.line
            elif isinstance(statement, re.Match):
                found.take_plain(PlainRow(statement, source.line), source)
            else:
                found.take(statement, source)
    except (ParseError, Refusal):
        found.store(source)  # an earlier row may be wrong
        raise
    found.store(source)
    return instance_of(found, stated, first, source)


def instance_of(found: Statements, stated: tuple[int, int] | None, line: int, source: Source) -> Instance[Problem]:
    """Return the instance of a file, whose header states the number of variables and constraints. Raises ParseError."""
    added, goal = found.added, found.goal or Goal(found.added.costs, maximise=False)
    wanted = added.sum(goal.terms) if goal.terms and source.keeps_objective() else None
    limit = [] if found.top is None else [added.limited(found.top)]
    last = [*added.rows, *limit]
    linear = Linear.joined([*found.parts, *([Linear.of(last)] if last or not found.parts else [])])
    occurring = linear.variables[linear.variables < MAX_VARIABLES]
    used = max(int(occurring.max(initial=-1)) + 1, max(added.seen, default=0))
    variables, count = stated or (used, found.count)
    if used > variables and not added.names:
        raise ParseError(f"variable x{used}, but the header states {plural(variables, 'variable')}", line)
    seen = np.array([number - 1 for number in added.seen], np.int32)
    numbering = Numbering(added, variables, np.union1d(occurring, seen) if added.names else occurring)
    if added.names and stated and numbering.count > variables:
        name = numbering.names[variables]
        raise ParseError(f"variable {name}, but the header states {plural(variables, 'variable')}", line)
    tell(found, source, numbering.count, variables if stated else numbering.count, count)
    source.exact &= not (wanted and goal.maximise)  # programs of the competitions read `min:` alone
    objective = objective_of(*wanted, numbering, goal.maximise) if wanted else None
    rows = replace(linear, variables=numbering.of(linear.variables))
    instance = boolean_instance(source.name, numbering.names, rows, objective)
    if objective is not None or not added.costs:  # products are defined by their factors
        return instance
    relaxed = numbering.of(np.array([v - 1 for _, (v,) in added.costs], np.int64)).tolist()
    return instance.stated(problem=replace(instance.problem, free=tuple(sorted(relaxed))))


def tell(found: Statements, source: Source, variables: int, stated: int, count: int) -> None:
    """Note what is not in order: other numbers than the header states, and what programs do not read."""
    if variables != stated:
        source.note(f"{plural(variables, 'variable')} with names{HEADER_STATES}{stated}")
    if count != found.count:
        source.note(f"{plural(found.count, 'constraint')}{HEADER_STATES}{count}")
    for what, size in (("products", len(found.added.products)), ("soft constraints", len(found.added.costs))):
        if size:
            source.note(f"{what} became {plural(size, 'auxiliary variable')}: programs get a file that is written")
    if found.beyond and source.exact:
        source.note(f"some programs do not read {', '.join(sorted(found.beyond))}: all get a file that is written")


def objective_of(
    coefficients: list[int], xs: list[int], offset: int, numbering: Numbering, maximise: bool
) -> LinearObjective:
    """Return the objective of a sum, in which a variable may occur more than once."""
    terms = Counter[int]()
    for a, x in zip(coefficients, numbering.of(np.array(xs, np.int64)).tolist(), strict=True):
        terms[x] += a
    return LinearObjective.of(terms, offset, maximise)
