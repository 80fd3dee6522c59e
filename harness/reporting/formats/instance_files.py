"""Instances as files that other programs read, block by block, and the map of their variables.

DIMACS, WCNF, OPB, XCSP3 and FlatZinc are as programs get them, LP, MiniZinc and SMT-LIB for other solvers.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from backends.programs.fzn.files import flatzinc_blocks
from backends.shared.literal_map import literal_map
from encoders import dimacs, wcnf
from encoders.clause_text import ClauseStyle, clause_lines, without_clauses
from encoders.cnf import BitTable, Signs
from encoders.direct import constraints
from encoders.formula import Cnf, Constraints, Unsupported, Wcnf
from encoders.integer_program import LP_NAME, MPS_NAME, has_own_columns, integer_program, lp_lines, mps_lines
from encoders.lp import lp_blocks
from encoders.minizinc import model_blocks
from encoders.opb import opb_blocks
from encoders.registry import refuse_unread, spec
from encoders.smt import script
from encoders.smt.objectives import goal_of
from encoders.xcsp3 import xcsp3_blocks
from encoders.zero_one.rows import literal_table
from harness.reporting.formats.variable_maps import VariableMap
from harness.reporting.writing.printable import printable
from puzzles.boards.layout import Layout
from puzzles.objectives.queries import QueryScript
from puzzles.problem import BOOLEAN, Instance, Problem
from puzzles.problem.values import Domains, Numbered
from puzzles.readers.queries import as_inccnf, as_trace

ENCODING = "extended"  # of clauses, where none is named
ASSERTION = ClauseStyle(
    start="(assert (or ",
    end="))\n",
    empty="(assert false)\n",
    true="v",
    false="(not v",
    after_false=")",
    unit_start="(assert ",
    unit_end=")\n",
    shift=1,
)  # of a clause
Blocks = Iterator[bytes]


@dataclass
class InstanceFile:
    """A file of an instance: its content in blocks, the map of its variables, and notes on what it can't state."""

    blocks: Iterable[bytes]
    map: VariableMap
    notes: list[str] = field(default_factory=list)


def instance_file(
    puzzle: Instance[Any], to: str, encoding: str = ENCODING, comments: Sequence[str] = ()
) -> InstanceFile:
    """Return an instance as a file of a format of FORMATS; `encoding` is that of clauses.

    Raises Unsupported, and NoEncoding for an unknown encoding.
    """
    script = puzzle.problem.objective
    if isinstance(script, QueryScript) != (to in SCRIPTS):
        written = "a query script is written" if to not in SCRIPTS else "only a query script is written"
        raise Unsupported(f"{puzzle.name}: {written} --to {' or '.join(SCRIPTS) if to not in SCRIPTS else to}")
    if isinstance(script, QueryScript):
        if script.model is not None:
            raise Unsupported(f"{puzzle.name}: a query script over a model is not written: its file is one already")
        if script.weighted and to == "icnf":
            raise Unsupported(f"{puzzle.name}: p inccnf has no soft literals: --to trace writes them")
        asked = Problem(puzzle.name, Numbered("x", script.variables), BOOLEAN, ())
        variables = VariableMap(Instance(puzzle.name, asked, asked.open), to, Signs(script.variables))
        return InstanceFile([SCRIPTS[to](script).encode()], variables)
    if to in CLAUSAL:
        return CLAUSAL[to](puzzle, encoding, comments)
    refuse_unread(puzzle.problem)
    form = constraints(puzzle.problem, puzzle.domains)
    blocks = WRITTEN[to](form, puzzle.domains, comments)
    names: Sequence[object] = literal_table(form, puzzle.domains) if to in ZERO_ONE else "v"
    if to in PROGRAMS and (columns := own_columns_of(form, puzzle.domains, to)):
        names = columns
    return InstanceFile(blocks, VariableMap(puzzle, to, names))


def instance_text(
    puzzle: Instance[Any], to: str, encoding: str = ENCODING, comments: Sequence[str] = ()
) -> tuple[bytes, list[str]]:
    """Return the text of `instance_file`, and its notes."""
    made = instance_file(puzzle, to, encoding, comments)
    return b"".join(made.blocks), made.notes


