"""Oracles decide subsets of the members: contenders, of which SAT solvers of PySAT, CP-SAT and Exact name cores.

PySAT's need members that are clauses, the others members that are instances over the same variables each. No answer
is trusted: a solution is checked, and the result of an extraction by `checking`.
"""

from collections.abc import Callable, Mapping, Sequence

from backends.contract.answer import Status
from backends.contract.registry import NO_PROGRAMS
from backends.cpsat.cores import PartSolver, SelectedSolver
from backends.exact import ExactParts
from backends.pysat.cores import GroupSolver
from encoders.formula import Unsupported
from harness.explaining.members import Divided
from harness.explaining.subsets import Decided, Subset, Undecided
from harness.explaining.united import united
from harness.model.contender import Contender, resolve
from harness.model.errors import BadUsage
from harness.model.outcome import CERTIFIED, counted_status
from harness.model.selection.fitting import refuses
from harness.model.settings import RunSettings
from harness.runs.single import Asker
from puzzles.closing import Closing
from puzzles.errors import BadInput
from puzzles.problem.check import violations
from puzzles.problem.values import Solution

CoreSolver = SelectedSolver | PartSolver | ExactParts
IsRight = Callable[[Solution, Subset], bool]
PART_SOLVERS: dict[str, type[PartSolver | ExactParts]] = {"cpsat": PartSolver, "exact": ExactParts}
MAX_PARTS = 2000  # members whose instances are built one by one for a model with cores


class ByClauses:
    """SAT solver of PySAT on the clauses of the members, with selectors."""

    has_cores = True

    def __init__(self, name: str, divided: Divided, seconds: float) -> None:
        groups = divided.groups
        assert groups is not None
        self.name, self.seconds = name, seconds
        self.solver = GroupSolver(name, groups.variables, groups.background, groups.of)

    def ask(self, kept: Subset) -> Decided:
        found, core = self.solver.ask(sorted(kept), self.seconds)
        if found is None:
            raise Undecided(f"{self.name} does not decide {len(kept)} members in {self.seconds:g} s")
        return Decided(found, frozenset() if found else frozenset(core))

    def close(self) -> None:
        self.solver.close()


class ByContender:
    """Contender that is asked the instance of the members, in one worker."""

    has_cores = False

    def __init__(self, contender: Contender, divided: Divided, settings: RunSettings) -> None:
        self.contender, self.divided, self.settings = contender, divided, settings
        self.asker = Asker(contender, settings)
        self.known: dict[Subset, Decided] = {}

    def ask(self, kept: Subset) -> Decided:
        if kept not in self.known:
            self.known[kept] = self.decided(kept)
        return self.known[kept]

    def decided(self, kept: Subset) -> Decided:
        """Ask the contender. Raises Undecided, also if its solution is none."""
        instance = self.divided.make(kept)
        if not all(instance.domains):
            return Decided(False, kept)
        if why := refuses(self.contender, instance.problem, self.settings.programs):
            raise Undecided(why)
        outcomes = self.asker.ask(instance)
        status = counted_status(outcomes.rows[0])
        if status == Status.SATISFIABLE and len(outcomes.solutions):
            solution = tuple(outcomes.solutions[0].tolist())
            if violations(instance.problem, instance.domains, solution):
                raise Undecided(f"{self.contender.name} shows a wrong solution of {len(kept)} members")
            return Decided(True)
        if status == Status.UNSATISFIABLE:
            proved = outcomes.proved is not None and outcomes.proved[0] == CERTIFIED
            return Decided(False, kept, proved)
        raise Undecided(f"{self.contender.name} does not decide {len(kept)} members")

    def close(self) -> None:
        self.asker.close()


class ByCores(ByContender):
    """CP-SAT or Exact on one model with each member behind a literal; what it leaves open is asked of a worker.

    is_right  tells that a solution of the model is one of some members; the check of a subset reads its members alone
    """

    has_cores = True

    def __init__(
        self, contender: Contender, divided: Divided, settings: RunSettings, solver: CoreSolver, is_right: IsRight
    ) -> None:
        super().__init__(contender, divided, settings)
        self.solver, self.is_right = solver, is_right

    def decided(self, kept: Subset) -> Decided:
        """Ask the solver. Raises Undecided."""
        solution, core = self.solver.ask(sorted(kept), self.settings.limit)
        if core is not None:
            return Decided(False, frozenset(core))
        if solution is not None and self.is_right(solution, kept):
            return Decided(True)
        return super().decided(kept)


def with_cores(contender: Contender, divided: Divided, settings: RunSettings) -> ByCores | None:
    """Return the oracle of a solver that names cores; None if it names none, or its model can't have the members."""
    solver_type = PART_SOLVERS.get(contender.backend)
    if solver_type is None or len(divided.words) > MAX_PARTS:
        return None
    try:
        if divided.behind is not None:
            selected = SelectedSolver(*divided.behind()) if solver_type is PartSolver else None
            if selected is None or not selected.supported:
                return None
            return ByCores(contender, divided, settings, selected, selected.is_solution)
        members = range(len(divided.words))
        model = united(divided.make(frozenset()), [divided.make(frozenset({member})) for member in members])
        solver = None if model is None else solver_type(model.background, model.parts)
    except (BadInput, Unsupported, ValueError):
        return None
    if model is None or solver is None or not solver.supported:
        return None

    def is_right(solution: Solution, kept: Subset) -> bool:
        part = divided.make(kept)
        shown = model.solution_of(part, solution)
        return shown is not None and not violations(part.problem, part.domains, shown)

    return ByCores(contender, divided, settings, solver, is_right)


class Judges(Closing):
    """Contenders of different lineages, opened when they are first asked. It has to be closed."""

    def __init__(self, names: Sequence[str], divided: Divided, settings: RunSettings) -> None:
        self.opened = [ByContender(c, divided, settings) for name in names for c in known(name, settings.programs)]

    def close(self) -> None:
        """Close all judges."""
        for judge in self.opened:
            judge.close()


def known(name: str, programs: Mapping[str, str] = NO_PROGRAMS) -> tuple[Contender, ...]:
    """Return the contenders of a name, none if the package is not installed."""
    try:
        return resolve([name], 1, programs=programs)[0]
    except BadUsage:
        return ()


def sat_solver_of(name: str) -> str:
    """Return the solver of PySAT that a contender names, '' if it is another backend."""
    backend = name.partition("/")[0]
    return backend.removeprefix("pysat:") if backend.startswith("pysat:") else ""
