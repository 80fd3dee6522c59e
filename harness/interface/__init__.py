"""Python interface (docs/reference/python.md): run contenders, use journals as tables, frames and plots.

    import harness

    results = harness.run("hardest", ["native", "cpsat"], timeout=30)
    results                                # in a notebook: the table
    results.frame()                        # one row per contender, repeat and instance
    results.compare("cpsat", "native")     # what `compare` says
    results.rank("par2")                   # ranks with intervals

    solved = harness.solve("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
    solved["A2"], solved                   # a value by name, and the board drawn

All errors that are the user's to correct are `BadUsage`; `ClusterLost` ends a run whose scheduler is gone,
`JournalLost` one whose journal was deleted or replaced.
"""

# ruff: noqa: A004, F401 - `harness` exports these names
from harness.interface.answers import Candidates, Improvement, SolveResult
from harness.interface.boards import board, candidates, steps
from harness.interface.explaining import Explanation, explain
from harness.interface.results import Results, open
from harness.interface.settings import Asking, Reading, ResumeSettings, Settings, Solving
from harness.interface.solver import Improvements, Solver, improve, solve
from harness.interface.solving import resume, run
from harness.model.errors import BadUsage, ClusterLost, JournalLost