def clause_formula(puzzle: Instance[Any], encoding: str) -> tuple[Cnf | Wcnf, str]:
    """Return the formula of an encoding that makes clauses, and the encoding's name. Raises Unsupported."""
    chosen = spec(encoding)
    formula = chosen.formula(puzzle.problem, puzzle.domains)
    if not isinstance(formula, Cnf | Wcnf):
        raise Unsupported(
            f"encoding {encoding!r} makes no clauses, so it has no DIMACS form: see `list --encodings`, formula Cnf"
        )
    return formula, chosen.name


def dimacs_file(puzzle: Instance[Any], encoding: str, comments: Sequence[str]) -> InstanceFile:
    """Return the formula and unit clauses as DIMACS, literals explained in comments. Raises Unsupported."""
    formula, name = clause_formula(puzzle, encoding)
    if not isinstance(formula, Cnf):
        raise Unsupported(
            f"{puzzle.name}: DIMACS has no objective: --to wcnf writes it, and --ignore-objective leaves it out"
        )
    shared = dimacs.clause_lines(formula)
    head = dimacs.head(formula, unit_clauses(puzzle, formula), (*comments, *explanation(puzzle, formula, name)))
    return InstanceFile(chain([head], shared), VariableMap(puzzle, "dimacs", formula.literal, name))


def wcnf_file(puzzle: Instance[Any], encoding: str, comments: Sequence[str]) -> InstanceFile:
    """Return the formula with its soft clauses as WCNF, with a note on what weights can't state. Raises Unsupported."""
    formula, name = clause_formula(puzzle, encoding)
    hard, goal = formula.hard if isinstance(formula, Wcnf) else formula, puzzle.problem.objective
    lines, notes = [*comments, *explanation(puzzle, hard, name)], list[str]()
    made = VariableMap(puzzle, "wcnf", hard.literal, name)
    if isinstance(formula, Wcnf) and goal is not None and (formula.offset or goal.maximise):
        made = replace(
            made, times=-1 if goal.maximise else 1, plus=-formula.offset if goal.maximise else formula.offset
        )
        value = f"value = {made.plus} {'-' if goal.maximise else '+'} weights of the soft clauses that are false"
        lines.append(value)
        notes.append(f"{puzzle.name}: {value}")
    shared = wcnf.line_blocks(formula)
    return InstanceFile(chain([wcnf.head(formula, unit_clauses(puzzle, hard), lines)], shared), made, notes)


def with_comments(blocks: Blocks, comments: Sequence[str], begin: str, end: str = "") -> Blocks:
    """Return a file after lines of comments."""
    return chain(["".join(f"{begin}{line}".rstrip() + f"{end}\n" for line in comments).encode()], blocks)


def opb_text(form: Constraints, domains: Domains, comments: Sequence[str]) -> Blocks:
    """Return an OPB file; comments follow its first line, which some solvers need first."""
    blocks = opb_blocks(form, domains)
    first, end, rest = next(blocks).partition(b"\n")
    return chain([first + end], with_comments(chain([rest], blocks), comments, "* "))


def xcsp3_text(form: Constraints, domains: Domains, comments: Sequence[str]) -> Blocks:
    lines = [line.replace("--", "- -") for line in comments]
    return with_comments(xcsp3_blocks(form, domains), lines, "<!-- ", " -->")


def lp_text(form: Constraints, domains: Domains, comments: Sequence[str]) -> Blocks:
    """Return an LP file: with the columns of an integer program, else over Booleans."""
    own = isinstance(form.names, tuple) and has_own_columns(form, domains)
    blocks = iter([joined(lp_lines(integer_program(form, domains, LP_NAME)))]) if own else lp_blocks(form, domains)
    return with_comments(blocks, comments, "\\ ")


def mps_text(form: Constraints, domains: Domains, comments: Sequence[str]) -> Blocks:
    return with_comments(iter([joined(mps_lines(integer_program(form, domains, MPS_NAME)))]), comments, "* ")


def own_columns_of(form: Constraints, domains: Domains, to: str) -> list[str]:
    """Return the columns of an LP or MPS file that are the variables; empty if it has Booleans."""
    if not has_own_columns(form, domains) or (to == "lp" and not isinstance(form.names, tuple)):
        return []
    return integer_program(form, domains, PROGRAMS[to]).names[: len(domains)]


