"""Query scripts with soft literals: read and written, answered as brute force does, and wrong costs are found."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from backends.queries.optimisers import OPTIMISERS, Rc2Optimiser
from harness.fuzzing.queries import CLAUSE, ScriptCase, drawn_script, refuted_by_table, shrunk_script
from puzzles.objectives.asks import QueryAsk
from puzzles.objectives.queries import QueryScript
from puzzles.readers.queries import as_trace
from tests.conftest import Harness
from tests.queries.conftest import Plant
from tests.queries.test_queries import answered, flags, script_in

# The costs are 3, 5 under -1, 4 once 1 or 3 costs too, none, and 1 once 2 costs less.
TRACE = """init
add_hard 1\nadd_hard 2\nadd_hard 0\nadd_soft_lit 1 3\nadd_soft_lit 2 5\nsolve 30\nval_obj 3\nval_lit 1
assume -1\nsolve 30\nval_obj 5
add_hard -1\nadd_hard 3\nadd_hard 0\nadd_soft_lit 3 1\nsolve 30\nval_obj 4
assume -1\nassume -2\nsolve 10
add_soft_lit 2 1\nsolve 30\nval_obj 1
release
"""
SAVED = [6, 4, 6, 0, 5]


def test_ipamirs_calls_are_read_and_written(tmp_path: Path) -> None:
    script, best = script_in(tmp_path / "a.trace", TRACE)
    assert (script.claimed.tolist(), best) == (SAVED, -sum(SAVED))
    assert script.asks[2] == QueryAsk([[-1, 3]], [], ((3, 1),))
    again, _ = script_in(tmp_path / "b.trace", as_trace(script))
    assert (again.asks, again.claimed.tolist()) == (script.asks, SAVED)
    interrupted, best = script_in(tmp_path / "c.trace", "init\nadd_soft_lit 1 2\nsolve 20\nval_obj 2\nsolve 30\n")
    assert (interrupted.claimed.tolist(), best) == ([-1, -1], None)


@pytest.mark.parametrize("solver", OPTIMISERS)
def test_each_optimiser_answers_as_brute_force(solver: str, tmp_path: Path) -> None:
    if solver == "z3":
        pytest.importorskip(solver)
    script, best = script_in(tmp_path / "a.trace", TRACE)
    for fresh in (False, True):
        answer = answered(script, solver, fresh)
        assert (answer.complete, answer.value) == (True, best)
        assert script.claims(np.array(answer.solutions[0])).tolist() == SAVED
    random = Random(3)
    for _ in range(8):
        drawn = drawn_script(random, weighted=True).script
        answer = answered(drawn, solver)
        assert answer.complete
        solution = np.array(answer.solutions[0])
        assert (drawn.judged(solution).fault, refuted_by_table(drawn, solution)) == ("", "")
        assert answer.value == -drawn.judged(solution).saved.sum()


def test_a_later_cheaper_model_refutes_an_optimum() -> None:
    """Costs never fall while those of soft literals stay: a model of the last ask is one of the first."""
    script = QueryScript.of([QueryAsk([[1, 2]], [], [(1, 3), (2, 1)]), QueryAsk([[3]], []), QueryAsk([], [], [(1, 0)])])
    wrong = script.judged(flags((1, 1, 0, 0), (1, 0, 1, 1), (1, 1, 0, 1)))
    assert wrong.fault == "wrong at ask 1: its cost 3 is not the least: the model of ask 2 costs 1"
    assert wrong.saved.tolist() == [4, 4, 2]
    assert script.judged(flags((1, 0, 1, 0), (1, 0, 1, 1), (1, 1, 0, 1))).fault == ""


class StopsEarly(Rc2Optimiser):
    """Takes the first model for the best one."""

    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        stated, self.costs = self.costs, dict.fromkeys(self.costs, 0)
        found, self.costs = super().solve(assumptions, deadline), stated
        self.known, true = {}, set(self.found or ())
        self.value = sum(cost for p, cost in stated.items() if p in true)
        return found


class KeepsCosts(Rc2Optimiser):
    """Takes no later cost of a soft literal."""

    def weigh(self, costs: Mapping[int, int], variables: int) -> None:
        super().weigh(dict(costs) | self.known, variables)


class MisstatesCosts(Rc2Optimiser):
    """States a lower cost than that of its model."""

    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        found = super().solve(assumptions, deadline)
        self.value -= 1
        return found


@pytest.mark.parametrize("fault", [StopsEarly, KeepsCosts])
def test_a_planted_fault_of_costs_is_found_and_shrunk(fault: type[Rc2Optimiser], plant: Plant) -> None:
    plant(OPTIMISERS, fault)
    random = Random(2)

    def wrong(case: ScriptCase) -> str:
        if not case.script.weighted:
            return ""
        solution = np.array(answered(case.script, "faulty").solutions[0])
        return (case.script.judged(solution).fault or refuted_by_table(case.script, solution))[:5]

    case, why = next((case, why) for _ in range(200) if (why := wrong(case := drawn_script(random, weighted=True))))
    least, _ = shrunk_script(case, why, wrong)
    assert len(least.script) <= 5
    assert sum(kind == CLAUSE for kind, _ in least.rows) <= 5


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (
            StopsEarly,
            "wrong at ask 3: its cost 5 is not the least, but a model of cost 4 by queries:cpsat/extended was",
        ),
        (MisstatesCosts, "its solution has the value 21, not 25 as stated"),
    ],
)
def test_a_run_names_the_ask_of_a_wrong_cost(
    fault: type[Rc2Optimiser], said: str, harness: Harness, tmp_path: Path, plant: Plant
) -> None:
    plant(OPTIMISERS, fault)
    (tmp_path / "a.trace").write_text(TRACE.replace("solve 30", "solve"))
    done = harness("run", tmp_path / "a.trace", "-b", "queries:faulty,queries:cpsat", "-o", tmp_path / "a.sqlite")
    assert done.code == 1, done.err
    assert said in " ".join(done.out.split())


def test_costs_of_the_application_are_compared(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.trace").write_text(TRACE.replace("val_obj 5", "val_obj 6"))
    done = harness("run", tmp_path / "a.trace", "-b", "queries:rc2,queries:cpsat")
    said = "queries:rc2/extended, queries:cpsat/extended, whose model was checked; cost 6 says the application"
    assert f"ask 2: cost 5 says {said}" in " ".join(done.out.split())
    assert done.code == 2
    other = harness("run", tmp_path / "a.trace", "-b", "queries:minisat22")
    assert (other.code, "takes no query scripts with soft literals" in other.err) == (2, True)
    refused = harness("encode", tmp_path / "a.trace", "--to", "icnf")
    assert (refused.code, "p inccnf has no soft literals: --to trace" in refused.err) == (2, True)
