"""Pumpkin by its Python package: lazy clause generation, one thread (Flippo et al. 2024).

A problem is flattened once (`backends/flat/`); each ask posts the program to a fresh model with the domains of the ask.
A table forbids each solution before the next is searched. Pumpkin computes with 32 bits and does not check for
overflow, and what it does not expect ends the process, so numbers are limited.

A proof, in DRCP, names variables by their index in the program and posts by their tag: post i has the tag i + 2, and
what restricts a domain has the tag 1. Pumpkin leaves out of a proof what it names itself, such as a predicate's Boolean
or a table's rows: then tables are posted as clauses, and each Boolean is one of the program.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter_ns as now
from typing import Any

from backends.contract.answer import OPTIMISE, Answer, Ask, Phases, Status
from backends.flat import FlatBackend
from backends.flat.kinds import starred_table
from backends.flat.lowering import TO_SIMPLER_POSTS
from backends.flat.program import NEGATED, FlatProgram, NumberLimits, Terms
from backends.shared.enumeration import Values, enumerate_solutions
from backends.shared.incumbent import Incumbent
from puzzles.packages import version

LIMITS = NumberLimits("pumpkin", 1_000_000_000, 1_000_000_000)
NAME = "x{}"  # of a variable, by its index, in a proof
DOMAINS_TAG, FIRST_TAG = 1, 2


def provable(program: FlatProgram) -> FlatProgram:
    """Return the program that Pumpkin receives if it writes a proof."""
    return program.lowered({**program.lower, "table": starred_table})


class PumpkinSession:
    """One flat program, a fresh model for each ask."""

    def __init__(self, program: FlatProgram) -> None:
        self.program, self.goal = program, program.goal_variable()

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        if 0 in ask.domains or self.program.refused:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        if not ask.proof:
            return self.answer(ask, self.program, begin, None)
        with TemporaryDirectory() as folder:
            proof = Path(folder, "drcp")
            answer = self.answer(ask, provable(self.program), begin, proof)
            concluded = answer.complete and (answer.value is None or self.goal is not None)
            return replace(answer, proof=proof.read_bytes()) if concluded else answer

    def answer(self, ask: Ask, program: FlatProgram, begin: int, proof: Path | None) -> Answer:
        """Return the answer, with the proof in a file if one is wanted: it is whole once the model is freed."""
        posting = PumpkinPosting(program.asked(ask.domains), len(program.posts), proof)
        variables = posting.all(range(len(ask.domains)))
        for tag, (name, arguments) in enumerate(program.posts, FIRST_TAG):
            if posting.model.is_inconsistent():
                break
            posting.tag = posting.tags[tag]
            getattr(posting, name)(*arguments)
        models = PumpkinModels(posting, variables, program, begin + int(ask.seconds * 1e9))
        if program.goal is not None:
            return self.best(ask, models, begin)
        return enumerate_solutions(models, Values(), ask, now() - begin).answer({})

    def best(self, ask: Ask, models: "PumpkinModels", begin: int) -> Answer:
        """Return the answer of Pumpkin's search for ever better solutions."""
        loaded, found, program = now(), Incumbent(ask), self.program

        def take(solution: Any) -> None:
            values = tuple(models.decoded(solution))
            found.offer(values, program.value_of(values))

        complete = False
        if self.goal is None:
            solved = models.solve()
            complete = solved is not None
            if solved:
                take(models.result._0)
        elif models.posting.model.is_inconsistent():
            complete = models.solve() is False
        elif models.deadline > loaded:
            from pumpkin_solver import optimisation

            seconds, goal = (models.deadline - loaded) / 1e9, models.posting.integer(self.goal)
            result = models.posting.model.optimise(
                goal, direction=optimisation.Direction.Minimise, timeout=seconds, on_solution=take
            )
            ends = optimisation.OptimisationResult
            complete = isinstance(result, ends.Optimal | ends.Unsatisfiable)
            if isinstance(result, ends.Optimal | ends.Satisfiable):
                take(result._0)
            if found.value is not None:  # the bound is that of better solutions than the best
                bound = models.posting.model.lower_bound(goal) + program.constant_cost
                found.raise_bound(min(bound, found.value))
        return found.answer(complete, {}, Phases(0, loaded - begin, now() - loaded))

    def close(self) -> None:
        """Do nothing: models are freed after each ask."""


