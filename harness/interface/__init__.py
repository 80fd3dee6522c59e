"""Python interface (docs/python.md): run contenders, open a journal, and use its results as tables, frames and plots.

    import harness

    results = harness.run("hardest", ["native", "cpsat"], timeout=30)
    results                                # in a notebook: the table
    results.frame()                        # one row per contender, repeat and instance
    results.compare("cpsat", "native")     # what `compare` says
    results.rank("par2")                   # ranks with intervals

All errors that are the user's to correct are `BadUsage`; `ClusterLost` ends a run whose scheduler is gone,
`JournalLost` one whose journal was deleted or replaced.
"""

from harness.interface.results import Results, open  # noqa: A004
from harness.interface.settings import ResumeSettings, Settings
from harness.interface.solving import resume, run
from harness.model.errors import BadUsage, ClusterLost, JournalLost

__all__ = ["BadUsage", "ClusterLost", "JournalLost", "Results", "ResumeSettings", "Settings", "open", "resume", "run"]
