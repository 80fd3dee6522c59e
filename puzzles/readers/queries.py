"""Reader and writers of query scripts: clauses and asks under assumptions, in turn.

    p inccnf            clauses, and a line `a LITERALS 0` for each ask
    1 -2 0
    a 2 0

    init                CaDiCaL's trace of its calls (CADICAL_API_TRACE): `add` and `assume` a literal, `solve`
    add 1               a number after `solve`, 10 or 20, is the answer; else `val` after it tells that there was a
    add 0               model, and `failed` that there was none
    assume -1
    solve

Other calls of a trace, such as options, do not change answers, and are ignored; `constrain` does, and is refused.
"""

from collections.abc import Iterator
from typing import BinaryIO

from puzzles.errors import ParseError, brief
from puzzles.objectives.asks import QueryAsk
from puzzles.objectives.queries import SATISFIABLE, UNKNOWN, UNSATISFIABLE, QueryScript, problem_of
from puzzles.problem import Instance, Problem
from puzzles.readers.cnf import MAX_VARIABLES
from puzzles.readers.integers import integer
from puzzles.readers.refusal import Refusal, refused
from puzzles.readers.source import Source, lines_of

REFUSED = {"constrain": "a constraint of one ask", "connect_propagator": "a propagator"}  # calls that change answers
ANSWERS = {b"10": SATISFIABLE, b"20": UNSATISFIABLE}
MAX_VALUES = 1 << 25  # of a solution


def read_queries(file: BinaryIO, source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError at source.line, BadInput, OSError."""
    source.exact = False  # no other program reads it
    words = ((number, text.encode().split()) for number, text in lines_of(file, source))
    rows = ((number, row) for number, row in words if row)
    _, first = next((number, row) for number, row in rows if row[0][:1] != b"c")
    if first[0] != b"init":
        uncommented = ((number, row) for number, row in rows if row[0][:1] != b"c")
        return instance_of(list(read_inccnf(uncommented, source)), [], source)
    return instance_of(*read_trace(rows, source), source)


def instance_of(asks: list[QueryAsk], answers: list[int], source: Source) -> Instance[Problem]:
    """Return the instance of a script, with the number of satisfiable asks if it is known, negated."""
    if not asks:
        raise ParseError("a query script without an ask: no line 'a ... 0' or 'solve'", source.line)
    script = QueryScript.of(asks, expected=answers)
    if script.cells > MAX_VALUES:
        part = f"{len(script)} asks of {script.variables} variables"
        return refused(source, Refusal([part]), f"their answers are {script.cells} values, of at most {MAX_VALUES}")
    if script.every > 1:
        source.note(f"its models are many: those of each {script.every}th ask are stored and judged")
    kept = script.expected[script.every - 1 :: script.every]
    optimum = None if UNKNOWN in kept else -int((kept == SATISFIABLE).sum())
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


def read_trace(rows: Iterator[tuple[int, list[bytes]]], source: Source) -> tuple[list[QueryAsk], list[int]]:
    """Return the asks of a trace after its `init`, and the answer to each, or UNKNOWN. Raises ParseError."""
    asks, answers = list[QueryAsk](), list[int]()
    clauses, clause, assumed = list[list[int]](), list[int](), list[int]()
    for source.line, row in rows:
        call = row[0].decode()
        if call in REFUSED:
            raise ParseError(f"{call!r}: {REFUSED[call]} is not read", source.line)
        if call in ("add", "assume"):
            if len(row) != 2:
                raise ParseError(f"expected {call!r} and a literal", source.line)
            p = literal(row[1], source.line)
            if call == "assume":
                assumed.append(p)
            elif p:
                clause.append(p)
            else:
                clauses.append(clause)
                clause = []
        elif call == "solve":
            asks.append(QueryAsk(clauses, assumed))
            answers.append(ANSWERS.get(row[-1], UNKNOWN))
            clauses, assumed = [], []
        elif call in ("val", "failed") and answers and answers[-1] == UNKNOWN:
            answers[-1] = SATISFIABLE if call == "val" else UNSATISFIABLE
    return asks, answers


def literal(word: bytes, line: int) -> int:
    """Return the literal that a word is, or the 0 at an end. Raises ParseError."""
    number = integer(word)
    if number is None or abs(number) > MAX_VARIABLES:
        raise ParseError(f"{brief(word.decode())} is not a literal of at most {MAX_VARIABLES}", line)
    return number


def as_inccnf(script: QueryScript) -> str:
    """Return a script as a file of `p inccnf`."""
    lines = ["p inccnf"]
    for ask in script.asks:
        lines += [" ".join(map(str, (*clause, 0))) for clause in ask.clauses]
        lines.append(" ".join(map(str, ("a", *ask.assumptions, 0))))
    return "\n".join([*lines, ""])


def as_trace(script: QueryScript) -> str:
    """Return a script as CaDiCaL's trace, with the answers that are known."""
    lines, said = ["init"], {answer: f"solve {word.decode()}" for word, answer in ANSWERS.items()}
    for ask, answer in zip(script.asks, script.expected.tolist(), strict=True):
        lines += [f"add {p}" for clause in ask.clauses for p in (*clause, 0)]
        lines += [*(f"assume {p}" for p in ask.assumptions), said.get(answer, "solve")]
    return "\n".join([*lines, "reset", ""])
