"""Print a search of `native:cdcl` for the best solution: cores and bounds, and solutions of ever lower value."""

from contextlib import suppress
from textwrap import wrap

from backends.contract.answer import Answer, Ask
from backends.native.cdcl.models import compile_kernels
from backends.native.cdcl.optimising import Weighing
from backends.native.optimising.events import Assumed, Core, Counted, Event, Hardened, Improved, Improving
from backends.native.optimising.objective import Cost
from encoders.cnf import BitTable
from encoders.formula import Wcnf
from harness.reporting.writing.printable import printable
from harness.showing.formulas import solution_text
from harness.showing.pencil import BROKEN, DIM, GUESSED, HEAD, NEW, PLAIN, paint
from puzzles.errors import plural
from puzzles.labels import label
from puzzles.objectives import stated
from puzzles.problem import BOOLEAN, Instance, Problem

INDENT = 9
MOST_NAMED = 12  # literals of a core that are named
HELD = "\0"  # a space inside a name, where no line ends


class Stopped(Exception):
    """As many steps were printed as were asked for."""


class SearchNarrator:
    """Printer of events, on a page of `width` characters; `brief` leaves out the names of literals.

    cores  number of each core, by the negations of its literals, as they are counted
    lower  the last bound that was printed
    """

    def __init__(
        self, instance: Instance[Problem], formula: Wcnf, width: int, colour: bool, brief: bool, most: int | None
    ) -> None:
        self.problem, self.width, self.colour, self.brief, self.most = instance.problem, width, colour, brief, most
        self.names: dict[int, str] = literal_names(instance.problem, formula)
        self.cores: dict[tuple[int, ...], int] = {}
        self.steps, self.lower = 0, 0
        soft = len(formula.weights)
        hard = int((formula.hard.clauses == 0).sum())
        size = (
            f"{plural(formula.hard.variables, 'variable')}, {plural(hard, 'hard clause')},"
            f" {plural(soft, 'soft clause')}"
        )
        for line in wrap(f"{printable(instance.name)}: {label(instance.problem)}, {size}", width):
            self.print_line(line, HEAD)
        self.print_line("a bound: no solution is better; a core: soft literals that can't all be true", DIM)

    def tell(self, event: Event) -> None:
        """Print an event. Raises Stopped after the last step that is wanted."""
        match event:
            case Improved(value):
                self.step("BETTER", f"a solution of value {self.value(value)}", NEW)
            case Assumed(weight, number):
                self.step("ASSUME", f"{plural(number, 'soft literal')} of weight {weight:,} or more", GUESSED)
            case Core((), _, _):
                self.step("CORE", "empty: no better solution is left", BROKEN)
            case Core(literals, weight, lower):
                number = len(self.cores) + 1
                false = "one literal is" if len(literals) == 1 else f"one of {len(literals)} literals is"
                costs = f"which costs {weight:,}: bound {self.value(lower)}"
                self.step(f"CORE {number}", f"{false} false, {costs}", BROKEN)
                self.cores[tuple(-literal for literal in literals)], self.lower = number, lower
                self.list_names(literals)
            case Counted(literal, core, k, weight, lower):
                name = f"fewer than {k} of core {self.cores[core]} are false"
                self.names[literal], self.names[-literal] = name, f"at least {k} of core {self.cores[core]} are false"
                raised = f"; bound {self.value(lower)}" if lower > self.lower else ""
                self.step("COUNT", f"new soft literal of weight {weight:,}: {name}{raised}", PLAIN)
                self.lower = lower
            case Hardened(literals):
                soft = plural(len(literals), "soft literal")
                self.step("HARD", f"{soft} that every better solution makes true", PLAIN)
                self.list_names(literals)
            case Improving(below):
                wanted = "a first solution" if below is None else f"a solution better than {self.value(below)}"
                self.step("SEARCH", f"for {wanted}", GUESSED)

    def close(self, answer: Answer | None) -> None:
        """Print how the search ended, and its solution; None if it was stopped."""
        steps = f"{plural(self.steps, 'step')}, {plural(len(self.cores), 'core')}"
        if answer is None:
            self.print_line(f"\nstopped here (--steps): {steps}", HEAD)
            return
        for solution in answer.solutions:
            print(f"\n{solution_text(self.problem, solution)}")
        self.print_line(f"\n{self.ending(answer)}: {steps}, {answer.counters['conflicts']:,} conflicts", HEAD)

    def ending(self, answer: Answer) -> str:
        """Return the result of a search."""
        if not answer.solutions:
            return "no solution" if answer.complete else "time is up without a solution: raise it with -t"
        value = self.value(answer.value or 0)
        if answer.complete:
            return f"optimum {value}"
        bound = "none" if answer.bound is None else self.value(answer.bound)
        return f"time is up at value {value}, bound {bound}: raise it with -t"

    def value(self, number: int) -> str:
        """Return a value as the source states it."""
        assert self.problem.objective is not None
        return f"{stated(self.problem.objective, number):,}"

    def step(self, word: str, text: str, brush: str) -> None:
        """Print a line and count it. Raises Stopped instead, if enough were printed."""
        if self.steps == self.most:
            raise Stopped
        self.steps += 1
        self.print_lines(f"{word:<{INDENT}}", text, brush)

    def list_names(self, literals: tuple[int, ...]) -> None:
        """Print the names of literals, the first ones if there are many."""
        if self.brief:
            return
        names = [named(self.names, literal).replace(" ", HELD) for literal in literals[:MOST_NAMED]]
        more = len(literals) - len(names)
        text = ", ".join(names) + (f", and {more} more" if more else "")
        self.print_lines(" " * INDENT, text)

    def print_lines(self, start: str, text: str, brush: str = PLAIN) -> None:
        """Print a text of one line or more, the first one after a word."""
        for line in wrap(
            text,
            self.width,
            initial_indent=start,
            subsequent_indent=" " * len(start),
            break_long_words=False,
            break_on_hyphens=False,
        ):
            self.print_line(line.replace(HELD, " "), brush)

    def print_line(self, line: str, brush: str = PLAIN) -> None:
        """Print a line in one colour."""
        print(paint(line, brush * len(line), self.colour), flush=True)


