"""Answers of `harness.solve` and of its relatives: judged, by the names of variables, drawn when printed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from backends.contract.answer import Reason
from harness.commands import solve as verb
from harness.interface.display import TableText
from harness.interface.drawn_board import board_html, pre, sentence
from harness.model.outcome import counted_status
from harness.showing import pencil, squares
from harness.showing.axes import drawn
from harness.showing.formulas import solution_text
from harness.showing.pencil import candidates_text
from puzzles.boards.board import Board
from puzzles.boards.layout import Layout
from puzzles.objectives import stated
from puzzles.problem import Instance, Problem
from puzzles.problem.declared import INTRODUCED, assignment
from puzzles.problem.values import Integers, bits

NO_NAMES: Mapping[str, str] = {}


class SolveResult:
    """Answer to one instance, judged.

    verdict    of the judge, as in journals: "correct", "uncertified" (what the contender claims and nobody has
               confirmed: that there is no solution, no other or no better one), "unknown", "wrong", "error", or
               "corpus_wrong" (the source of the instance claims what is refuted)
    status     "satisfiable", "unsatisfiable" or "unknown", as the contender says; `reason` says why it is unknown
    values     value of each variable by name, of the first solution; empty without one. `result["A1"]` is one of them,
               and so is `result[x]` for a variable of the model, or a literal
    solutions  all solutions found, each as `values`
    complete   True if the contender claims that there are no others, or none that is better
    value      value of the objective, as the source states it; None without one
    seconds    wall time, with encoding and decoding
    decisions, conflicts  what the backend counted, None if it counts none
    fault      what the judge found wrong with the answer, "" if nothing

    It is true if there is a solution. Printed, and in a notebook, it is drawn.
    """

    def __init__(self, solved: verb.SolvedOnce, names: Mapping[str, str] = NO_NAMES) -> None:
        """Take an answer; `names` are those of a model's variables by their names in its file, as in ModelInstance."""
        row = solved.row
        self.verdict = solved.verdict.name.lower()
        self.instance, self.contender = solved.puzzle.name, solved.contender.name
        self.status, self.reason = counted_status(row).name.lower(), Reason(row["reason"]).name.lower()
        self.complete, self.seconds = bool(row["complete"]), float(row["wall"]) / 1e9
        self.decisions, self.conflicts = (
            int(n) if (n := row[name]) >= 0 else None for name in ("decisions", "conflicts")
        )
        self.fault = solved.fault()
        self._puzzle, self._found = solved.puzzle, solved.outcomes.solutions.tolist()
        self._names = names
        self.solutions = [named(solved.puzzle.problem, solution, names) for solution in self._found]
        self.values: dict[str, Any] = self.solutions[0] if self.solutions else {}
        goal, best = solved.puzzle.problem.objective, solved.best
        known = best.quality.values[0] if goal is not None and best is not None and self.solutions else None
        self.value = None if known is None or goal is None else stated(goal, known)
        self._sentence = f"{solved.puzzle.name}: {solved.contender.name}: {solved.sentence()}"

    def __bool__(self) -> bool:
        return bool(self.solutions)

    def __getitem__(self, variable: Any) -> Any:
        """Return the value of a variable in the first solution, by its name or as an object of its package."""
        name, negated = name_of_variable(variable, self._names)
        if name not in self.values:
            raise KeyError(f"{name!r} is no variable of {self.instance}" if self.values else "there is no solution")
        value = self.values[name]
        return 1 - value if negated else value

    def __repr__(self) -> str:
        texts = [solution_text(self._puzzle.problem, solution) for solution in self._found]
        return "\n\n".join([*texts, self._sentence])

    def _repr_html_(self) -> str:
        return "".join([*(self._drawn(solution) for solution in self._found), sentence(self._sentence)])

    def _drawn(self, solution: Sequence[int]) -> str:
        problem, domains = self._puzzle.problem, self._puzzle.domains
        if problem.ranged:
            return pre(solution_text(problem, solution))
        texts = texts_of(problem, [1 << v for v in solution])
        given = [domain.bit_count() == 1 for domain in domains]
        return board_html(problem, texts, given) or pre(solution_text(problem, solution))


@dataclass(frozen=True)
class Improvement:
    """A solution that is better than all before it, checked when it was reported.

    value    of the objective, as the source states it, and as the judge evaluates it
    values   value of each variable by name
    seconds  wall time since the ask began
    bound    a value that no solution beats, as the contender states it; None while it states none
    """

    value: int
    values: Mapping[str, Any]
    seconds: float
    bound: int | None


