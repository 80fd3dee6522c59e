"""Table of values that contenders reached on instances with an objective, below the ranking by times."""

from dataclasses import replace

from harness.reporting.frame.entries import Summary, field_of
from harness.reporting.writing.directions import Direction
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
KEYS = ("infeasible", "feasible", "none", "best", "gap", "to_best", "dropped")
NARROW = (shorten_names, shorten_heads, omit(LOST), omit("to best"), omit("gap"))


def has_objectives(summary: Summary) -> bool:
    """Return True if a contender was asked for the best solution of some instance."""
    return any(c["objective"] for c in summary["contenders"])


COUNT_COLUMNS = (
    Column("contender", names=True),
    Column("exact", direction=Direction.MORE),
    Column("without models", Unit.COUNT, Direction.MORE),
    Column("estimates", Unit.COUNT),
    Column("none", Unit.COUNT, Direction.LESS),
    Column("log10 error", Unit.NUMBER, Direction.LESS),
)


def objective_table(summary: Summary) -> ResultTable:
    """Return the table, contenders with wrong answers last; a column of zeros is left out but for `optimal`."""
    shown = [(c, goal) for c in summary["contenders"] if (goal := c["objective"])]
    shown.sort(key=lambda pair: (pair[0]["wrong"] > 0, -pair[1]["optimal"], pair[1]["gap"] or 0.0))
    optima = [
        Cell(goal["optimal"], f"{goal['optimal']:,}/{goal['instances'] - goal['infeasible']:,}") for _, goal in shown
    ]
    rows = [
        (c["name"], most, *(field_of(goal, key) for key in KEYS)) for (c, goal), most in zip(shown, optima, strict=True)
    ]
    if summary.get("count_models"):
        counts = ("infeasible", "feasible", "none", "log10_error")
        rows = [
            (c["name"], o, *(field_of(goal, key) for key in counts)) for (c, goal), o in zip(shown, optima, strict=True)
        ]
        return table_of(COUNT_COLUMNS, rows, narrow=(shorten_names, shorten_heads))
    table = table_of(COLUMNS, rows, narrow=NARROW)
    return replace(omit_zeros("infeasible", LOST)(table), left_out=())
