"""Virtual best solver by PAR-2, and what each contender adds to it."""

import numpy as np

from harness.reporting.frame.entries import PortfolioEntry
from harness.reporting.frame.results import Results
from harness.reporting.statistics import estimates
from harness.reporting.views.figures.definitions import columns
from harness.reporting.writing.directions import Direction
from harness.reporting.writing.table import Column, ResultTable, Unit, table_of

COLUMNS = (
    "contender",
    Column("fastest on", direction=Direction.MORE),
    Column("decided alone", direction=Direction.MORE),
    Column("gain per instance", Unit.SECONDS, Direction.MORE),
)


def portfolio(results: Results, clock: str) -> PortfolioEntry:
    """Return the virtual best solver by PAR-2, and each contender's contribution to it."""
    times = np.array([np.where(c.timed, c.seconds, np.nan) for c in columns(results, clock)])
    found = estimates.portfolio(times, results.limits.of(clock))
    parts = zip(results.by_name, found.wins.tolist(), found.alone.tolist(), found.worth.tolist(), strict=True)
    contenders = [{"name": n, "wins": w, "alone": a, "worth": s} for n, w, a, s in parts]
    return {"par2": found.best, "contenders": contenders}


def portfolio_table(found: PortfolioEntry) -> ResultTable:
    """Return the virtual best solver as a table."""
    rows = [list(c.values()) for c in found["contenders"]]
    return table_of(
        COLUMNS,
        [*rows, ["virtual best (PAR-2)", "", "", found["par2"]]],
        caption="gain of the virtual best solver (PAR-2) per instance, by adding the contender to the others",
    )
