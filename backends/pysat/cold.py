"""Cold: a fresh solver object for each ask, loaded with clauses that were made once.

The puzzle's unit clauses go first, so that solvers drop satisfied clauses while they load. A further solution is asked
for by a clause that forbids the squares of the last one; a solver that can't be asked twice is made anew with it.
"""

from time import perf_counter_ns as now

from backends.answer import Answer, Ask, Phases
from backends.pysat import Solver
from backends.pysat.loaded import Clause, Loaded, split
from backends.squares import Squares, answer
from encoders.formula import Cnf
from puzzles.layout import Domains, Solution


class ColdSession:
    """One formula, a fresh solver object for each ask."""

    def __init__(self, name: str, known: Solver, formula: Cnf) -> None:
        self.name, self.known, self.at_most = name, known, formula.at_most
        self.clauses = split(formula)
        self.squares = Squares(formula.literal)
        self.unit = {x: [x] for row in formula.literal for v in row for x in (v, -v)}

    def units(self, domains: Domains) -> list[Clause]:
        """The unit clauses of a puzzle, all of them made before."""
        return [self.unit[x] for x in self.squares.true(domains)]

    def fresh(self, first: list[Clause], proof: bool) -> Loaded:
        loaded = Loaded(self.name, self.known, proof)
        loaded.load(first)
        loaded.load(self.clauses, self.at_most)
        return loaded

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        deadline = begin + int(ask.seconds * 1e9)
        proving = ask.proof and self.known.proof
        first = self.units(ask.domains)
        loaded = self.fresh(first, proving)
        load, solve, decode = now() - begin, 0, 0
        solutions: list[Solution] = []
        while True:
            begin = now()
            found = loaded.solve(deadline)
            solved = now()
            solve += solved - begin
            if not found:
                break
            solutions.append(self.squares.decode(loaded.model(), ask.domains))
            decoded = now()
            decode += decoded - solved
            if len(solutions) == ask.count:
                break
            forbidden = self.squares.forbid(solutions[-1])
            if not forbidden:
                found = False  # the one solution of a board without squares
                break
            if self.known.again:
                loaded.load([forbidden])
            else:
                loaded.delete()
                first.append(forbidden)
                loaded = self.fresh(first, proving)
            load += now() - decoded
        counters = loaded.counters()
        proof = loaded.proof() if proving and found is False else None
        loaded.delete()
        return answer(solutions, found, counters, Phases(0, load, solve, decode), proof)

    def close(self) -> None:
        self.clauses = []
