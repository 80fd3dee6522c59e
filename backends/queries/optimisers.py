"""Solvers that keep their state over the asks of a script with soft literals, and find a model of least cost for each.

Each has an algorithm of its own: RC2's, ours (OLL in turns with improving search), Z3's and CP-SAT's.
"""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from backends.contract.answer import Ask
from backends.native.optimising.objective import Cost
from backends.native.optimising.optimum import Optimum
from backends.native.optimising.search import optimise
from backends.queries.solvers import Clauses, CpSatQueries, Incremental, NativeQueries, Z3Queries
from backends.shared.incumbent import Incumbent

if TYPE_CHECKING:
    from backends.native.cdcl.models import CdclModels

FOREVER = 1 << 62  # conflicts
EXACT = 1 << 53  # least integer that a double may round


class Optimiser(Incremental, Protocol):
    """Incremental solver: `solve` returns True once its model has the least cost.

    value  cost of the last model, as the solver states it
    """

    value: int

    def weigh(self, costs: Mapping[int, int], variables: int) -> None:
        """Set the cost of each soft literal's being true, and the number of the script's variables."""


class Rc2Optimiser:
    """RC2 of python-sat, with clauses and costs added. It begins anew for assumptions, and when a cost falls."""

    package: ClassVar[str] = "pysat"

    def __init__(self, name: str) -> None:
        self.rc2: Any = None
        self.clauses, self.known, self.value = list[list[int]](), dict[int, int](), 0

    def weigh(self, costs: Mapping[int, int], variables: int) -> None:
        self.costs, self.variables = dict(costs), variables

    def add(self, clauses: Clauses) -> None:
        new = list(map(list, clauses))
        self.clauses += new
        for clause in new if self.rc2 else ():
            self.rc2.add_clause(clause)

    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        from backends.pysat.algorithms import OutOfTime

        self.failed = list(assumptions)
        if assumptions or any(self.costs[p] < cost for p, cost in self.known.items()):
            self.close()
        if self.rc2 is None:
            self.begin(deadline)
        for p, cost in self.costs.items():
            if more := cost - self.known.get(p, 0):
                self.rc2.add_clause([-p], more)
        try:
            self.found = self.rc2.compute(expect_interrupt=True)
        except OutOfTime:
            return None
        self.value, self.known = self.rc2.cost, self.costs
        if assumptions:
            self.close()
        return self.found is not None

    def begin(self, deadline: int) -> None:
        """Make a solver of the clauses so far, under the assumptions, without costs."""
        from backends.pysat.algorithms import Progress, Rc2

        hard = [*([p] for p in self.failed), *self.clauses]
        formula = SimpleNamespace(nv=self.variables, hard=hard, soft=[], wght=[])
        self.rc2 = Rc2(formula, {}, Progress(deadline, lambda _: None, lambda _: None))

    def model(self) -> Sequence[int]:
        model: Sequence[int] = self.found
        return model

    def core(self) -> Sequence[int]:
        return self.failed

    def close(self) -> None:
        if self.rc2:
            self.rc2.delete()
        self.rc2, self.known = None, {}


class CpSatOptimiser(CpSatQueries):
    """CP-SAT: the model grows, and each ask adds its assumptions and costs to a copy."""

    def weigh(self, costs: Mapping[int, int], variables: int) -> None:
        self.costs = costs

    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        assumed, soft = list(map(self.term, assumptions)), [(cost, self.term(p)) for p, cost in self.costs.items()]
        asked = self.built.clone()
        asked.add_bool_and(assumed)
        asked.minimize(sum(cost * term for cost, term in soft))
        status, self.failed = self.solved(asked, deadline), assumptions
        if status == self.cp.OPTIMAL:
            costs = sum(cost for cost, term in soft if self.solver.boolean_value(term))
            self.value = costs if costs >= EXACT else round(self.solver.objective_value)
        return {self.cp.OPTIMAL: True, self.cp.INFEASIBLE: False}.get(status)

    def core(self) -> Sequence[int]:
        return self.failed


class Z3Optimiser(Z3Queries):
    """Z3's optimiser, with the costs of each ask in a scope of its own."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.solver = self.z3.Optimize()

    def weigh(self, costs: Mapping[int, int], variables: int) -> None:
        self.costs = costs

    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        self.solver.push()
        goals = [self.solver.add_soft(self.term(-p), str(cost)) for p, cost in self.costs.items() if cost]
        found = super().solve(assumptions, deadline)
        if found:
            self.true, self.value = super().model(), int(str(goals[0].value())) if goals else 0
        elif found is False:
            self.failed = super().core()
        self.solver.pop()
        return found

    def model(self) -> Sequence[int]:
        return self.true

    def core(self) -> Sequence[int]:
        return self.failed


class NativeOptimiser(NativeQueries):
    """Our solver that learns clauses, with core-guided search."""

    def weigh(self, costs: Mapping[int, int], variables: int) -> None:
        self.costs = costs
        self.reach([variables])

    def search(self, assumed: list[int]) -> bool | None:
        scope, found = AskScope(self.models, assumed), Incumbent(Ask(()))

        def show(model: list[int]) -> None:
            true = set(model)
            found.offer((), sum(cost for p, cost in self.costs.items() if p in true))

        optimum = Optimum(scope, found, show, lambda _: False)
        done = optimise(optimum, Cost.of(((-p, cost) for p, cost in self.costs.items() if cost), 0))
        scope.end()
        self.best, self.value, self.models.core = optimum.best, found.value or 0, scope.failed
        return found.value is not None if done else None

    def model(self) -> Sequence[int]:
        return self.best


class AskScope:
    """ClauseSolver of one ask: assumptions hold, and clauses that are added hold until its end.

    failed  assumptions that contradict the clauses, if all of them do
    """

    def __init__(self, models: "CdclModels", assumed: list[int]) -> None:
        self.models, self.switch, self.assumed = models, models.new(), assumed
        self.core, self.failed = list[int](), assumed

    @property
    def conflicts(self) -> int:
        return self.models.conflicts

    @property
    def late(self) -> bool:
        return self.models.late

    def solve(self, assumptions: Sequence[int] = (), until: int = FOREVER) -> bool | None:
        held = {self.switch, *self.assumed}
        if false := next((p for p in assumptions if -p in held), 0):
            self.core = [false]
            return False
        found = self.models.solve([*held, *(p for p in assumptions if p not in held)], until)
        self.core = [p for p in self.models.core if p not in held]
        if found is False and not self.core and self.switch not in self.models.core:
            self.failed = list(self.models.core)
        return found

    def model(self) -> list[int]:
        return self.models.model()

    def add(self, clauses: Sequence[int]) -> None:
        self.models.add([q for p in clauses for q in ((p,) if p else (-self.switch, 0))])

    def new(self) -> int:
        return self.models.new()

    def prefer(self, literals: Sequence[int]) -> None:
        self.models.prefer(literals)

    def end(self) -> None:
        """Take back what was added."""
        self.models.add([-self.switch, 0])


OPTIMISERS: dict[str, type[Optimiser]] = {
    "rc2": Rc2Optimiser,
    "native": NativeOptimiser,
    "z3": Z3Optimiser,
    "cpsat": CpSatOptimiser,
}
