"""The optimiser of native solvers: against brute force, with turns and limits that cut, and its parts."""

from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("numba")

from backends.contract.answer import Ask, Status
from backends.contract.objective_checks import Heard
from backends.native.cdcl import objectives, session
from backends.native.cdcl.models import CdclModels, compile_kernels
from backends.native.cdcl.optimising import Weighing
from backends.native.cdcl.rules import LARGEST_SUM, ClausesAndRules
from backends.native.optimising import cores, search
from backends.native.optimising.events import Core, Event, Hardened, Improved
from backends.native.optimising.objective import Cost
from backends.native.optimising.optimum import Optimum
from backends.native.optimising.totalizers import Totalizer
from encoders.cnf import Signs
from encoders.formula import Cnf, Wcnf

VARIABLES = 6
LITERALS = st.integers(1, VARIABLES).flatmap(lambda x: st.sampled_from((x, -x)))
CLAUSES = st.lists(st.lists(LITERALS, min_size=1, max_size=4), max_size=14)
SMALL = st.integers(1, 5)
WEIGHTS = {"equal": st.just(3), "small": SMALL, "large": st.sampled_from((1, 2, 1000, 1001, 10**6)),
           "huge": st.sampled_from((1, 2, 1 << 61, (1 << 64) - 1))}  # fmt: skip
Clause = Sequence[int]


def holds(clause: Clause, values: Sequence[bool]) -> bool:
    return any(values[abs(x) - 1] == (x > 0) for x in clause)


def models_of(clauses: Sequence[Clause], variables: int = VARIABLES) -> list[tuple[bool, ...]]:
    every = product((False, True), repeat=variables)
    return [values for values in every if all(holds(clause, values) for clause in clauses)]


def least_cost(hard: Sequence[Clause], soft: Sequence[tuple[int, Clause]]) -> int | None:
    costs = (sum(w for w, clause in soft if not holds(clause, values)) for values in models_of(hard))
    return min(costs, default=None)


def flat(clauses: Sequence[Clause]) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    return np.array([x for clause in clauses for x in (*clause, 0)], np.int32)


def formula(hard: Sequence[Clause], soft: Sequence[tuple[int, Clause]], offset: int = 0) -> Wcnf:
    weights = [weight for weight, _ in soft]
    numbers = np.array(weights, np.int64 if sum(weights) < 1 << 62 else object)
    clauses = Cnf(flat(hard), VARIABLES, Signs(VARIABLES))
    return Wcnf(clauses, flat([clause for _, clause in soft]), numbers, offset)


def solver(clauses: Sequence[Clause], variables: int = VARIABLES) -> CdclModels:
    compile_kernels()
    return CdclModels(ClausesAndRules(flat(clauses), variables), [], 60.0, False)


@st.composite
def weighted_formulas(draw: st.DrawFn) -> tuple[list[list[int]], list[tuple[int, list[int]]]]:
    kind = draw(st.sampled_from(sorted(WEIGHTS)))
    soft = st.tuples(WEIGHTS[kind], st.lists(LITERALS, max_size=3))
    return draw(CLAUSES), draw(st.lists(soft, max_size=12))


@pytest.mark.parametrize("slice_", [1, 2000], ids=["turns of one conflict", "turns as they are"])
@given(weighted_formulas(), st.integers(-3, 3))
def test_the_best_model_is_found_and_no_bound_is_above_it(
    slice_: int, given_: tuple[list[list[int]], list[tuple[int, list[int]]]], offset: int
) -> None:
    hard, soft = given_
    best, heard = least_cost(hard, soft), Heard()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "SLICE", slice_)
        answer = session.open(formula(hard, soft, offset)).ask(Ask((3,) * VARIABLES, listener=heard))
    assert answer.complete
    if best is None:
        assert (answer.status, answer.solutions, heard.improvements) == (Status.UNSATISFIABLE, (), [])
        return
    values = [value for value, _ in heard.improvements]
    assert (answer.value, answer.bound) == (best + offset, best + offset)
    assert values == sorted(set(values), reverse=True)
    assert heard.bounds == sorted(set(heard.bounds))
    assert heard.bounds[-1] == best + offset


def planted(seed: int, variables: int, weights: Sequence[int]) -> Wcnf:
    draw = np.random.default_rng(seed)
    signs = draw.choice((-1, 1), (5 * variables, 3))
    rows = (draw.integers(1, variables + 1, (5 * variables, 3)) * signs).tolist()
    hard = [row for row in rows[: 3 * variables] if max(row) > 0]  # all true is a model
    soft = [(int(draw.choice(weights)), row[:2]) for row in rows[3 * variables :]]
    clauses = Cnf(flat(hard), variables, Signs(variables))
    return Wcnf(clauses, flat([row for _, row in soft]), np.array([w for w, _ in soft]))


