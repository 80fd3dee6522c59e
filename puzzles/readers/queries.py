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

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from puzzles.errors import ParseError, brief
from puzzles.objectives.asks import QueryAsk
from puzzles.objectives.exact import numbers_of_values
from puzzles.objectives.queries import MOST_SAVED, UNKNOWN, QueryScript, problem_of
from puzzles.problem import Instance, Problem
from puzzles.readers.refusal import Refusal, refused
from puzzles.readers.source import Source, lines_of
from puzzles.readers.traces import ANSWERS, OPTIMA, Trace, literal

MAX_VALUES = 1 << 25  # of a solution


def read_queries(file: BinaryIO, source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError at source.line, BadInput, OSError."""
    source.exact = False  # no other program reads it
    words = ((number, text.encode().split()) for number, text in lines_of(file, source))
    rows = ((number, row) for number, row in words if row)
    _, first = next((number, row) for number, row in rows if row[0][:1] != b"c")
    if first[0] != b"init":
        uncommented = ((number, row) for number, row in rows if row[0][:1] != b"c")
        return instance_of(QueryScript.of(read_inccnf(uncommented, source)), source)
    trace = Trace()
    for source.line, row in rows:
        trace.take(row[0].decode(), row[1:], source.line)
    script = QueryScript.of(trace.asks, expected=trace.expected(), costs=trace.costs)
    return instance_of(script, source)


def instance_of(script: QueryScript, source: Source) -> Instance[Problem]:
    """Return the instance of a script, with the best value if the answers tell it. Raises ParseError, BadInput."""
    if not len(script):
        raise ParseError("a query script without an ask: no line 'a ... 0' or 'solve'", source.line)
    if len(script) + sum(script.totals) > MOST_SAVED:
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


def model_script(found: Instance[Problem], asks: list[tuple[int, str]], source: Source) -> Instance[Problem]:
    """Return the script of a model and the lines of its asks, `%: ask LITERALS 0`, with 10 or 20 as an answer.

    A literal is the name of a variable that takes 0 and 1, perhaps after a minus. Raises ParseError, BadInput.
    """
    problem, index = found.problem, {name: x for x, name in enumerate(found.problem.variables, 1)}
    lacking = "an objective" if problem.objective is not None else "wide ranges" if problem.ranged else ""
    if lacking or len(problem.values) < 2:
        return refused(source, Refusal([f"asks of a model with {lacking or 'one value'}"]))
    numbers = numbers_of_values(problem)
    zero_one = sum(1 << v for v, number in enumerate(numbers) if number in (0, 1))
    found_asks, answers = list[QueryAsk](), list[int]()
    for source.line, text in asks:
        word, *literals, end = text.split()
        answer = UNKNOWN if end == "0" else ANSWERS.get(end.encode(), -1)
        if end != "0":
            *literals, end = literals or [""]
        if word != "ask" or end != "0" or answer < 0:
            raise ParseError("expected '%: ask', literals, 0, and perhaps 10 or 20", source.line)
        for name in (p.removeprefix("-") for p in literals):
            if name not in index or found.domains[index[name] - 1] & ~zero_one:
                raise ParseError(f"{brief(name)} is no variable of 0 and 1 of this model", source.line)
        found_asks.append(QueryAsk([], [-index[p[1:]] if p[0] == "-" else index[p] for p in literals]))
        answers.append(answer)
    script = QueryScript.of(found_asks, len(index), answers)
    return instance_of(replace(script, model=problem, domains=found.domains), source)


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
