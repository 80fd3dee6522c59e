"""One instance in Python: `harness.solve`, `harness.improve`, and `harness.Solver`, whose worker stays open."""

from collections.abc import Callable, Generator
from typing import Any, Self, Unpack

from harness.commands import solve as verb
from harness.commands.given import print_note
from harness.interface.answers import Improvement, SolveResult, named
from harness.interface.errors import as_bad_usage
from harness.interface.models import ModelInstance
from harness.interface.reading import GivenText, Stated, arguments, instance_of, one_of
from harness.interface.settings import Asking, Path, Reading, Solving
from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.outcome import Outcomes
from harness.running.workers.following import GrowingTrajectory
from harness.runs.single import Asker
from puzzles.closing import Closing
from puzzles.objectives import stated

OnImprovement = Callable[[Improvement], object]


def solve(
    board: Stated = None,
    contender: str | None = None,
    *,
    text: str | None = None,
    path: Path | None = None,
    on_improvement: OnImprovement | None = None,
    **settings: Unpack[Solving],
) -> SolveResult:
    """Solve one board or other instance with one contender, as the verb `solve` does, and judge the answer.

    board      a board on a line or drawn, FILE, FILE:LINE, the name of a corpus, a path, rows of a grid (lists of
               numbers, 0 or None where open), a model, or an instance or problem of `puzzles`
    text       in place of `board`, an instance as text alone: for input of strangers, since it names no file
    path       in place of `board`, a file
    contender  its name; by default `native`, of an instance with an objective `cpsat`
    on_improvement  is called with each `Improvement` of an instance with an objective
    count=1, timeout=10.0 (seconds of wall time), open_limit=60.0 (seconds of CPU time for imports and compilation),
    number=1 (of the puzzle in its file), as_ (layout), alphabet, ignore_objective=False, program={"mine": "./mine"}

    Each call starts a process, and imports and compiles what the solver needs: half a second to several. A `Solver`
    keeps it. Raises BadUsage.
    """
    reading, asking = split(settings)
    with Solver(contender, **asking) as solver:
        return solver.solve(one_of(board, text, path), on_improvement=on_improvement, **reading)


def improve(
    board: Stated = None,
    contender: str | None = None,
    *,
    text: str | None = None,
    path: Path | None = None,
    **settings: Unpack[Solving],
) -> "Improvements":
    """Improvements for the best solution of an instance with an objective; iterate over its improvements as they come.

    The arguments are those of `solve`. Leaving the loop ends the solver. Raises BadUsage.
    """
    reading, asking = split(settings)
    solver = Solver(contender, **asking)
    return Improvements(solver.started(one_of(board, text, path), reading, goal=True), solver.close)


def split(settings: Solving) -> tuple[Any, Any]:
    """Return the settings about reading, and the others."""
    reading = {name: value for name, value in settings.items() if name in Reading.__annotations__}
    return reading, {name: value for name, value in settings.items() if name not in reading}


class Improvements:
    """Iterator over the improvements of one search; `result` is the judged answer once it has ended, else None."""

    def __init__(self, found: Generator[Improvement | SolveResult], at_end: Callable[[], None]) -> None:
        self._found, self._at_end = found, at_end
        self.result: SolveResult | None = None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Improvement:
        with as_bad_usage():
            for found in self._found:
                if isinstance(found, Improvement):
                    return found
                self.result = found
        self.close()
        raise StopIteration

    def close(self) -> None:
        """End the search, and with `harness.improve` the solver. Also called when a loop drops its iterator."""
        self._found.close()
        self._at_end()

    def __del__(self) -> None:
        self.close()


class Solver(Closing):
    """One contender whose process stays open between calls: use it in a `with` statement, or close it.

        with harness.Solver("cpsat", timeout=5) as solver:
            for model in models:
                print(solver.solve(model).value)

    The first call starts the process; each further one takes some milliseconds beside the solver's own time. The
    settings are those of `solve` that are not about reading: count, timeout, open_limit, program.
    """

    def __init__(self, contender: str | None = None, **settings: Unpack[Asking]) -> None:
        self._settings: dict[str, Any] = {**settings, **({"backend": contender} if contender else {})}
        with as_bad_usage():
            arguments(GivenText(""), self._settings)
        self._askers: dict[Contender, Asker] = {}

    def solve(
        self,
        board: Stated = None,
        *,
        text: str | None = None,
        path: Path | None = None,
        on_improvement: OnImprovement | None = None,
        **reading: Unpack[Reading],
    ) -> SolveResult:
        """Solve one instance, as `harness.solve` does. Raises BadUsage."""
        search = Improvements(self.started(one_of(board, text, path), reading), nothing)
        for step in search:
            if on_improvement is not None:
                on_improvement(step)
        assert search.result is not None
        return search.result

    def improve(
        self, board: Stated = None, *, text: str | None = None, path: Path | None = None, **reading: Unpack[Reading]
    ) -> Improvements:
        """Iterate over the improvements of an instance with an objective, as `harness.improve` does."""
        return Improvements(self.started(one_of(board, text, path), reading, goal=True), nothing)

    def started(self, board: Stated, reading: Reading, goal: bool = False) -> Generator[Improvement | SolveResult]:
        """Read an instance; return its improvements, and last its judged answer. Raises BadUsage.

        With `goal` an instance without an objective is refused.
        """
        with as_bad_usage():
            args = arguments(board, {**self._settings, **reading})
            model = instance_of(board, args)
            if goal and model.instance.problem.objective is None:
                raise BadUsage(f"{model.instance.name} has no objective to improve: use harness.solve")
            contender, settings = verb.request_of(args, model.instance)
        asker = self._askers.setdefault(contender, Asker(contender, settings, print_note))
        return searched(asker, model)

    def close(self) -> None:
        """End the contender's process; a later call starts another one."""
        for asker in self._askers.values():
            asker.close()


def searched(asker: Asker, model: ModelInstance) -> Generator[Improvement | SolveResult]:
    """Yield the improvements of an instance as they are reported, and last its judged answer."""
    instance = model.instance
    for found in asker.search(instance):
        if isinstance(found, Outcomes):
            yield SolveResult(verb.judged(instance, asker.contender, asker.settings, found), model.names)
        else:
            yield improvement(model, found)


def improvement(model: ModelInstance, growing: GrowingTrajectory) -> Improvement:
    """Return the best solution of a search so far."""
    problem = model.instance.problem
    goal, last = problem.objective, growing.steps[-1]
    assert goal is not None
    assert growing.value is not None
    assert growing.best is not None
    bound = None if growing.bound is None else stated(goal, growing.bound)
    values = named(problem, growing.best, model.names)
    return Improvement(stated(goal, growing.value), values, last.ns / 1e9, bound)


def nothing() -> None:
    """Do nothing: the solver outlives the search."""