def narrate(ask: Ask, narrator: SearchNarrator, formula: Wcnf) -> None:
    """Search for the best solution, and print what happens."""
    compile_kernels()
    answer: Answer | None = None
    with suppress(Stopped):
        answer = Weighing(formula, narrator.tell).ask(ask)
    narrator.close(answer)


def literal_names(problem: Problem, formula: Wcnf) -> dict[int, str]:
    """Return the names of literals: x3, not x3, y=4, bit 0 of z, and in brackets those of soft clauses of several."""
    names: dict[int, str] = {}
    boolean, binary = problem.values == BOOLEAN, isinstance(formula.hard.literal, BitTable)
    for variable, row in zip(problem.variables, formula.hard.literal, strict=True):
        if binary:
            names |= {k: f"bit {i} of {variable}" for i, k in enumerate(row)}
            names |= {-k: f"not bit {i} of {variable}" for i, k in enumerate(row)}
            continue
        for value, literal in zip(problem.values, row, strict=True):
            plain = f"{variable}={value}", f"{variable}!={value}"
            signs = (variable, f"not {variable}") if value == "1" else (f"not {variable}", variable)
            yes, no = signs if boolean else plain
            names.setdefault(literal, yes)
            names.setdefault(-literal, no)
    for literals, own in Cost.of_clauses(formula.soft_rows(), 0, formula.hard.variables)[1].items():
        clause = " or ".join(named(names, literal) for literal in literals)
        names[own], names[-own] = f"({clause})", f"not ({clause})"
    return names


def named(names: dict[int, str], literal: int) -> str:
    """Return the name of a literal, or its number if it is one of the encoding's own."""
    return names.get(literal, f"literal {literal}")
