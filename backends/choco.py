"""Choco by its Python package: constraint programming with its own constraints, default search and one thread.

A problem is flattened once (`backends/flat/`); each ask posts the program to a fresh model with the domains of the ask.
Several solutions are enumerated in one search. Choco's integers have 32 bits, and its domains end at 21,474,836.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter_ns as now
from typing import Any, Self

from backends.contract.answer import OPTIMISE, Answer, Ask, Phases, Reason, Session, Status
from backends.contract.options import LARGEST_INT, BadOption, Configured, Option, Value
from backends.flat import flatten
from backends.flat.program import FlatProgram, NumberLimits, Terms
from backends.shared.incumbent import Incumbent
from encoders.formula import AllDifferent, Constraints, Formula
from puzzles.packages import version
from puzzles.problem.values import Solution

LIMITS = NumberLimits("choco", 21_474_836, (1 << 31) - 1)
# Searches, as in the names of pychoco's `set_..._search`. In pychoco 0.4.0 those by weighted degrees print, and round
# robin crashes.
SEARCHES = """
activity_based conflict_history failure_length_based failure_rate_based input_order_lb input_order_ub min_dom_lb
min_dom_ub pick_on_dom random
"""
OPTIONS = (
    Option("search", "text", tuple(SEARCHES.split())),
    Option("seed", "int", least=0, most=LARGEST_INT),
)


@dataclass(frozen=True)
class Choco(Configured):
    """The Choco backend."""

    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"count", "domains", OPTIMISE})
    options: tuple[Option, ...] = OPTIONS

    def configured(self, options: Mapping[str, Value]) -> Self:
        if "seed" in options and options.get("search") != "random":
            raise BadOption(f"{self.name}: option 'seed' is of search=random alone")
        return replace(self, chosen=options)

    def open(self, formula: Formula) -> Session:
        return ChocoSession(flatten(formula, LIMITS), self.chosen)


class ChocoSession:
    """One flat program, a fresh model for each ask."""

    def __init__(self, program: FlatProgram, options: Mapping[str, Value]) -> None:
        import pychoco

        self.options = options
        self.model_type = pychoco.Model
        self.program = program
        self.index = program.index
        self.goal = program.goal_variable()

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        if 0 in ask.domains or self.program.refused:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        model = self.model_type("", check_constraints=False)
        posting = ChocoPosting(model, self.program.asked(ask.domains))
        for name, arguments in self.program.posts:
            getattr(posting, name)(*arguments)
        solver, asked = model.get_solver(), posting.variables[: len(ask.domains)]
        self.set_search(solver, posting.variables)
        if self.program.goal is not None:
            if self.goal is not None:
                model.set_objective(posting.variables[self.goal], maximize=False)
            return self.best(ask, solver, asked, begin)
        load, solve, decode = now() - begin, 0, 0
        solutions: dict[Solution, None] = {}
        more = True
        while more and len(solutions) < ask.count:
            start = now()
            solver.limit_time(f"{max(ask.seconds - (start - begin) / 1e9, 0.001):.3f}s")
            more = solver.solve(node_limit=ask.nodes)
            solved = now()
            if more:
                solutions[tuple([self.index(x.get_value()) for x in asked])] = None
            solve, decode = solve + solved - start, decode + now() - solved
        complete = not more and solver.get_search_state() == "TERMINATED"
        found = Status.SATISFIABLE if solutions else Status.UNSATISFIABLE if complete else Status.UNKNOWN
        reason = Reason.NONE if more or complete else Reason.TIMEOUT
        return Answer(found, tuple(solutions), complete, reason, counted(solver), Phases(0, load, solve, decode))

    def best(self, ask: Ask, solver: Any, asked: Sequence[Any], begin: int) -> Answer:
        """Return the answer of a search in which each solution is better than those before."""
        loaded, found, more = now(), Incumbent(ask), True
        while more:
            solver.limit_time(f"{max(ask.seconds - (now() - begin) / 1e9, 0.001):.3f}s")
            more = solver.solve(node_limit=ask.nodes)
            if more:
                solution = tuple([self.index(x.get_value()) for x in asked])
                found.offer(solution, self.program.value_of(solution))
                if self.goal is None:
                    break
        complete = more or solver.get_search_state() == "TERMINATED"
        return found.answer(complete, counted(solver), Phases(0, loaded - begin, now() - loaded))

    def set_search(self, solver: Any, variables: Sequence[Any]) -> None:
        """Set the search that the options choose, over all variables, with those of the problem first."""
        if variables and (search := self.options.get("search")):
            seed = {"seed": self.options.get("seed", 0)} if search == "random" else {}
            getattr(solver, f"set_{search}_search")(*variables, **seed)

    def close(self) -> None:
        """Do nothing: models are freed after each ask."""


def counted(solver: Any) -> dict[str, int]:
    """Return the counters of a Choco solver."""
    return {
        "decisions": solver.get_node_count(),
        "conflicts": solver.get_fail_count(),
        "restarts": solver.get_restart_count(),
    }


class ChocoPosting:
    """A Choco model, its variables, and a method for each name in the posts of a program."""

    def __init__(self, model: Any, domains: Sequence[Sequence[int]]) -> None:
        self.model = model
        self.variables = [self.new(domain) for domain in domains]

    def new(self, domain: Sequence[int]) -> Any:
        if len(domain) == 2 and domain[0] == 0 and domain[1] == 1:
            return self.model.boolvar()
        if domain[-1] - domain[0] == len(domain) - 1:
            return self.model.intvar(domain[0], domain[-1])
        return self.model.intvar(list(domain))

    def of(self, xs: Sequence[int]) -> list[Any]:
        return [self.variables[x] for x in xs]

    def sum(self, terms: Terms, comparison: str, bound: int) -> Any:
        """Return a linear constraint, as one of Choco's arithmetic constraints if the sum has one or two variables."""
        xs, signs = self.of(list(terms)), list(terms.values())
        if signs == [1]:
            return self.model.arithm(xs[0], comparison, bound)
        if signs == [1, -1]:
            return self.model.arithm(xs[0], "-", xs[1], comparison, bound)
        return self.model.scalar(xs, signs, comparison, bound)

    def linear(self, terms: Terms, comparison: str, bound: int) -> None:
        self.sum(terms, comparison, bound).post()

    def reified(self, x: int, terms: Terms, comparison: str, bound: int) -> None:
        self.sum(terms, comparison, bound).reify_with(self.variables[x])

    def clause(self, literals: Sequence[int]) -> None:
        positive, negative = [p - 1 for p in literals if p > 0], [-p - 1 for p in literals if p < 0]
        self.model.add_clauses(self.of(positive), self.of(negative))

    def all_different(self, xs: Sequence[int]) -> None:
        self.model.all_different(self.of(xs)).post()

    def product(self, x: int, y: int, z: int) -> None:
        self.model.times(*self.of((x, y, z))).post()

    def quotient(self, x: int, y: int, z: int) -> None:
        self.model.div(*self.of((x, y, z))).post()

    def remainder(self, x: int, y: int, z: int) -> None:
        self.model.mod(*self.of((x, y, z))).post()

    def absolute(self, x: int, z: int) -> None:
        self.model.absolute(*self.of((z, x))).post()

    def extreme(self, which: str, xs: Sequence[int], z: int) -> None:
        post = self.model.min if which == "minimum" else self.model.max
        post(self.variables[z], self.of(xs)).post()

    def table(self, xs: Sequence[int], tuples: Sequence[Sequence[int]]) -> None:
        self.model.table(self.of(xs), tuples).post()

    def element(self, items: Sequence[int], index: int, start: int, value: int) -> None:
        self.model.element(self.variables[value], self.of(items), self.variables[index], start).post()

    def count(self, xs: Sequence[int], numbers: Sequence[int], z: int) -> None:
        self.model.among(self.variables[z], self.of(xs), numbers).post()

    def distinct(self, xs: Sequence[int], z: int) -> None:
        self.model.n_values(self.of(xs), self.variables[z]).post()

    def cumulative(self, starts: Sequence[int], durations: Sequence[int], heights: Sequence[int], limit: int) -> None:
        tasks = [self.task(x, d) for x, d in zip(starts, durations, strict=True)]
        self.model.cumulative(tasks, self.of(heights), self.variables[limit]).post()

    def task(self, start: int, duration: int) -> Any:
        """Return a task; its end is a variable of its own, which start and duration determine."""
        x, d = self.of((start, duration))
        end = self.model.intvar(x.get_lb() + d.get_lb(), x.get_ub() + d.get_ub())
        return self.model.task(x, d, end)

    def rectangles(self, *sides: Sequence[int]) -> None:
        self.model.diff_n(*map(self.of, sides)).post()

    def circuit(self, xs: Sequence[int], start: int, size: int) -> None:
        self.model.sub_circuit(self.of(xs), start, self.variables[size]).post()

    def lex(self, left: Sequence[int], right: Sequence[int], strict: bool) -> None:
        post = self.model.lex_less if strict else self.model.lex_less_eq
        post(self.of(left), self.of(right)).post()

    def regular(self, xs: Sequence[int], transitions: Sequence[tuple[int, int, int]], finals: Sequence[int]) -> None:
        from pychoco.objects.automaton.finite_automaton import FiniteAutomaton

        machine = FiniteAutomaton()
        for _ in range(1 + max(max(a, b) for a, _, b in transitions)):
            machine.add_state()
        machine.set_initial_state(0)
        machine.set_final(*finals)
        for a, number, b in transitions:
            machine.add_transition(a, b, number)
        self.model.regular(self.of(xs), machine).post()


def backends() -> tuple[Choco, ...]:
    """Return the only variant. Raises ModuleNotFoundError if pychoco is not installed."""
    return (Choco("choco", f"pychoco {version('pychoco')}"),)
