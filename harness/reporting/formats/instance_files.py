"""Instances as files that other programs read: DIMACS, WCNF, OPB, XCSP3 as `dimacs:` and the like get them; SMT-LIB."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from backends.shared.literal_map import LiteralMap
from encoders.dimacs import body, dimacs
from encoders.direct import constraints
from encoders.formula import Cnf, Unsupported, Wcnf
from encoders.opb import opb
from encoders.registry import refuse_unread, spec
from encoders.smt import script
from encoders.smt.objectives import goal_of
from encoders.smt.script import disjunction
from encoders.wcnf import shared_lines, wcnf
from encoders.xcsp3 import xcsp3
from harness.reporting.printable import printable
from puzzles.boards.layout import Layout
from puzzles.problem import BOOLEAN, Instance
from puzzles.problem.values import bits

ENCODING = "extended"  # of clauses, where none is named


def instance_text(
    puzzle: Instance[Any], to: str, encoding: str = ENCODING, comments: Sequence[str] = ()
) -> tuple[bytes, list[str]]:
    """Return an instance as a file of a format of FORMATS, and notes on what the file can't state.

    `encoding` is that of clauses. Raises Unsupported, and NoEncoding for an unknown encoding.
    """
    notes = list[str]()
    return FORMATS[to](puzzle, encoding, comments, notes), notes


def opb_text(puzzle: Instance[Any], encoding: str, comments: Sequence[str], notes: list[str]) -> bytes:
    """Return an instance as OPB; comments follow its first line, which some solvers need first."""
    refuse_unread(puzzle.problem)
    text = opb(constraints(puzzle.problem, puzzle.domains), puzzle.domains)
    first, end, rest = text.partition(b"\n")
    return first + end + "".join(f"* {line}".rstrip() + "\n" for line in comments).encode() + rest


def xcsp3_text(puzzle: Instance[Any], encoding: str, comments: Sequence[str], notes: list[str]) -> bytes:
    """Return an instance as XCSP3; comments come first."""
    refuse_unread(puzzle.problem)
    lines = "".join(f"<!-- {line.replace('--', '- -')} -->\n" for line in comments)
    return lines.encode() + xcsp3(constraints(puzzle.problem, puzzle.domains), puzzle.domains)


def clause_formula(puzzle: Instance[Any], encoding: str) -> tuple[Cnf | Wcnf, str]:
    """Return the formula of an encoding that makes clauses, and the encoding's name. Raises Unsupported."""
    chosen = spec(encoding)
    formula = chosen.formula(puzzle.problem, puzzle.domains)
    if not isinstance(formula, Cnf | Wcnf):
        raise Unsupported(
            f"encoding {encoding!r} makes no clauses, so it has no DIMACS form: see `list --encodings`, formula Cnf"
        )
    return formula, chosen.name


def dimacs_text(puzzle: Instance[Any], encoding: str, comments: Sequence[str], notes: list[str]) -> bytes:
    """Return the formula and unit clauses as DIMACS, literals explained in comments. Raises Unsupported."""
    formula, name = clause_formula(puzzle, encoding)
    if not isinstance(formula, Cnf):
        raise Unsupported(
            f"{puzzle.name}: DIMACS has no objective: --to wcnf writes it, and --ignore-objective leaves it out"
        )
    lines = (*comments, *explanation(puzzle, formula, name))
    return dimacs(formula, body(formula), unit_clauses(puzzle, formula), lines)


def wcnf_text(puzzle: Instance[Any], encoding: str, comments: Sequence[str], notes: list[str]) -> bytes:
    """Return the formula with its soft clauses as WCNF, with a note on what weights can't state. Raises Unsupported."""
    formula, name = clause_formula(puzzle, encoding)
    hard, goal = formula.hard if isinstance(formula, Wcnf) else formula, puzzle.problem.objective
    lines = [*comments, *explanation(puzzle, hard, name)]
    if isinstance(formula, Wcnf) and goal is not None and (formula.offset or goal.maximise):
        constant = f"{-formula.offset} -" if goal.maximise else f"{formula.offset} +"
        value = f"value = {constant} weights of the soft clauses that are false"
        lines.append(value)
        notes.append(f"{puzzle.name}: {value}")
    return wcnf(formula, shared_lines(formula), unit_clauses(puzzle, hard), lines)


def smt2_text(puzzle: Instance[Any], encoding: str, comments: Sequence[str], notes: list[str]) -> bytes:
    """Return an instance as an SMT-LIB script over integers, with `minimize` as Z3 and OptiMathSAT read it."""
    refuse_unread(puzzle.problem)
    form = constraints(puzzle.problem, puzzle.domains)
    made = script(replace(form, objective=None))
    for x, mask in enumerate(puzzle.domains):
        numbers = [form.numbers[v] for v in bits(mask)]
        if tuple(numbers) != tuple(made.domains[x]):
            made.require(disjunction(made.takes(x, n) for n in numbers))
    if form.objective is not None:
        made.lines.append(f"(minimize {goal_of(made, form.objective).text})")
    lines = [*comments, *(f"v{x} is {name}" for x, name in enumerate(puzzle.problem.variables) if name != f"v{x}")]
    first = "".join(f"; {printable(line)}".rstrip() + "\n" for line in lines)
    return f"{first}{made.text()}(check-sat)\n(get-model)\n".encode()


Write = Callable[[Instance[Any], str, Sequence[str], list[str]], bytes]
FORMATS: dict[str, Write] = {
    "dimacs": dimacs_text,
    "wcnf": wcnf_text,
    "opb": opb_text,
    "xcsp3": xcsp3_text,
    "smt2": smt2_text,
}


def unit_clauses(puzzle: Instance[Any], formula: Cnf) -> list[list[int]]:
    """Return the domains of an instance as clauses."""
    return [[x] for x in LiteralMap(formula.literal).true(puzzle.domains)]


def explanation(puzzle: Instance[Any], formula: Cnf, encoding: str) -> Iterator[str]:
    """Yield the meaning of literals: a line per variable, or a single line if Boolean variables keep their numbers."""
    problem = puzzle.problem
    board = isinstance(problem, Layout)
    if problem.values == BOOLEAN and not board:
        first = f"{puzzle.name}: its variables are 1 to {len(problem.variables)}"
        yield printable(first + ", those above are auxiliary" * (formula.variables > len(problem.variables)))
        return
    yield printable(f"{puzzle.name}: {problem.name + ', ' if board else ''}encoding {encoding}")
    yield printable(f"each {'square' if board else 'variable'}, and its literals for {' '.join(problem.values)}")
    for name, row in zip(problem.variables, formula.literal, strict=True):
        yield printable(f"{name} {' '.join(map(str, row))}")
