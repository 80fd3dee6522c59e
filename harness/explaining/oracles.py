"""Oracles decide subsets of the members: SAT solvers of PySAT, which name cores, where members are clauses; contenders.

No answer is trusted: a solution is checked, and the result of an extraction by `checking`.
"""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from backends.contract.answer import Status
from backends.contract.registry import NO_PROGRAMS
from backends.pysat.cores import GroupSolver
from harness.explaining.members import Divided
from harness.explaining.subsets import Decided, Subset, Undecided
from harness.model.contender import Contender, resolve
from harness.model.errors import BadUsage
from harness.model.outcome import counted_status
from harness.model.selection.fitting import refuses
from harness.model.settings import RunSettings
from harness.runs.single import Asker
from puzzles.problem.check import violations


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
            return Decided(False, kept)
        raise Undecided(f"{self.contender.name} does not decide {len(kept)} members")

    def close(self) -> None:
        self.asker.close()


class Judges:
    """Contenders of different lineages, opened when they are first asked. It has to be closed."""

    def __init__(self, names: Sequence[str], divided: Divided, settings: RunSettings) -> None:
        self.opened = [ByContender(c, divided, settings) for name in names for c in known(name, settings.programs)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
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
