"""Wide domains of XCSP3 files: cut to the bounds that constraints leave, without a loss of solutions."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from puzzles.constraints.unsupported import unsupported_parts
from puzzles.problem.values import bits
from puzzles.readers import bounding
from puzzles.readers.building import mask_of
from tests.puzzles.test_xcsp3 import models, one, written
from tests.xcsp3_forms import FORMS, document

pytestmark = pytest.mark.skipif(find_spec("pycsp3") is None, reason="needs the extra xcsp3")

RANGES = (
    '<array id="x" size="[3]"> -1..3 </array> <array id="y" size="[2][2]"> <domain for="y[1][1]"> 0..1 </domain>'
    ' <domain for="others"> 0..2 </domain> </array>'
)
COST = '<array id="x" size="[400]"> 0..3 </array> <var id="z"> {} </var>'
DEFINED = {  # the numbers that constraints leave a cost
    "sum": ("<sum> <list> x[] </list> <condition> (eq,z) </condition> </sum>", range(1201)),
    "coefficients": (
        "<sum> <list> x[0..1] z </list> <coeffs> 2 -3 -1 </coeffs> <condition> (ge,-5) </condition> </sum>",
        range(12),
    ),
    "expression": ("<intension> eq(z,add(mul(x[0],x[1]),5)) </intension>", range(5, 15)),
    "below": ("<intension> lt(z,mul(x[0],7)) </intension>", range(22)),
    "maximum": ("<maximum> <list> x[] </list> <condition> (eq,z) </condition> </maximum>", range(4)),
    "element": ("<element> <list> x[] 9 </list> <index> x[0] </index> <value> z </value> </element>", range(10)),
    "a chain": (
        "<intension> eq(z,add(x[399],x[398])) </intension>"
        " <sum> <list> z x[0] </list> <condition> (le,4) </condition> </sum>",
        range(5),
    ),
}


@pytest.mark.parametrize("name", DEFINED)
def test_a_wide_variable_keeps_the_numbers_that_its_constraints_leave(name: str, tmp_path: Path) -> None:
    text, left = DEFINED[name]
    instance = one(written(tmp_path, document(text, COST.format("0..1000000000"))))
    numbers = list(map(int, instance.problem.values))
    domain = instance.domains[list(instance.problem.variables).index("z")]
    assert [numbers[v] for v in bits(domain)] == [*left]


@pytest.mark.parametrize("name", FORMS)
def test_no_solution_is_lost(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, document(FORMS[name][0], RANGES))
    right = {model[:7] for model in models(one(file))}
    monkeypatch.setattr(bounding, "WIDE", 1)
    assert {model[:7] for model in models(one(file))} == right


def test_a_wide_variable_costs_itself_alone_where_its_values_fit(tmp_path: Path) -> None:
    """Before, one variable of more than 65,536 numbers refused its file."""
    text = "<sum> <list> x[] z </list> <condition> (ge,5) </condition> </sum>"
    instance = one(written(tmp_path, document(text, COST.format("0..300000"))))
    assert len(instance.problem.values) == 300_001
    assert {mask.bit_count() for mask in instance.domains} == {4, 300_001}


def test_what_no_constraint_bounds_is_refused_by_name(tmp_path: Path) -> None:
    text = "<allEqual> x[] </allEqual>"
    instance = one(written(tmp_path, document(text, COST.format(f"-{2**63 - 1}..{2**63 - 1}"))))
    assert unsupported_parts(instance.problem) == "integer variables without bounds, such as z"


def test_crossing_bounds_leave_an_instance_without_solutions(tmp_path: Path) -> None:
    text = "<sum> <list> z x[0] </list> <condition> (le,-5) </condition> </sum>"
    instance = one(
        written(tmp_path, document(text, '<array id="x" size="[1]"> 0 1 </array> <var id="z"> 1..9999 </var>'))
    )
    assert models(instance) == set()


def test_a_mask_has_the_bits_of_its_numbers() -> None:
    values, starts = ((-3, -2), (0, 2), (7, 7)), {-3: 3, 0: 2, 7: -2}
    domains = ((-3, -3),), ((-2, -2), (0, 1), (7, 7)), ((0, 2),), ((-3, -2),)
    assert [mask_of(domain, values, starts) for domain in domains] == [1, 46, 28, 3]
