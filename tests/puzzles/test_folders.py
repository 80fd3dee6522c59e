"""Shipped folders of instances: made again byte for byte, and what they claim is true."""

from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pysat.solvers import Solver

from puzzles import corpora
from puzzles.constraints.clauses import Clauses
from puzzles.formats import read
from puzzles.generating import cnf_files, csp_files, opb_files
from puzzles.generating.folders import FOLDERS, folder_files
from puzzles.readers.claims import read_claims
from puzzles.readers.folder import EXPECTED

HARD = 230  # variables of random clauses that may take a solver seconds


def claims_of(name: str) -> dict[str, bool]:
    """Return the claims of a shipped folder by file name."""
    return {path.name: claim.satisfiable for path, claim in read_claims([corpora.find(name) / EXPECTED]).items()}


CLAIMED = [(name, file) for name in ("cnf-random", "cnf-structured") for file in claims_of(name)]


@pytest.mark.parametrize("name", sorted(FOLDERS))
def test_a_shipped_folder_is_what_its_recipe_makes(name: str) -> None:
    folder = corpora.find(name)
    made = dict(folder_files(name))
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == made
    assert len(claims_of(name)) == len(made) - 1, "every instance has a claim"
    assert {True, False} == set(claims_of(name).values())


@pytest.mark.parametrize("name", sorted(FOLDERS))
def test_another_seed_claims_only_what_holds_for_every_seed(name: str) -> None:
    own, other = dict(folder_files(name)), dict(folder_files(name, seed=2))
    assert own.keys() == other.keys()
    drawn = {file.name for file in FOLDERS[name].files if file.drawn}
    assert not any(line.partition(",")[0] in drawn for line in other[EXPECTED].splitlines())
    assert len(dict(folder_files(name, limit=3))) == 4


@pytest.mark.parametrize(("folder", "file"), CLAIMED)
def test_claims_of_formulas_are_true(folder: str, file: str) -> None:
    path: Path = corpora.find(folder) / file
    (instance,) = read(path)
    (clauses,) = instance.problem.constraints
    assert isinstance(clauses, Clauses)
    if len(instance.problem.variables) > HARD and file.startswith("random"):
        pytest.skip("takes a solver seconds: `run cnf-random` checks it")
    with Solver("cadical195", bootstrap_with=clauses.rows) as solver:
        assert solver.solve() == claims_of(folder)[file]


def test_the_counter_reaches_its_target_within_as_many_steps() -> None:
    for bits, steps, target in product((2, 3), range(4), range(4)):
        _, clauses = cnf_files.counter(bits, steps, target)
        with Solver("minisat22", bootstrap_with=clauses) as solver:
            assert solver.solve() == (target <= steps)


def test_the_sum_of_a_hidden_choice_is_reached() -> None:
    from random import Random

    made = opb_files.subset_sum(8, 20, Random(1))
    ((terms, sign, total),) = made.rows
    sums = {
        sum(a for (a, _), taken in zip(terms, choice, strict=True) if taken) for choice in product((0, 1), repeat=8)
    }
    assert (made.variables, sign) == (8, "=")
    assert total in sums


@pytest.mark.parametrize("line", list(product((0, 1), repeat=5)))
def test_the_automaton_of_a_line_accepts_the_lines_with_its_blocks(line: tuple[int, ...]) -> None:
    text = f"<regular>{csp_files.blocks(list(line))}"
    root = ElementTree.fromstring(text)
    steps = {}
    for part in (root.findtext("transitions") or "").strip(" ()").split(")("):
        state, symbol, following = part.split(",")
        steps[state, int(symbol)] = following
    final = (root.findtext("final") or "").strip()

    def accepted(other: tuple[int, ...]) -> bool:
        state = "s0"
        for symbol in other:
            state = steps.get((state, symbol), "")
        return state == final

    def lengths(other: tuple[int, ...]) -> list[int]:
        return [len(part) for part in "".join(map(str, other)).split("0") if part]

    for other in product((0, 1), repeat=5):
        assert accepted(other) == (lengths(other) == lengths(line))


def test_xcsp3_files_are_well_formed() -> None:
    for path in corpora.find("csp").glob("*.xml"):
        root = ElementTree.parse(path).getroot()
        assert (root.tag, root.get("format"), root.get("type")) == ("instance", "XCSP3", "CSP")