class Candidates(dict[str, tuple[Any, ...]]):
    """Candidates of each square by its name, after propagation; drawn when printed.

    contradiction  True if propagation stopped at one: the board has no solution; `why` tells where it is
    units          the units of each square: `board.units["C2"]` is its row, its column and its box, as names of squares
    peers          the squares in the same units, as a set of names
    size           number of ways to fill the squares with these candidates
    instance       the board, for `harness.solve` and the other functions
    """

    def __init__(
        self, problem: Layout, domains: Sequence[int], contradiction: bool, instance: Instance[Layout] | None = None
    ) -> None:
        super().__init__(
            (name, tuple(number(problem, v) for v in bits(mask)))
            for name, mask in zip(problem.squares, domains, strict=True)
        )
        self.contradiction = contradiction
        self.why = (pencil.contradiction(problem, domains) or "") if contradiction else ""
        self.size = prod(mask.bit_count() for mask in domains)
        self.instance = instance or Instance(problem.name, problem, tuple(domains))
        self._problem, self._domains = problem, tuple(domains)
        names = problem.squares
        self.units = {
            name: tuple(tuple(names[p] for p in unit) for _, unit in squares.units_of(problem, s))
            for s, name in enumerate(names)
        }
        self.peers = {name: frozenset(p for u in self.units[name] for p in u) - {name} for name in names}

    def square(self, name: str) -> TableText:
        """Return the units of a square drawn on the board, and its peers. Raises BadUsage without such a square."""
        text = squares.square_text(self.instance, name)
        s = self._problem.squares.index(text.partition(" ")[0])
        near = {p: title[0] for title, unit in squares.units_of(self._problem, s) for p in unit} | {s: "a"}
        given = [d.bit_count() == 1 for d in self.instance.domains]
        texts = [
            t if g else near.get(p, ".")
            for p, (t, g) in enumerate(zip(pencil.given_texts(self.instance), given, strict=True))
        ]
        return TableText(text, board_html(self._problem, texts, given, set(near)) or pre(text))

    def _texts(self) -> list[str]:
        """Return the text of each square: its candidates, of a board as it is given a dot where it is open."""
        if self._domains == self.instance.domains:
            return list(pencil.given_texts(self.instance))
        return texts_of(self._problem, self._domains)

    def __repr__(self) -> str:
        board = drawn(self._problem, self._texts())
        return f"{board}\n\n{pencil.no_solution(self.why)}" if self.why else board

    def _repr_html_(self) -> str:
        decided = [mask.bit_count() == 1 for mask in self._domains]
        broken = sentence(pencil.no_solution(self.why)) if self.why else ""
        board = board_html(self._problem, self._texts(), decided)
        return board + broken if board else pre(repr(self))


def named(problem: Problem, solution: Sequence[int], names: Mapping[str, str] = NO_NAMES) -> dict[str, Any]:
    """Return the value of each name: a number where it is one, a set, None if absent. Of a model, only its own.

    A stored solution lacks the constants of a problem, which are its last variables.
    """
    own = set(names.values())
    shown: Iterable[tuple[str, Any]]
    if problem.declared and max(solution, default=0) < len(problem.values):
        shown = assignment(problem, solution)
    else:
        shown = ((x, number(problem, v)) for x, v in zip(problem.variables, solution, strict=False))
    return {x: value for x, value in shown if not ((own and x not in own) or INTRODUCED.fullmatch(x))}


def name_of_variable(variable: Any, names: Mapping[str, str]) -> tuple[str, bool]:
    """Return the name of a variable of the caller, and True for a negated literal.

    variable  its name; an integer of python-sat; a variable or literal of OR-Tools, by its index; one of CPMpy
    """
    if isinstance(variable, str):
        return variable, False
    if isinstance(variable, int):
        return f"x{abs(variable)}", variable < 0
    if isinstance(index := getattr(variable, "index", None), int):
        return names.get(f"v{index if index >= 0 else -index - 1}", ""), index < 0
    plain = getattr(variable, "_bv", variable)
    return str(getattr(plain, "name", plain)), plain is not variable


def number(problem: Problem, v: int) -> Any:
    """Return a value: an integer if it is a number, else its symbol; None for no value of the problem."""
    if v >= len(problem.values):
        return None
    if isinstance(problem.values, Integers):
        return problem.values.numbers[v]
    return int(problem.values[v]) if problem.values[v].isdecimal() else problem.values[v]


def texts_of(problem: Problem, domains: Sequence[int]) -> list[str]:
    """Return the text of each square of a board: its candidates, without blanks where that is clear."""
    if isinstance(problem, Layout):
        return [candidates_text(problem, mask) for mask in domains]
    symbols = problem.symbols if isinstance(problem, Board) else problem.values
    return [" ".join(symbols[v] for v in bits(mask) if v < len(symbols)) for mask in domains]
