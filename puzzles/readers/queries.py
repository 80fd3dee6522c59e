"""Reader and writers of query scripts: clauses and asks under assumptions, in turn.

    p inccnf            clauses, and a line `a LITERALS 0` for each ask
    1 -2 0
    a 2 0

    init                CaDiCaL's trace of its calls (CADICAL_API_TRACE): `add` and `assume` a literal, `solve`
    add 1               a number after `solve`, 10 or 20, is the answer; else `val` after it tells that there was a
    add 0               model, and `failed` that there was none
    assume -1
    solve

    init                the same of IPAMIR's calls: `add_hard` for clauses, `add_soft_lit` with the cost of a literal's
    add_hard 1          being true. Its numbers after `solve` are others: 30 for an optimum, whose cost `val_obj` tells,
    add_hard 0          and 10 for unsatisfiable; 20 is a model that may not be the best, so it is no answer
    add_soft_lit 1 5
    solve 30
    val_obj 5

Other calls of a trace, such as options, do not change answers, and are ignored; `constrain` does, and is refused.
"""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from puzzles.errors import ParseError, brief
from puzzles.objectives.asks import QueryAsk
from puzzles.objectives.queries import MOST_SAVED, SATISFIABLE, UNKNOWN, UNSATISFIABLE, QueryScript, problem_of
from puzzles.problem import Instance, Problem
from puzzles.readers.cnf import MAX_VARIABLES
from puzzles.readers.integers import integer
from puzzles.readers.refusal import Refusal, refused
from puzzles.readers.source import Source, lines_of

REFUSED = {"constrain": "a constraint of one ask", "connect_propagator": "a propagator"}  # calls that change answers
ANSWERS = {b"10": SATISFIABLE, b"20": UNSATISFIABLE}
OPTIMA = {b"30": SATISFIABLE, b"10": UNSATISFIABLE}  # of IPAMIR
CALLS = {"add": "IPASIR", "val": "IPASIR", "failed": "IPASIR", "add_hard": "IPAMIR", "add_soft_lit": "IPAMIR"}
DIGITS = len(str(MOST_SAVED))
MAX_VALUES = 1 << 25  # of a solution