def joined(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def minizinc_text(form: Constraints, domains: Domains, comments: Sequence[str]) -> Blocks:
    return with_comments(model_blocks(form, domains), comments, "% ")


def flatzinc_text(form: Constraints, domains: Domains, comments: Sequence[str]) -> Blocks:
    return with_comments(flatzinc_blocks(form, domains), comments, "% ")


def smt2_text(form: Constraints, domains: Domains, comments: Sequence[str]) -> Blocks:
    """Return an SMT-LIB script over integers, with `minimize` as Z3 and OptiMathSAT read it."""
    rest, flat = without_clauses(replace(form, objective=None))
    made = script(rest)
    for x, mask in enumerate(domains):
        numbers = form.members(mask)
        if numbers != made.domains[x]:
            made.require(made.given(x, numbers))
    last = list[str]()
    if form.objective is not None:
        goal, maximise = goal_of(made, form.objective).text, form.objective.maximise
        last.append(f"(maximize (- {goal}))" if maximise else f"(minimize {goal})")
    lines = [*comments, *meanings(form.names)]
    end = "".join(f"{line}\n" for line in (*last, "(check-sat)", "(get-model)"))
    blocks = chain([made.text().encode()], clause_lines(flat, ASSERTION), [end.encode()])
    return with_comments(blocks, [printable(line) for line in lines], "; ")


def meanings(names: Sequence[str]) -> Iterator[str]:
    """Yield what the variables v0, v1, ... of a script stand for."""
    if isinstance(names, Numbered):
        yield f"v0 to v{len(names) - 1} are {names.prefix}1 to {names.prefix}{len(names)}"
    else:
        yield from (f"v{x} is {name}" for x, name in enumerate(names) if name != f"v{x}")


CLAUSAL: dict[str, Callable[[Instance[Any], str, Sequence[str]], InstanceFile]] = {
    "dimacs": dimacs_file,
    "wcnf": wcnf_file,
}
WRITTEN: dict[str, Callable[[Constraints, Domains, Sequence[str]], Blocks]] = {
    "opb": opb_text,
    "xcsp3": xcsp3_text,
    "mzn": minizinc_text,
    "fzn": flatzinc_text,
    "smt2": smt2_text,
    "lp": lp_text,
    "mps": mps_text,
}
SCRIPTS: dict[str, Callable[[QueryScript], str]] = {"icnf": as_inccnf, "trace": as_trace}
PROGRAMS = {"lp": LP_NAME, "mps": MPS_NAME}  # formats of integer programs, and names of columns that they take
ZERO_ONE = ("opb", "lp", "mps")  # formats with a Boolean for each value
SUFFIXES = {
    "dimacs": ".cnf",
    "wcnf": ".wcnf",
    "opb": ".opb",
    "xcsp3": ".xml",
    "mzn": ".mzn",
    "fzn": ".fzn",
    "smt2": ".smt2",
    "lp": ".lp",
    "mps": ".mps",
    **{name: f".{name}" for name in SCRIPTS},
}
FORMATS = (*CLAUSAL, *WRITTEN)


def unit_clauses(puzzle: Instance[Any], formula: Cnf) -> list[list[int]]:
    """Return the domains of an instance as clauses."""
    return [[x] for x in literal_map(formula.literal).true(puzzle.domains)]


def explanation(puzzle: Instance[Any], formula: Cnf, encoding: str) -> Iterator[str]:
    """Yield the meaning of literals: a line per variable, or a single line if Boolean variables keep their numbers."""
    problem = puzzle.problem
    board = isinstance(problem, Layout)
    if problem.values == BOOLEAN and not board:
        first = f"{puzzle.name}: its variables are 1 to {len(problem.variables)}"
        yield printable(first + ", those above are auxiliary" * (formula.variables > len(problem.variables)))
        return
    yield printable(f"{puzzle.name}: {problem.name + ', ' if board else ''}encoding {encoding}")
    if isinstance(formula.literal, BitTable):
        yield "each variable, its least number, and the literals of the binary digits that are added to it, least first"
        for name, least, row in zip(problem.variables, formula.literal.first, formula.literal, strict=True):
            yield printable(f"{name} {problem.values[least]} {' '.join(map(str, row))}")
        return
    yield printable(f"each {'square' if board else 'variable'}, and its literals for {' '.join(problem.values)}")
    for name, row in zip(problem.variables, formula.literal, strict=True):
        yield printable(f"{name} {' '.join(map(str, row))}")