@pytest.mark.parametrize("weights", [(1,), (1, 2, 3, 50, 1000)], ids=["equal weights", "weights of many sizes"])
def test_turns_agree_with_core_guided_search_alone(weights: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(4):
        problem = planted(seed, 40, weights)
        ask = Ask((3,) * 40, seconds=60.0)
        monkeypatch.setattr(search, "SLICE", 10)
        monkeypatch.setattr(objectives, "LARGEST_SUM", LARGEST_SUM)
        turns = session.open(problem).ask(ask)
        monkeypatch.setattr(objectives, "LARGEST_SUM", 0)
        alone = session.open(problem).ask(ask)
        assert (turns.complete, alone.complete) == (True, True)
        assert turns.value == alone.value


@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.05])
def test_what_is_reported_before_a_limit_holds(seconds: float) -> None:
    problem = planted(7, 150, (1, 2, 3, 7))
    heard = Heard()
    answer = session.open(problem).ask(Ask((3,) * 150, seconds=seconds, listener=heard))
    shown = [value for value, _ in heard.improvements]
    assert all(a > b for a, b in pairwise(shown))
    assert all(a < b for a, b in pairwise(heard.bounds))
    if shown and heard.bounds:
        assert heard.bounds[-1] <= shown[-1]
    assert answer.value == (shown[-1] if shown else None)


@given(CLAUSES, st.lists(st.lists(LITERALS, max_size=VARIABLES, unique_by=abs), max_size=5))
def test_assumptions_hold_or_their_core_can_not(clauses: list[list[int]], asked: list[list[int]]) -> None:
    models = solver(clauses)
    for assumed in asked:
        if models.solve(assumed):
            model = models.model()
            assert set(assumed) <= set(model)
            assert all(not set(clause).isdisjoint(model) for clause in clauses)
        else:
            assert set(models.core) <= set(assumed)
            assert not models_of([*clauses, *([x] for x in models.core)])


def test_a_search_ends_after_enough_conflicts_and_goes_on_later() -> None:
    holes = 7  # pigeons that do not fit
    at = [[1 + pigeon * holes + hole for hole in range(holes)] for pigeon in range(holes + 1)]
    pairs = [[-a[h], -b[h]] for i, a in enumerate(at) for b in at[:i] for h in range(holes)]
    models = solver([*at, *pairs], holes * (holes + 1))
    assert models.solve((), until=20) is None
    assert models.conflicts == 20
    assert models.solve() is False


@given(st.lists(LITERALS, min_size=2, max_size=VARIABLES, unique_by=abs), st.integers(0, (1 << VARIABLES) - 1))
def test_a_totalizer_counts_true_literals(literals: list[int], values: int) -> None:
    models = solver([])
    counter = Totalizer.over(literals)
    fixed = [x if values >> x & 1 else -x for x in range(1, VARIABLES + 1)]
    true = sum(x in fixed for x in literals)
    for k in range(1, counter.size + 1):
        assert models.solve([*fixed, -counter.at_least(k, models)]) is (k > true)


def test_new_variables_make_room_while_clauses_stay() -> None:
    models = solver([[1, 2], [-1, 3]], 3)
    chain = [models.new() for _ in range(1000)]
    models.add([x for a, b in pairwise([3, *chain]) for x in (-a, b, 0)])
    models.add([-chain[-1], 0])
    assert models.solve()
    assert {-1, 2, -3} <= set(models.model())
    assert models.solve([3]) is False
    assert models.core == [3]


def test_a_literal_and_its_negation_cost_at_least_the_lesser_weight() -> None:
    cost = Cost.of([(1, 5), (-1, 3), (2, 4), (2, 1), (-3, 2), (3, 2)], 7)
    assert (cost.weights, cost.lower) == ({1: 2, 2: 5}, 12)


def test_a_stratum_has_several_literals_for_each_weight() -> None:
    cost = Cost.of([(1, 100), (2, 90), (3, 90), (4, 5), (5, 1)], 0)
    assert cost.below(None) == 90
    assert cost.stratum(90) == [1, 2, 3]
    assert (cost.below(90), cost.below(5), cost.below(1)) == (5, 1, None)


def test_a_core_is_made_smaller() -> None:
    models = solver([[-1, -2], [-3, 4], [-4, -5, -6]])
    optimum = Optimum(models, None, print, None)  # type: ignore[arg-type]
    guided = cores.CoreGuided(optimum, Cost.of([(x, x) for x in range(1, 7)], 0), 1)
    assert sorted(guided.smaller([3, 5, 6, 1, 2])) in ([1, 2], [3, 5, 6])


@given(weighted_formulas())
def test_what_a_search_tells_is_so(given_: tuple[list[list[int]], list[tuple[int, list[int]]]]) -> None:
    """A core's literals are not all true in a better model, hard ones are, values fall, and no bound is too high."""
    hard, soft = given_
    form, events = formula(hard, soft), list[Event]()
    answer = Weighing(form, events.append).ask(Ask((3,) * VARIABLES))
    own = {literal: clause for clause, literal in Cost.of_clauses(form.soft_rows(), 0, VARIABLES)[1].items()}
    every = [(values, sum(w for w, c in soft if not holds(c, values))) for values in models_of(hard)]
    better = every
    for event in events:
        match event:
            case Improved(value):
                assert value in {cost for _, cost in better}
                better = [(values, cost) for values, cost in every if cost < value]
            case Core(literals, _, lower):
                assert answer.value is not None
                assert lower <= answer.value
                if all(abs(x) <= VARIABLES or x in own for x in literals):
                    clauses = [own.get(x, (x,)) for x in literals]
                    assert not any(all(holds(c, values) for c in clauses) for values, _ in better)
            case Hardened(literals):
                known = [own.get(x, (x,)) for x in literals if abs(x) <= VARIABLES or x in own]
                assert all(holds(clause, values) for clause in known for values, _ in better)
    values = [event.value for event in events if isinstance(event, Improved)]
    assert values == sorted(set(values), reverse=True)
    assert values[-1:] == ([] if answer.value is None else [answer.value])
