"""`harness.explain`: parts of an instance or a model that contradict each other, or that are to be left out."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from harness.explaining.found import explanations
from harness.explaining.members import Divided, divided
from harness.explaining.sources import divided_file
from harness.explaining.subsets import Subset
from harness.interface.errors import as_bad_usage
from harness.interface.models import base_of, instance_of_model
from harness.interface.models.clauses import is_clauses
from harness.model.reading import locate, read_puzzle
from harness.model.settings import RunSettings
from puzzles.boards.layout import Layout
from puzzles.formats import ReaderOptions
from puzzles.problem import Instance


class Explanation(NamedTuple):
    """Members in the words of the source, the verdict of the check, and the superfluous member if one is known."""

    parts: tuple[str, ...]
    verdict: str
    superfluous: str = ""


def explain(
    given: Any, extractors: Sequence[str] = (), most: int | None = None, fix: bool = False, timeout: float = 10.0
) -> list[Explanation]:
    """Return a minimal unsatisfiable subset of a file, a board, or a model, one of each extractor, or up to `most`.

    Members of a model of CPMpy are its constraints. With `fix` minimal sets are returned after whose removal there is
    a solution. Raises BadUsage, also if there is a solution.
    """
    with as_bad_usage():
        known = members_of(given)
        found = list(explanations(known, extractors, RunSettings(timeout), most, fix))
    return [
        Explanation(
            tuple(known.words[m] for m in sorted(one.subset or ()) if m < len(known.words)),
            one.checked.verdict,
            "" if one.checked.member is None else known.words[one.checked.member],
        )
        for one in found
    ]


def members_of(given: Any) -> Divided:
    """Return the members of what `explain` takes. Raises BadInput, BadUsage."""
    if base_of(given)[0] == "cpmpy":
        return of_cpmpy(given)
    if base_of(given)[0] or is_clauses(given):
        return divided(instance_of_model(given).instance)
    puzzle = read_puzzle(str(given), ReaderOptions(ignore_objective=True))
    place = locate(str(given))
    if place is None or place[1] or isinstance(puzzle.problem, Layout):
        return divided(puzzle)
    return divided_file(puzzle, Path(place[0]))


def of_cpmpy(model: Any) -> Divided:
    """Return the constraints of a model of CPMpy, as it prints them."""
    from cpmpy import Model
    from cpmpy.transformations.normalize import toplevel_list

    rows = toplevel_list(model.constraints)
    whole = instance_of_model(Model(rows)).instance

    def make(kept: Subset) -> Instance[Any]:
        if not kept:
            return whole.stated(problem=replace(whole.problem, constraints=()))
        return instance_of_model(Model([rows[i] for i in sorted(kept)])).instance

    return Divided(whole, [str(row) for row in rows], make)
