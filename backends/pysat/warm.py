"""Warm: one solver object for a layout, the givens as assumptions, what it learned kept from puzzle to puzzle.

Every clause it learns follows from the layout alone, since assumptions are decisions; so it holds for the next puzzle.
Clauses that forbid found solutions belong to one ask: each holds a literal that only this ask assumes, and that is made
false for good after it. The solver is renewed after ASKS asks or CONFLICTS conflicts, whichever comes first, and after
a timeout, so that neither learned clauses nor such literals grow without end.
"""

from time import perf_counter_ns as now

from backends.answer import Answer, Ask, Phases
from backends.pysat import Solver
from backends.pysat.loaded import Loaded, split
from backends.squares import Squares, answer
from encoders.formula import Cnf
from puzzles.layout import Solution

ASKS = 1_000
CONFLICTS = 20_000


class WarmSession:
    """One formula and the solver that keeps it."""

    def __init__(self, name: str, known: Solver, formula: Cnf) -> None:
        self.name, self.known, self.formula = name, known, formula
        self.clauses = split(formula)
        self.squares = Squares(formula.literal)
        self.loaded: Loaded | None = None
        self.renew()

    def renew(self) -> Loaded:
        """A fresh solver with the layout's clauses alone."""
        self.close()
        self.loaded = Loaded(self.name, self.known)
        self.loaded.load(self.clauses, self.formula.at_most)
        self.asks = 0
        self.before = dict.fromkeys(self.known.counts, 0)
        return self.loaded

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        deadline = begin + int(ask.seconds * 1e9)
        loaded = self.loaded
        if loaded is None or self.asks >= ASKS or self.before.get("conflicts", 0) >= CONFLICTS:
            loaded = self.renew()
        self.asks += 1
        active = self.formula.variables + self.asks
        assumed = self.squares.true(ask.domains)
        if ask.count > 1:
            assumed.append(active)
        load, solve, decode = now() - begin, 0, 0
        solutions: list[Solution] = []
        while True:
            begin = now()
            found = loaded.solve(deadline, assumed)
            solved = now()
            solve += solved - begin
            if not found:
                break
            solutions.append(self.squares.decode(loaded.model(), ask.domains))
            decoded = now()
            decode += decoded - solved
            if len(solutions) == ask.count:
                break
            loaded.load([[-active, *self.squares.forbid(solutions[-1])]])
            load += now() - decoded
        if ask.count > 1:
            loaded.load([[-active]])
        return answer(solutions, found, self.spent(loaded, found), Phases(0, load, solve, decode))

    def spent(self, loaded: Loaded, found: bool | None) -> dict[str, int]:
        """The counters of this ask alone; a solver that ran out of time is given up."""
        total = loaded.counters()
        spent = {name: total[name] - self.before[name] for name in total}
        self.before = total
        if found is None:
            self.close()
        return spent

    def close(self) -> None:
        if self.loaded is not None:
            self.loaded.delete()
        self.loaded = None