class PumpkinPosting:
    """A Pumpkin model, its variables, and a method for each name in the posts of a program."""

    def __init__(self, domains: Sequence[Sequence[int]], posts: int, proof: Path | None) -> None:
        import pumpkin_solver
        from pumpkin_solver import constraints

        self.made, self.pumpkin, self.proof = constraints, pumpkin_solver, proof
        self.model = pumpkin_solver.Model(proof, seed=0)
        self.tags = {tag: self.model.new_constraint_tag() for tag in range(DOMAINS_TAG, FIRST_TAG + posts)}
        self.tag = self.tags[DOMAINS_TAG]
        self.domains = domains
        self.integers: dict[int, Any] = {}
        self.booleans: dict[int, Any] = {}

    def add(self, constraint: Any, premise: Any = None) -> None:
        """Post a constraint; a conflict found now is the state of the model, which is then infeasible."""
        try:
            if premise is None:
                self.model.add_constraint(constraint)
            else:
                self.model.add_implication(constraint, premise)
        except RuntimeError:
            if not self.model.is_inconsistent():
                raise

    def integer(self, x: int) -> Any:
        """Return a variable, made when it is first used: one with the domain 0, 1 is a Boolean."""
        if x not in self.integers:
            domain = self.domains[x]
            if domain[0] >= 0 and domain[-1] <= 1:
                self.integers[x] = self.boolean(x).as_integer()
            else:
                self.integers[x] = self.model.new_integer_variable(domain[0], domain[-1], name=NAME.format(x))
                self.remove_gaps(x, domain)
        return self.integers[x]

    def remove_gaps(self, x: int, domain: Sequence[int]) -> None:
        gaps, tag = domain[-1] - domain[0] + 1 - len(domain), self.tags[DOMAINS_TAG]
        if gaps > len(domain) and self.proof is None:
            self.add(self.made.Table([self.integers[x]], [[n] for n in domain], tag))
        elif gaps:
            missing = sorted(set(range(domain[0], domain[-1])) - set(domain))
            self.add(self.made.NegativeTable([self.integers[x]], [[n] for n in missing], tag))

    def boolean(self, x: int) -> Any:
        """Return a variable whose domain is 0, 1 or a part of it as a Boolean."""
        if x not in self.booleans:
            made = self.booleans[x] = self.model.new_boolean_variable(name=NAME.format(x))
            if len(self.domains[x]) == 1:
                literal = made if self.domains[x][0] else made.negate()
                self.add(self.made.Clause([literal], self.tags[DOMAINS_TAG]))
        return self.booleans[x]

    def literal(self, p: int) -> Any:
        return self.boolean(p - 1) if p > 0 else self.boolean(-p - 1).negate()

    def all(self, xs: Sequence[int]) -> list[Any]:
        return [self.integer(x) for x in xs]

    def sum(self, terms: Terms, comparison: str, bound: int) -> Any:
        """Return a linear constraint; Pumpkin has `<=`, `=` and `!=`."""
        sign = -1 if comparison in (">", ">=") else 1
        bound = sign * bound - (comparison in ("<", ">"))
        views = [self.integer(x) if a == sign else self.integer(x).scaled(sign * a) for x, a in terms.items()]
        make = {"=": self.made.Equals, "!=": self.made.NotEquals}.get(comparison, self.made.LessThanOrEquals)
        return make(views, bound, self.tag)

    def linear(self, terms: Terms, comparison: str, bound: int) -> None:
        self.add(self.sum(terms, comparison, bound))

    def reified(self, x: int, terms: Terms, comparison: str, bound: int) -> None:
        """Post that a Boolean is the truth of a comparison; for one variable, make the Boolean as a predicate."""
        if len(terms) == 1 and x not in self.booleans and self.proof is None:
            (y, a), *_ = terms.items()
            self.booleans[x] = self.model.predicate_as_boolean(self.compared(y, a, comparison, bound), self.tag)
            return
        self.add(self.sum(terms, comparison, bound), self.boolean(x))
        self.add(self.sum(terms, NEGATED[comparison], bound), self.boolean(x).negate())

    def compared(self, x: int, a: int, comparison: str, bound: int) -> Any:
        """Return a predicate that compares a multiple of a variable."""
        signs = self.pumpkin.Comparator
        bound += {"<": -1, ">": 1}.get(comparison, 0)
        sign = {"=": signs.Equal, "!=": signs.NotEqual, "<": signs.LessThanOrEqual, "<=": signs.LessThanOrEqual}
        view = self.integer(x) if a == 1 else self.integer(x).scaled(a)
        return self.pumpkin.Predicate(view, sign.get(comparison, signs.GreaterThanOrEqual), bound)

    def clause(self, literals: Sequence[int]) -> None:
        self.add(self.made.Clause([self.literal(p) for p in literals], self.tag))

    def all_different(self, xs: Sequence[int]) -> None:
        self.add(self.made.AllDifferent(self.all(xs), self.tag))

    def product(self, x: int, y: int, z: int) -> None:
        self.add(self.made.Times(*self.all((x, y, z)), self.tag))

    def quotient(self, x: int, y: int, z: int) -> None:
        """Post a division, whose divisor must not have 0 in its domain when it is posted."""
        self.linear({y: 1}, "!=", 0)
        self.model.propagate_to_fixpoint()
        if not self.model.is_inconsistent():
            self.add(self.made.Division(*self.all((x, y, z)), self.tag))

    def absolute(self, x: int, z: int) -> None:
        self.add(self.made.Absolute(*self.all((x, z)), self.tag))

    def extreme(self, which: str, xs: Sequence[int], z: int) -> None:
        make = self.made.Minimum if which == "minimum" else self.made.Maximum
        self.add(make(self.all(xs), self.integer(z), self.tag))

    def table(self, xs: Sequence[int], tuples: Sequence[Sequence[int]]) -> None:
        self.add(self.made.Table(self.all(xs), tuples, self.tag))

    def element(self, items: Sequence[int], index: int, start: int, value: int) -> None:
        position = self.integer(index).offset(-start) if start else self.integer(index)
        self.add(self.made.Element(position, self.all(items), self.integer(value), self.tag))


