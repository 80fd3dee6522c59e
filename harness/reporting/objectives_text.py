"""Table of values that contenders reached on instances with an objective, below the ranking by times."""

from dataclasses import replace
from typing import Any

from harness.reporting.directions import Direction
from harness.reporting.writing.fitting import omit, omit_zeros, shorten_heads, shorten_names
from harness.reporting.writing.table import Cell, Column, ResultTable, Unit, table_of

LOST = "unread"  # improvements that were overwritten before they were read; a column if there are any
COLUMNS = (
    Column("contender", names=True),
    Column("optimal", direction=Direction.MORE),
    Column("infeasible", Unit.COUNT, Direction.MORE, short="infeas."),
    Column("feasible", Unit.COUNT),
    Column("none", Unit.COUNT, Direction.LESS),
    Column("best value known", Unit.COUNT, Direction.MORE, short="best"),
    Column("mean gap", Unit.SHARE, Direction.LESS, short="gap"),
    Column("time to best", Unit.SECONDS, Direction.LESS, short="to best"),
    Column(LOST, Unit.COUNT, Direction.LESS),
)
KEYS = ("optimal", "infeasible", "feasible", "none", "best", "gap", "to_best", "dropped")
NARROW = (shorten_names, shorten_heads, omit(LOST), omit("to best"), omit("gap"))


def has_objectives(summary: dict[str, Any]) -> bool:
    """Return True if a contender was asked for the best solution of some instance."""
    return any(c["objective"] for c in summary["contenders"])


def objective_table(summary: dict[str, Any]) -> ResultTable:
    """Return the table, contenders with wrong answers last; a column of zeros is left out but for `optimal`."""
    shown = [c for c in summary["contenders"] if c["objective"]]
    shown.sort(key=lambda c: (c["wrong"] > 0, -c["objective"]["optimal"], c["objective"]["gap"] or 0.0))
    goals = [c["objective"] for c in shown]
    rows = [[goal[key] for key in KEYS[1:]] for goal in goals]
    optima = [Cell(goal["optimal"], f"{goal['optimal']:,}/{goal['instances']:,}") for goal in goals]
    table = table_of(
        COLUMNS, [(c["name"], most, *row) for c, most, row in zip(shown, optima, rows, strict=True)], narrow=NARROW
    )
    return replace(omit_zeros("infeasible", LOST)(table), left_out=())
