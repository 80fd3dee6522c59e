"""toulbar2 by its Python package: cost function networks, branch and bound, one thread (Hurley et al. 2016).

A problem is flattened once (`backends/flat/`) to all-different constraints, tables, clauses and sums; each ask posts
them to a fresh network, in which what is forbidden has the cost of no solution. Several solutions are enumerated in one
search. The limit of time is one of CPU time, in whole seconds.

Values are the indices of numbers in domains. All variables of an all-different constraint have the same domain at
first, from which those of the ask are kept: toulbar2's own filter loses solutions where these domains differ.
"""

from collections.abc import Callable, Sequence
from math import ceil, prod
from time import perf_counter_ns as now
from typing import Any

from backends.contract.answer import Answer, Ask, Phases, Reason, Status, Unsupported
from backends.flat import FlatBackend
from backends.flat.program import FlatProgram, NumberLimits, Terms
from backends.flat.tables import TO_TABLES
from backends.shared.incumbent import Incumbent
from puzzles.packages import version
from puzzles.problem.values import Solution

LIMITS = NumberLimits("toulbar2", 1_000_000_000, 1_000_000_000)
MAX_DOMAIN = 10_000
MAX_COSTS = 1_000_000  # costs of a table of up to three variables: one for each combination
MAX_SECONDS = 1_000_000
TOLERANCE = 1e-6  # of a bound, which toulbar2 states as a double
Post = Callable[[Any], None]  # posts a constraint to a network


