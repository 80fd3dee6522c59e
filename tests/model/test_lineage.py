"""Independence of contenders: those that share a solver, an encoder or a decoder are not independent."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.contender import Contender
from harness.model.lineage import MAX_GROUPS, Lineage, family, lineage, lineage_groups


def contender(backend: str, encoding: str, env: str = "") -> Contender:
    return Contender(f"{backend}/{encoding}", backend, encoding, "pairwise", False, env, "1")


def independent(a: Contender, b: Contender) -> bool:
    """Return independence by the masks of the groups, which must be symmetric."""
    (x, y), masks = (found := lineage_groups([lineage(a), lineage(b)])).of, found.independent
    assert (masks[x] >> np.uint64(y) & np.uint64(1)) == (masks[y] >> np.uint64(x) & np.uint64(1))
    return bool(masks[x] >> np.uint64(y) & np.uint64(1))


PYSAT, DIMACS = contender("pysat:cadical195", "extended"), contender("dimacs:cadical", "extended")
NATIVE, CPSAT = contender("native", "alldifferent"), contender("cpsat", "alldifferent")
LINES, Z3 = contender("lines:mine", "text"), contender("z3:int", "alldifferent")
HIGHS = contender("highs", "alldifferent")
ALONE = [PYSAT, NATIVE, CPSAT, LINES, Z3, HIGHS]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (PYSAT, DIMACS),
        (PYSAT, contender("pysat:glucose4", "minimal")),  # one encoder and one decoder
        (PYSAT, contender("pysat:glucose4", "reduced")),
        (PYSAT, contender("pysat:cadical195", "extended", "old")),
        (NATIVE, contender("native:kernel", "alldifferent")),
        (CPSAT, contender("cpsat", "booleans")),
        (LINES, contender("lines:other", "text")),
        (contender("z3:bv", "alldifferent"), contender("cvc5:int", "alldifferent")),  # one writer of scripts
        (HIGHS, contender("scip", "alldifferent")),  # one encoder
        (contender("exact", "alldifferent"), contender("opb:roundingsat", "alldifferent")),
        (contender("naps", "alldifferent"), PYSAT),  # CaDiCaL in both
        (contender("choco", "alldifferent"), contender("pumpkin", "alldifferent")),  # one flat program
        (contender("toulbar2", "alldifferent"), contender("pumpkin", "alldifferent")),
        (contender("cpmpy:pumpkin", "alldifferent"), contender("pumpkin", "alldifferent")),
        (contender("lines:kissat", "text"), contender("pysat:kissat404", "extended")),
    ],
    ids=lambda c: c.name,
)
def test_contenders_that_share_a_solver_an_encoder_or_a_decoder_are_not_independent(a: Contender, b: Contender) -> None:
    assert not independent(a, b)


@pytest.mark.parametrize(("a", "b"), list(combinations(ALONE, 2)), ids=lambda c: c.name)
def test_contenders_without_a_common_component_are_independent(a: Contender, b: Contender) -> None:
    assert independent(a, b)


@pytest.mark.parametrize(
    ("backend", "solver"),
    [
        ("pysat:cadical195", "cadical"),
        ("pysat:glucose42", "glucose"),
        ("pysat:gluecard4", "gluecard"),
        ("pysat:minisat-gh", "minisat"),
        ("pysat:ergo", "ergo"),
        ("dimacs:cryptominisat5", "cryptominisat"),
        ("dimacs:cadical-1.9.5", "cadical"),
        ("dimacs:7", "7"),
        ("opb:roundingsat", "roundingsat"),
        ("opb:minisatp", "minisatp"),
        ("naps", "naps"),
        ("minizinc:cp-sat", "cpsat"),
        ("cpmpy:ortools", "cpsat"),
        ("xcsp3:ace", "ace"),
        ("lines:mine:batch", "mine"),
        ("native:kernel", "native"),
        ("cpsat", "cpsat"),
        ("plugin:variant3", "plugin"),
    ],
)
def test_a_family_is_the_solver_without_its_version(backend: str, solver: str) -> None:
    assert family(backend) == solver


parts = st.sampled_from("abcd")
descents = st.builds(Lineage, st.frozensets(parts, min_size=1, max_size=2), st.sampled_from(("", "x", "y")), parts)


@given(st.lists(descents, max_size=12))
def test_masks_of_groups_agree_with_pairwise_independence(every: list[Lineage]) -> None:
    found = lineage_groups(every)
    for i, a in enumerate(every):
        for j, b in enumerate(every):
            seen = int(found.independent[found.of[i]]) >> found.of[j] & 1
            assert seen == a.independent(b)


def test_more_groups_than_bits_never_make_dependent_contenders_independent() -> None:
    every = [Lineage(frozenset((f"s{i}",)), f"e{i // 2}", f"d{i}") for i in range(4 * MAX_GROUPS)]
    found = lineage_groups(every)
    assert max(found.of) == MAX_GROUPS - 1
    for i, j in combinations(range(4 * MAX_GROUPS), 2):
        if found.independent[found.of[i]] >> np.uint64(found.of[j]) & np.uint64(1):
            assert every[i].independent(every[j])
