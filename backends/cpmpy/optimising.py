"""CPMpy sessions of problems with an objective. CPMpy tells the best solution when its solver has ended."""

from collections.abc import Mapping
from time import perf_counter_ns as now

from backends.contract.answer import Answer, Ask, Phases, Reason, Status, Unsupported
from backends.cpmpy.objectives import goal_of
from backends.cpmpy.session import CpmSession, Posted
from backends.shared.incumbent import Incumbent, bare_problem, value_of_solutions
from encoders.formula import Constraints
from puzzles.problem.values import Domains

WITHOUT_GAPS = {"highs": {"mip_rel_gap": 0, "mip_abs_gap": 0}}
# Of the values without their constants: beyond, CPMpy raises, HiGHS rounds, Choco has no domains, and Pumpkin wraps.
LARGEST = {"ortools": 1 << 62, "z3": 1 << 62, "highs": 1_000_000, "choco": 21_474_836, "pumpkin": 1_000_000_000}
ONE_VARIABLE = ("highs",)  # CPMpy 1.1.1 takes a number in a sum for a column of HiGHS


class CpmOptimising(CpmSession):
    """One problem with an objective; `constant` if the last one posted has no variables."""

    def __init__(self, formula: Constraints, name: str, solver: str, options: Mapping[str, int]) -> None:
        self.value_of, self.name, self.constant = value_of_solutions(formula), name, False
        super().__init__(formula, name, solver, {**options, **WITHOUT_GAPS.get(solver, {})})

    def posted(self, domains: Domains) -> Posted | None:
        import cpmpy

        assert self.formula.objective is not None
        variables, constraints = self.expressions(domains)
        goal, constant, needed = goal_of(variables, self.formula.objective, self.name)
        self.constant = isinstance(goal, int)
        ends = self.formula.objective.bounds(self.formula.known, bare_problem(self.formula))
        largest = LARGEST.get(self.solver)
        if largest is not None and max(abs(end - constant) for end in ends) > largest:
            raise Unsupported(f"{self.name} does not support objectives of more than {largest:,}")
        if self.solver in ONE_VARIABLE and not self.constant:
            value = cpmpy.intvar(*(end - constant for end in ends))
            goal, needed = value, [*needed, value == goal]
        return self.solver_of(variables, [*constraints, *needed], **({} if self.constant else {"minimize": goal}))

    def ask(self, ask: Ask) -> Answer:
        from cpmpy.solvers.solver_interface import ExitStatus

        begin = now()
        models = self.models(ask, begin)
        if models is None:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        loaded, found = now(), Incumbent(ask)
        solved = models.solve()
        if solved:
            solution = tuple(models.model())
            found.offer(solution, self.value_of(solution))
        optimal = self.constant or models.solver.status().exitstatus == ExitStatus.OPTIMAL
        complete = solved is False or (solved is True and optimal and not models.stopped())
        late = now() >= models.deadline or models.stopped()
        reason = Reason.TIMEOUT if late or solved is None else Reason.STUCK
        return found.answer(complete, {}, Phases(0, loaded - begin, now() - loaded), reason)
