"""Sessions of python-sat's MaxSAT algorithms. Empty soft clauses are removed: the algorithms fail on them."""

from collections.abc import Mapping
from time import perf_counter_ns as now
from types import SimpleNamespace
from typing import Any

from backends.contract.answer import COUNTERS, Answer, Ask, Phases
from backends.contract.options import Value
from backends.pysat.algorithms import ALGORITHMS, OutOfTime, Progress
from backends.pysat.handle import clauses_of
from backends.shared.incumbent import Incumbent, value_of_models
from backends.shared.literal_map import literal_map
from encoders.formula import Wcnf
from puzzles.problem.values import Domains


class MaxSatSession:
    """One formula, a fresh solver for each ask. Equal weights go in as 1, and costs are scaled."""

    def __init__(self, algorithm: str, formula: Wcnf, options: Mapping[str, Value]) -> None:
        self.make, self.options = ALGORITHMS[algorithm], options
        self.clauses, self.literals = list(clauses_of(formula.hard)), literal_map(formula.hard.literal)
        self.value_of = value_of_models(formula)
        self.variables, rows = formula.hard.variables, formula.soft_rows()
        self.soft = [row for _, row in rows if row]
        self.weights = [weight for weight, row in rows if row]
        self.constant = formula.offset + sum(weight for weight, row in rows if not row)
        self.scale = self.weights[0] if self.weights and len(set(self.weights)) == 1 else 1

    def clauses_for(self, domains: Domains) -> Any:
        """Return the clauses of an ask in the form that the algorithms read; the algorithms change the soft clauses."""
        units = [(x,) for x in self.literals.true(domains)]
        return SimpleNamespace(
            nv=self.variables,
            hard=[*units, *self.clauses],
            soft=[list(row) for row in self.soft],
            wght=[weight // self.scale for weight in self.weights],
        )

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        found = Incumbent(ask)
        progress = Progress(
            begin + int(ask.seconds * 1e9),
            lambda model: found.offer(self.literals.decode(model, ask.domains), self.value_of(model)),
            lambda cost: found.raise_bound(self.constant + self.scale * cost),
        )
        solver = self.make(self.clauses_for(ask.domains), self.options, progress)
        loaded = now()
        try:
            solver.run()
            complete = True
        except OutOfTime:
            complete = False
        phases = Phases(0, loaded - begin, now() - loaded)
        stats = solver.oracle.accum_stats()
        counters = {name: int(stats[name]) for name in COUNTERS if name in stats}
        solver.delete()
        return found.answer(complete, counters, phases)

    def close(self) -> None:
        self.clauses = []
