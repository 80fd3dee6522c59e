"""Words that calls take, as types for type checkers."""

from collections.abc import Collection
from typing import Literal

from harness.model.errors import BadUsage

Clock = Literal["wall", "cpu"]
Rows = Literal["outcomes", "improvements"]
Library = Literal["pandas", "polars"]
TableFormat = Literal["table", "markdown", "csv"]
Curve = Literal["cactus", "score", "ecdf", "scatter", "par2", "matrix", "scaling", "compare"]
Plot = Literal[Curve, "gap", "proved", "quality", "target", "course"]
Decided = Literal["par2", "par10", "sgm", "solved", "borda", "vbs", "shapley", "shapley-solved"]
MiniZinc = Literal["minizinc", "minizinc-2013", "minizinc-2021", "minizinc-incomplete", "minizinc-area"]
Best = Literal["best", "maxsat", "pb", "maxsat-anytime", "xcsp3", "target", "count", "primal-integral", "gap"]
Score = Literal[Decided, Best, MiniZinc, "decisions", "conflicts", "propagations"]


def require(name: str, word: object, known: Collection[object]) -> None:
    """Raise BadUsage if an argument is none of the known words."""
    if word not in known:
        raise BadUsage(f"{name}={word!r}: choose from {', '.join(map(str, known))}")
