"""Problems restored from bytes: a Layout as a Layout, a Board as a Board, so this stands above both."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from puzzles.problem import Problem
from puzzles.problem.content import names_from_json, values_from_json
from puzzles.problem.declared import items_from_json
from puzzles.problem.dumped import decoded

if TYPE_CHECKING:  # numpy is imported at its first use
    import numpy.typing as npt

    Array = npt.NDArray[Any]


@cache
def kinds_of_constraints() -> Mapping[str, Any]:
    """Return the classes of constraints by kind; they need numpy."""
    from puzzles.constraints import kinds

    return kinds()


def load(content: str | bytes) -> Problem:
    """Return the problem that `dump` wrote; a Layout is restored as a Layout, a Board as a Board."""
    return restored(decoded(content))


def restored(data: dict[str, Any]) -> Problem:
    """Return the problem of its name and content."""
    if "squares" in data:
        from puzzles.boards.layout import Layout

        return Layout.from_data(data)
    name, values, kinds = data["name"], values_from_json(data["values"]), kinds_of_constraints()
    constraints = []
    for stated in data["constraints"]:
        kind = kinds[stated.pop("kind")]
        constraints.append(kind.from_data(stated))
    goal = None
    if "objective" in data:
        from puzzles.objectives import objective_from_data

        stated = data["objective"]
        model = {"model": restored({"name": "model", **stated["model"]})} if "model" in stated else {}
        goal = objective_from_data(stated | model)
    parts = name, names_from_json(data["variables"]), values, tuple(constraints)
    if "grid" in data:
        from puzzles.boards.board import Board
        from puzzles.boards.drawing import Grid

        return Board(*parts, Grid.from_data(data["grid"]), objective=goal)
    declared = items_from_json(data.get("declared"), len(data["variables"]) if "declared" in data else 0)
    return Problem(*parts, objective=goal, free=tuple(data.get("free", ())), declared=declared)