def read_queries(file: BinaryIO, source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError at source.line, BadInput, OSError."""
    source.exact = False  # no other program reads it
    words = ((number, text.encode().split()) for number, text in lines_of(file, source))
    rows = ((number, row) for number, row in words if row)
    _, first = next((number, row) for number, row in rows if row[0][:1] != b"c")
    if first[0] != b"init":
        uncommented = ((number, row) for number, row in rows if row[0][:1] != b"c")
        return instance_of(list(read_inccnf(uncommented, source)), source)
    trace = Trace()
    for source.line, row in rows:
        trace.take(row[0].decode(), row[1:], source.line)
    return instance_of(trace.asks, source, trace.expected(), trace.costs)


def instance_of(
    asks: list[QueryAsk], source: Source, answers: Sequence[int] = (), costs: Sequence[int] = ()
) -> Instance[Problem]:
    """Return the instance of a script, with the best value if the answers tell it. Raises ParseError."""
    if not asks:
        raise ParseError("a query script without an ask: no line 'a ... 0' or 'solve'", source.line)
    script = QueryScript.of(asks, expected=answers, costs=costs)
    if len(asks) + sum(script.totals) > MOST_SAVED:
        raise ParseError(f"the costs of all asks together are more than {MOST_SAVED}", source.line)
    if script.cells > MAX_VALUES:
        part = f"{len(script)} asks of {script.variables} variables"
        return refused(source, Refusal([part]), f"their answers are {script.cells} values, of at most {MAX_VALUES}")
    if script.every > 1:
        source.note(f"its models are many: those of each {script.every}th ask are stored and judged")
    saved = script.claimed[script.every - 1 :: script.every]
    optimum = None if (saved < 0).any() else -int(saved.sum())
    problem = problem_of(script, source.name)
    return Instance(source.name, problem, problem.open, optimum=optimum)


def read_inccnf(rows: Iterator[tuple[int, list[bytes]]], source: Source) -> Iterator[QueryAsk]:
    """Yield the asks of a file of `p inccnf`, after its header. Raises ParseError."""
    clauses = list[list[int]]()
    for source.line, row in rows:
        assumed = row[0] == b"a"
        numbers = [literal(word, source.line) for word in row[assumed:]]
        if not numbers or numbers[-1] != 0 or 0 in numbers[:-1]:
            raise ParseError("expected literals and one 0 at the end of the line", source.line)
        if assumed:
            yield QueryAsk(clauses, numbers[:-1])
            clauses = []
        else:
            clauses.append(numbers[:-1])
    if clauses:
        source.note("clauses after the last ask, which are of no ask")


class Trace:
    """A trace so far.

    answers  numbers after `solve`, or SATISFIABLE or UNSATISFIABLE as a call after it tells     costs  -1 if unknown
    kind     IPASIR or IPAMIR, '' before a call tells
    """

    def __init__(self) -> None:
        self.asks, self.answers, self.costs, self.kind = list[QueryAsk](), list[bytes | int](), list[int](), ""
        self.clauses, self.clause = list[list[int]](), list[int]()
        self.assumed, self.soft = list[int](), list[tuple[int, int]]()

    def take(self, call: str, words: list[bytes], line: int) -> None:
        """Take a call with its arguments. Raises ParseError."""
        if call in REFUSED:
            raise ParseError(f"{call!r}: {REFUSED[call]} is not read", line)
        if (kind := CALLS.get(call, self.kind)) != (self.kind or kind):
            raise ParseError(f"{call!r} is a call of {kind} in a trace of {self.kind}", line)
        self.kind = kind
        if call in ("add", "add_hard", "assume", "add_soft_lit"):
            if len(words) != 1 + (call == "add_soft_lit"):
                more = " and a cost" if call == "add_soft_lit" else ""
                raise ParseError(f"expected {call!r} and a literal{more}", line)
            self.state(call, literal(words[0], line), words[1:], line)
        elif call == "solve":
            self.asks.append(QueryAsk(self.clauses, self.assumed, self.soft))
            self.answers.append(words[0] if words else UNKNOWN)
            self.costs.append(-1)
            self.clauses, self.assumed, self.soft = [], [], []
        elif call in ("val", "failed") and self.answers and self.answers[-1] == UNKNOWN:
            self.answers[-1] = SATISFIABLE if call == "val" else UNSATISFIABLE
        elif call == "val_obj" and self.answers and self.answers[-1] == b"30" and words:
            self.costs[-1] = cost_of(words[0], line)

    def state(self, call: str, p: int, more: list[bytes], line: int) -> None:
        """Take a literal, or the end of a clause."""
        if not p and call in ("assume", "add_soft_lit"):
            raise ParseError(f"{call!r} of the literal 0", line)
        if call == "assume":
            self.assumed.append(p)
        elif call == "add_soft_lit":
            self.soft.append((p, cost_of(more[0], line)))
        elif p:
            self.clause.append(p)
        else:
            self.clauses.append(self.clause)
            self.clause = []

    def expected(self) -> list[int]:
        """Return the answer to each ask, or UNKNOWN."""
        known = OPTIMA if self.kind == "IPAMIR" else ANSWERS
        return [known.get(answer, UNKNOWN) if isinstance(answer, bytes) else answer for answer in self.answers]


def cost_of(word: bytes, line: int) -> int:
    """Return the cost that a word is. Raises ParseError."""
    if not word.isdigit() or len(word) > DIGITS or int(word) > MOST_SAVED:
        raise ParseError(f"{brief(word.decode())} is not a cost from 0 to {MOST_SAVED}", line)
    return int(word)


def literal(word: bytes, line: int) -> int:
    """Return the literal that a word is, or the 0 at an end. Raises ParseError."""
    number = integer(word)
    if number is None or abs(number) > MAX_VARIABLES:
        raise ParseError(f"{brief(word.decode())} is not a literal of at most {MAX_VARIABLES}", line)
    return number


def as_inccnf(script: QueryScript) -> str:
    """Return a script as a file of `p inccnf`, which has no soft literals."""
    lines = ["p inccnf"]
    for ask in script.asks:
        lines += [" ".join(map(str, (*clause, 0))) for clause in ask.clauses]
        lines.append(" ".join(map(str, ("a", *ask.assumptions, 0))))
    return "\n".join([*lines, ""])


def as_trace(script: QueryScript) -> str:
    """Return a script as a trace, of IPAMIR's calls if there are soft literals, with the answers that are known."""
    add, known = ("add_hard", OPTIMA) if script.weighted else ("add", ANSWERS)
    lines, said = ["init"], {answer: f"solve {word.decode()}" for word, answer in known.items()}
    for i, (ask, answer) in enumerate(zip(script.asks, script.expected.tolist(), strict=True)):
        lines += [f"{add} {p}" for clause in ask.clauses for p in (*clause, 0)]
        lines += [f"add_soft_lit {p} {cost}" for p, cost in ask.soft]
        lines += [*(f"assume {p}" for p in ask.assumptions), said.get(answer, "solve")]
        if script.weighted and script.costs[i] >= 0:
            lines.append(f"val_obj {script.costs[i]}")
    return "\n".join([*lines, "reset", ""])
