"""Run puzzles through SAT, CP and native solvers, time them, and check that the answers agree."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.interface.answers import Candidates, Improvement, SolveResult
    from harness.interface.boards import board, candidates, steps
    from harness.interface.explaining import Explanation, explain
    from harness.interface.results import Results, open  # noqa: A004
    from harness.interface.settings import Asking, Reading, ResumeSettings, Settings, Solving
    from harness.interface.solver import Improvements, Solver, improve, solve
    from harness.interface.solving import resume, run
    from harness.model.errors import BadUsage, ClusterLost, JournalLost

__version__: str
__all__ = [
    "Asking",
    "BadUsage",
    "Candidates",
    "ClusterLost",
    "Explanation",
    "Improvement",
    "Improvements",
    "JournalLost",
    "Reading",
    "Results",
    "ResumeSettings",
    "Settings",
    "SolveResult",
    "Solver",
    "Solving",
    "board",
    "candidates",
    "explain",
    "improve",
    "open",
    "resume",
    "run",
    "solve",
    "steps",
]


def __getattr__(name: str) -> Any:
    """Load the Python interface when it is first used: `import harness` loads neither numpy nor a solver."""
    if name == "__version__":
        from importlib.metadata import version

        from harness.model.release import DISTRIBUTION

        return version(DISTRIBUTION)
    if name not in __all__:
        raise AttributeError(f"module 'harness' has no attribute {name!r}")
    from harness import interface

    return getattr(interface, name)


def __dir__() -> list[str]:
    return [*globals(), *__all__, "__version__"]
