"""Query scripts over a model: FlatZinc with asks, answered by clauses and by CP-SAT, judged by the model."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from backends.contract.answer import Ask
from backends.queries import QuerySession
from encoders.axes import Axes
from encoders.soft_clauses import to_queries
from puzzles.errors import BadInput
from puzzles.formats import read
from puzzles.objectives.queries import QueryScript, problem_of
from puzzles.problem.dumped import dump
from puzzles.stored import load
from tests.conftest import Harness

MODEL = """var 0..1: a;
var 0..1: b;
var 2..7: y;
var 0..9: z;
var bool: pa;
constraint bool2int(pa,a);
constraint int_lin_le([1,1],[y,z],8);
constraint int_lin_le_imp([-1],[y],-5,pa);
constraint int_lin_le([4,1],[b,z],5);
constraint int_lin_le([1,-5,-1],[y,b,z],0);
solve satisfy;
"""
ASKS = "%: ask 0 10\n%: ask a 0\n%: ask a -b 0 20\n%: ask -a 0\n%: ask b -b 0 20\n%: ask a a b 0\n"
VALUES = list(product((0, 1), (0, 1), range(2, 8), range(10)))


def script_of(path: Path, text: str = MODEL + ASKS) -> QueryScript:
    path.write_text(text)
    (found,) = read(path)
    script = found.problem.objective
    assert isinstance(script, QueryScript)
    script.check(found.problem)
    return script


def statuses(script: QueryScript) -> list[bool]:
    """Return the answer to each ask, by brute force."""
    models = [
        {"a": a, "b": b}
        for a, b, y, z in VALUES
        if y + z <= 8 and (not a or y >= 5) and 4 * b + z <= 5 and y <= 5 * b + z
    ]
    assert script.model is not None
    names = script.model.variables
    return [
        any(all(model[names[abs(p) - 1]] == (p > 0) for p in ask.assumptions) for model in models)
        for ask in script.asks
    ]


@pytest.mark.parametrize("solver", ["minisat22", "native", "cpsat"])
@pytest.mark.parametrize("fresh", [False, True])
def test_models_are_solved_under_assumptions(solver: str, fresh: bool, tmp_path: Path) -> None:
    script = script_of(tmp_path / "a.fzn")
    right, problem = statuses(script), problem_of(script, "a")
    answer = QuerySession(to_queries(script, Axes()), solver, fresh).ask(Ask(problem.open))
    assert (answer.complete, answer.value) == (True, -sum(right))
    solution = np.array(answer.solutions[0])
    assert (script.judged(solution).saved.tolist(), script.judged(solution).fault) == (right, "")
    restored = load(dump(problem))
    assert restored.digest == problem.digest
    assert restored.objective is not None
    assert restored.objective.values(solution[np.newaxis], restored).tolist() == [answer.value]


def test_a_model_of_an_ask_that_breaks_the_model_is_wrong(tmp_path: Path) -> None:
    script = script_of(tmp_path / "a.fzn", MODEL + "%: ask a b 0\n")
    assert script.model is not None
    index = {name: script.model.values.index(str(n)) for name, n in {"a": 1, "b": 1, "y": 3, "z": 1}.items()}
    row = [index[name] for name in script.model.variables]
    judged = script.judged((1, 0, *row))
    assert judged.fault.startswith("wrong at ask 1: its model is wrong: ")
    assert judged.saved.tolist() == [0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("%: ask y 0", "a.fzn:12: 'y' is no variable of 0 and 1 of this model"),
        ("%: ask nothing 0", "a.fzn:12: 'nothing' is no variable of 0 and 1"),
        ("%: ask a", "a.fzn:12: expected '%: ask', literals, 0, and perhaps 10 or 20"),
        ("%: ask a 0 30", "a.fzn:12: expected"),
        ("%: solve 0", "a.fzn:12: expected"),
    ],
)
def test_a_bad_ask_of_a_model_is_told_by_its_line(line: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.fzn").write_text(f"{MODEL}{line}\n")
    with pytest.raises(BadInput) as refused:
        list(read(tmp_path / "a.fzn"))
    assert said in str(refused.value)


def test_clauses_of_a_model_are_one_voice(harness: Harness, tmp_path: Path) -> None:
    """Solvers of clauses share our encoding; CP-SAT gets the model as it is."""
    (tmp_path / "a.fzn").write_text(MODEL + ASKS.replace(" 10", "").replace(" 20", ""))
    alone = harness("run", tmp_path / "a.fzn", "-b", "queries:minisat22,queries:native")
    assert "0 of 1 optimum confirmed" in alone.out
    both = harness("run", tmp_path / "a.fzn", "-b", "queries:minisat22,queries:cpsat", "-o", tmp_path / "a.sqlite")
    assert (both.code, "1 of 1 optimum confirmed" in both.out) == (0, True), both.out + both.err
    assert "(open loop: every solver is asked the same" in harness("report", tmp_path / "a.sqlite").out
    refused = harness("encode", tmp_path / "a.fzn", "--to", "trace")
    assert (refused.code, "its file is one already" in refused.err) == (2, True)
