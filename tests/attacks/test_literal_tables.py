"""Attack: wrong or malformed formulas of plug-ins, with proofs that refute them, of boards with a solution.

tests/plugins/encodings/evil.py has the encodings, and a backend that proves that their formulas have no solution.
"""

import os
from collections import Counter
from collections.abc import Iterable
from random import Random

import numpy as np
import pytest

from encoders.cnf import extended
from encoders.formula import Cnf
from harness.judging.formulas.link import link_formula
from harness.judging.formulas.shape import shape_fault
from harness.judging.proof import solver_fault
from puzzles.boards.families import layout
from puzzles.problem.values import Domains
from tests.conftest import PLUGINS, Harness, forget_plugins
from tests.plugins.encodings import evil
from tests.proofs import proof_fault

pytestmark = pytest.mark.usefixtures("forked")

SMALL = layout("sudoku 2x2")
SOLUTION = (0, 1, 2, 3, 2, 3, 0, 1, 1, 0, 3, 2, 3, 2, 1, 0)
MALFORMED = ("zero", "short", "long", "dropped", "added", "emptied", "beyond", "odd", "unended", "fewer")


def boards(number: int, random: Random) -> Iterable[Domains]:
    """Yield boards with SOLUTION, of which a part of the squares is open or has candidates."""
    for _ in range(number):
        yield tuple(
            1 << v if random.random() < 0.4 else random.randrange(16) | 1 << v if random.random() < 0.5 else 15
            for v in SOLUTION
        )


def refuting_proof(formula: Cnf, domains: Domains) -> bytes | None:
    """Return a proof that refutes what is concluded from a formula and a board, None if it has a model or no sense."""
    proof = evil.refutation(formula, domains)
    try:
        if max(abs(x) for clause in evil.concluded(formula, domains) for x in clause) > formula.variables:
            return None
        return None if solver_fault(SMALL, domains, formula, (), proof) else proof
    except (TypeError, ValueError, IndexError):
        return None


@pytest.mark.slow
def test_no_changed_formula_certifies_that_a_board_with_a_solution_has_none() -> None:
    refuted, random = Counter[str](), Random(4)
    for domains in boards(250, random):
        formula = evil.mutated(SMALL, domains)
        if proof := refuting_proof(formula, domains):
            refuted[proof_fault(SMALL, domains, formula, (), proof)[:60]] += 1
    assert refuted.total() > 60, "most of these formulas are satisfiable, so nothing is tested"
    assert len(refuted) > 8, refuted
    assert "" not in refuted


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_formula_is_named_by_what_is_malformed_in_it(name: str) -> None:
    for seed in range(20):
        formula = evil.changed(extended(SMALL), [name], Random(seed))
        fault = shape_fault(SMALL, formula)
        assert fault
        assert link_formula(SMALL, formula).fault == fault


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"variables": -1}, "-1 is no number of variables"),
        ({"variables": 64.0}, "64.0 is no number of variables"),
        ({"variables": True}, "True is no number of variables"),
        ({"variables": 2**31}, "2147483648 is no number of variables"),
        ({"clauses": np.array([1.0, 0.0])}, "its clauses are no flat array of integers"),
        ({"clauses": np.array([True, False])}, "its clauses are no flat array of integers"),
        ({"clauses": np.array([[1, 0]])}, "its clauses are no flat array of integers"),
        ({"clauses": [1, 0]}, "its clauses are no flat array of integers"),
        ({"clauses": np.array([-(2**31), 0], np.int32)}, "its clauses name variable 2147483648 of 64"),
        ({"literal": "literals"}, "its table of literals is no sequence"),
        ({"literal": ("abcd",) * 16}, "row 1 of its table of literals has 4 entries, not 4"),
        ({"literal": (7,) * 16}, "row 1 of its table of literals has no entries, not 4"),
        ({"literal": ((1, 2, 3, np.bool_(True)),) * 16}, "row 1 of its table of literals: np.True_ is no integer"),
        ({"at_most": (((1, 0), 1),)}, "its at-most-one group 1: 0 is no literal of 64 variables"),
        ({"at_most": (((1, 2), 1.0),)}, "its at-most-one group 1: 1.0 is no integer"),
        ({"at_most": ((1, 2, 3),)}, "its at-most-one group 1 is no pair of literals and their number"),
        ({"at_most": 7}, "its at-most-one groups are no sequence"),
    ],
    ids=lambda x: None if isinstance(x, dict) else x.split(":")[-1][:40],
)
def test_parts_of_other_types_are_malformed(change: dict[str, object], fault: str) -> None:
    good = extended(SMALL)
    fields = {name: getattr(good, name) for name in ("clauses", "variables", "literal", "at_most")}
    assert shape_fault(SMALL, good) == ""
    assert shape_fault(SMALL, Cnf(**fields | change)) == fault


def test_integers_of_numpy_are_literals() -> None:
    good = extended(SMALL)
    table = tuple(tuple(np.array(row, np.int32)) for row in good.literal)
    assert shape_fault(SMALL, Cnf(good.clauses.astype(np.int64), np.int64(good.variables), table)) == ""  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_run_certifies_nothing_by_a_malformed_table_and_does_not_blame_the_corpus(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(PLUGINS / "encodings"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.environ["PYTHONPATH"], str(PLUGINS / "encodings")]))
    forget_plugins()
    names = [f"evil:cad/{name}" for name in ("zero", "short", "long")]
    chosen = [word for name in names for word in ("-b", name)]
    done = harness("run", "hardest", "-n", 2, "--count", 2, "--proof", *chosen, "--json", "-")
    assert done.code == 1
    assert [d for d in done.summary["agreement"]["disagreements"] if "corpus" in d] == []
    assert done.summary["agreement"]["certified"] == 0
    for name in names:
        entry = done.contender(name)
        assert (entry["certified"], entry["refused"], entry["wrong"]) == (0, 2, 2)
        (trouble,) = entry["trouble"]
        assert "proof refused: the formula does not match the puzzle: row " in trouble["why"]