class PumpkinModels:
    """The solutions of one ask."""

    def __init__(self, posting: PumpkinPosting, variables: list[Any], program: FlatProgram, deadline: int) -> None:
        self.posting, self.variables, self.deadline = posting, variables, deadline
        self.numbers, self.index = program.numbers, program.index
        self.result: Any = None

    def solve(self) -> bool | None:
        if self.posting.model.is_inconsistent() and self.posting.proof is None:
            return False
        seconds = (self.deadline - now()) / 1e9
        if seconds <= 0:
            return None
        self.result = self.posting.model.satisfy(timeout=seconds)
        ends = self.posting.pumpkin.SatisfactionResult
        if isinstance(self.result, ends.Satisfiable):
            return True
        return False if isinstance(self.result, ends.Unsatisfiable) else None

    def model(self) -> list[int]:
        return self.decoded(self.result._0)

    def decoded(self, solution: Any) -> list[int]:
        """Return the value of each variable in a solution of Pumpkin."""
        return [self.index(solution.int_value(x)) for x in self.variables]

    def forbid(self, clause: list[int]) -> None:
        numbers = [self.numbers[v] for v in clause]
        tag = self.posting.model.new_constraint_tag()
        self.posting.add(self.posting.made.NegativeTable(self.variables, [numbers], tag))


def backends() -> tuple[FlatBackend, ...]:
    """Return the only variant. Raises ModuleNotFoundError if pumpkin-solver is not installed."""
    can = frozenset({"count", "domains", OPTIMISE, "proof"})
    name = f"pumpkin-solver {version('pumpkin-solver')}"
    return (FlatBackend("pumpkin", name, PumpkinSession, LIMITS, TO_SIMPLER_POSTS, can=can),)