class Toulbar2Session:
    """One flat program, a fresh network for each ask. Raises Unsupported for domains or tables that are too large."""

    def __init__(self, program: FlatProgram) -> None:
        self.program = program
        self.index = program.index
        shared = {x for name, arguments in program.posts if name == "all_different" for x in arguments[0]}
        self.domains = [program.numbers if x in shared else known for x, known in enumerate(program.domains)]
        if (largest := max(map(len, self.domains), default=0)) > MAX_DOMAIN:
            raise Unsupported(f"toulbar2 does not support domains of more than {MAX_DOMAIN} numbers: {largest}")
        self.indices = [{n: i for i, n in enumerate(domain)} for domain in self.domains]
        self.posts = [getattr(self, name)(*arguments) for name, arguments in program.posts]

    def all_different(self, xs: Sequence[int]) -> Post:
        return lambda network: network.AddAllDifferent(xs)

    def at_least(self, terms: Terms, least: int) -> Post:
        """Return a function that posts: a sum is at least a number, in toulbar2's text of weights of values."""
        words = [least]
        for x, a in terms.items():
            words.append(len(self.domains[x]))
            for n, index in self.indices[x].items():
                words += [index, a * n]
        text = " ".join(map(str, words))
        return lambda network: network.CFN.wcsp.postKnapsackConstraint(list(terms), text, kp=True)

    def table(self, xs: Sequence[int], tuples: Sequence[Sequence[int]]) -> Post:
        self.check_size(xs)
        rows = [[self.indices[x].get(n, -1) for x, n in zip(xs, row, strict=True)] for row in tuples]
        kept = [row for row in rows if -1 not in row]
        if not kept:
            self.program.refuse()
        free = [i for i, x in enumerate(xs) if len(self.domains[x]) > 1]
        if not free:
            return lambda network: None
        scope, rows = [xs[i] for i in free], [[row[i] for i in free] for row in kept]
        return lambda network: network.AddCompactFunction(scope, network.Top, rows, [0] * len(rows))

    def clause(self, literals: Sequence[int]) -> Post:
        """Return a function that posts a clause: the one row that breaks it is forbidden."""
        xs = [abs(p) - 1 for p in literals]
        self.check_size(xs)
        row = [self.indices[x][int(p < 0)] for x, p in zip(xs, literals, strict=True)]
        return lambda network: network.AddCompactFunction(xs, 0, [row], [network.Top])

    def check_size(self, xs: Sequence[int]) -> None:
        size = prod(len(self.domains[x]) for x in xs)
        if len(xs) <= 3 and size > MAX_COSTS:
            raise Unsupported(f"toulbar2 does not support tables over more than {MAX_COSTS} combinations: {size}")

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        known = self.program.domains
        own = [set(self.program.members(mask)).intersection(known[x]) for x, mask in enumerate(ask.domains)]
        if self.program.refused or not all(own):
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        if self.program.goal is not None:
            return self.best(ask, own, begin)
        import pytoulbar2

        network = pytoulbar2.CFN(1)  # every cost is that of no solution
        try:
            self.load(network, own)
            loaded = now()
            seconds = min(ask.seconds - (loaded - begin) / 1e9, MAX_SECONDS)
            if seconds <= 0:
                return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT, phases=Phases(load=loaded - begin))
            network.Option.limited = False  # which a contradiction before the search leaves as it was
            network.Solve(allSolutions=ask.count, timeLimit=ceil(seconds))
        except network.Contradiction:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        finally:
            network.CFN.timerStop()
        solved = now()
        solutions = self.decode(network.GetSolutions(), len(own))
        complete = not network.Option.limited
        found = Status.SATISFIABLE if solutions else Status.UNSATISFIABLE if complete else Status.UNKNOWN
        reason = Reason.NONE if complete or len(solutions) == ask.count else Reason.TIMEOUT
        counters = {"decisions": network.GetNbNodes(), "conflicts": network.GetNbBacktracks()}
        phases = Phases(0, loaded - begin, solved - loaded, now() - solved)
        return Answer(found, solutions, complete, reason, counters, phases)

    def best(self, ask: Ask, own: Sequence[set[int]], begin: int) -> Answer:
        """Return the answer of a search for the best solution; earlier solutions are reported when the search ends."""
        import pytoulbar2

        found, costs = Incumbent(ask), self.costs()
        network = pytoulbar2.CFN(1 + sum(max(column) for column in costs.values()))
        complete = False
        try:
            self.load(network, own)
            for x, column in costs.items():
                network.AddFunction([x], column)
            loaded = now()
            seconds = min(ask.seconds - (loaded - begin) / 1e9, MAX_SECONDS)
            if seconds > 0:
                network.Option.limited = False
                network.Solve(timeLimit=ceil(seconds))
                complete = not network.Option.limited
                for solution in self.decode(network.GetSolutions(), len(own)):
                    found.offer(solution, self.program.value_of(solution))
                found.raise_bound(ceil(network.GetDDualBound() - TOLERANCE) + self.least_cost())
        except network.Contradiction:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        finally:
            network.CFN.timerStop()
        counters = {"decisions": network.GetNbNodes(), "conflicts": network.GetNbBacktracks()}
        return found.answer(complete, counters, Phases(0, loaded - begin, now() - loaded))

    def costs(self) -> dict[int, list[int]]:
        """Return the costs of the values of each variable in the objective, above the least of the variable."""
        goal = self.program.goal or {}
        return {x: [a * n - self.least(x, a) for n in self.domains[x]] for x, a in goal.items()}

    def least(self, x: int, a: int) -> int:
        return min(a * self.domains[x][0], a * self.domains[x][-1])

    def least_cost(self) -> int:
        """Return the constant that is added to the costs of a network."""
        return self.program.constant_cost + sum(self.least(x, a) for x, a in (self.program.goal or {}).items())

    def load(self, network: Any, own: Sequence[set[int]]) -> None:
        """Post everything. Raises the network's Contradiction."""
        for x, domain in enumerate(self.domains):
            network.AddVariable(f"x{x}", range(len(domain)))
        for x, kept in enumerate(own):
            if len(kept) < len(self.domains[x]):
                costs = [0 if n in kept else network.Top for n in self.domains[x]]
                network.AddFunction([x], costs)
        for post in self.posts:
            post(network)

    def decode(self, found: Sequence[tuple[float, Sequence[int]]], variables: int) -> tuple[Solution, ...]:
        domains = [[self.index(n) for n in self.domains[x]] for x in range(variables)]
        decoded = (tuple([domain[i] for domain, i in zip(domains, values, strict=False)]) for _, values in found)
        return tuple(dict.fromkeys(decoded))

    def close(self) -> None:
        """Do nothing: networks are freed after each ask."""


def backends() -> tuple[FlatBackend, ...]:
    """Return the only variant. Raises ModuleNotFoundError if pytoulbar2 is not installed."""
    return (FlatBackend("toulbar2", f"pytoulbar2 {version('pytoulbar2')}", Toulbar2Session, LIMITS, TO_TABLES),)
