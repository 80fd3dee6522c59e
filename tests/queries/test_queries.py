"""Query scripts: read and written, answered by each incremental solver, and faults of a solver are found."""

from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from backends.contract.answer import Answer, Ask
from backends.queries import QuerySession
from backends.queries.solvers import SOLVERS, PySatQueries
from encoders.formula import QueryFormula
from harness.judging.objectives import is_false
from harness.model.lineage import lineage_of
from harness.model.trajectory import Trajectory
from puzzles.errors import BadInput
from puzzles.formats import read
from puzzles.labels import label
from puzzles.objectives.asks import QueryAsk
from puzzles.objectives.queries import QueryScript, problem_of
from puzzles.readers.queries import as_inccnf, as_trace
from tests.conftest import Harness

SCRIPT = "p inccnf\n1 2 0\n-1 2 0\na -2 0\na 1 0\nc a comment\n-2 3 0\na 2 -3 0\na 0\n-3 0\na 0\n"
STATUSES = [False, True, False, True, False]


def script_in(path: Path, text: str) -> tuple[QueryScript, int | None]:
    path.write_text(text)
    (found,) = read(path)
    assert label(found.problem) == "query script"
    assert isinstance(found.problem.objective, QueryScript)
    found.problem.objective.check(found.problem)
    return found.problem.objective, found.optimum


def drawn(random: Random, n: int = 5, asks: int = 12) -> QueryScript:
    """Return a random script, which soon has few models."""

    def literals(most: int) -> list[int]:
        return [random.choice((1, -1)) * x for x in random.sample(range(1, n + 1), random.randint(1, most))]

    return QueryScript.of(
        (
            QueryAsk([literals(3) for _ in range(random.randint(0, 2))], literals(3)[random.randint(0, 1) :])
            for _ in range(asks)
        ),
        n,
    )


def statuses(script: QueryScript) -> list[bool]:
    """Return the answer to each ask, by brute force."""
    known, found = list[list[int]](), list[bool]()
    models = [dict(enumerate(row, 1)) for row in product((False, True), repeat=script.variables)]
    for clauses, assumptions in script.asks:
        known += clauses
        rows = [*known, *([p] for p in assumptions)]
        found.append(any(all(any(model[abs(p)] == (p > 0) for p in row) for row in rows) for model in models))
    return found


def answered(script: QueryScript, solver: str, fresh: bool = False) -> Answer:
    return QuerySession(QueryFormula(script), solver, fresh).ask(Ask(problem_of(script, "a").open))


def test_scripts_are_read_and_written_in_both_formats(tmp_path: Path) -> None:
    script, optimum = script_in(tmp_path / "a.icnf", SCRIPT)
    assert optimum is None
    assert script.asks[2] == QueryAsk([[-2, 3]], [2, -3])
    for write in (as_inccnf, as_trace):
        again, _ = script_in(tmp_path / "b", write(script))
        assert again.data()["variables"] == 3
        assert again.asks == script.asks
    trace = (
        "init\nset elim 0\nadd 1\nadd -2\nadd 0\nassume 2\nassume -1\nsolve\nfailed 2\nassume 2\nsolve\nval 1\nreset\n"
    )
    script, optimum = script_in(tmp_path / "c.trace", trace)
    assert (script.asks, optimum) == ([QueryAsk([[1, -2]], [2, -1]), QueryAsk([], [2])], -1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p inccnf\n1 2\na 1 0\n", "a:2: expected literals and one 0 at the end of the line"),
        ("p inccnf\n1 0\na x 0\n", "a:3: 'x' is not a literal"),
        ("p inccnf\n1 0\n", "without an ask"),
        ("init\nadd 1\nadd 0\nconstrain 1\nsolve\n", "a:4: 'constrain': a constraint of one ask is not read"),
        ("init\nadd\nsolve\n", "a:2: expected 'add' and a literal"),
    ],
)
def test_a_bad_script_is_told_by_its_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a").write_text(text)
    with pytest.raises(BadInput) as refused:
        list(read(tmp_path / "a"))
    assert said in str(refused.value)


@pytest.mark.parametrize("solver", SOLVERS)
def test_each_solver_answers_as_brute_force(solver: str) -> None:
    if solver == "z3":
        pytest.importorskip("z3")
    random = Random(1)
    for fresh in (False, True):
        for _ in range(4):
            script = drawn(random)
            answer, right = answered(script, solver, fresh), statuses(script)
            assert answer.complete
            assert answer.value == -sum(right)
            assert script.judged(answer.solutions[0]) == (pytest.approx(right), "")


class Faulty(PySatQueries):
    """A solver with a fault, which concerns the asks of even number."""

    asks = 0

    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        self.asks += 1
        return super().solve(self.assumed(list(assumptions)), deadline)

    def assumed(self, assumptions: list[int]) -> list[int]:
        return assumptions

    @property
    def struck(self) -> bool:
        return self.asks % 2 == 0


class KeepsAssumption(Faulty):
    def assumed(self, assumptions: list[int]) -> list[int]:
        if assumptions:
            self.add([assumptions[:1]])
        return assumptions


class DropsAssumption(Faulty):
    def assumed(self, assumptions: list[int]) -> list[int]:
        return assumptions[1:]


class DropsClauses(Faulty):
    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        super().add([] if self.asks == 1 else clauses)


class LosesState(Faulty):
    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        if self.asks:
            self.__init__("minisat22")  # type: ignore[misc]
        super().add(clauses)


class FormerModel(Faulty):
    last: Sequence[int] = ()

    def model(self) -> Sequence[int]:
        former, self.last = self.last, super().model()
        return former


class FlipsModel(Faulty):
    def model(self) -> Sequence[int]:
        return [-p for p in super().model()]


class SaysUnsatisfiable(Faulty):
    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        return super().solve(assumptions, deadline) and not self.struck


class SaysSatisfiable(Faulty):
    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        return super().solve(assumptions, deadline) or self.struck


class ForeignCore(Faulty):
    def core(self) -> Sequence[int]:
        return [*super().core(), 99]


FAULTS = [
    KeepsAssumption, DropsAssumption, DropsClauses, LosesState, FormerModel, FlipsModel, SaysUnsatisfiable,
    SaysSatisfiable, ForeignCore,
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: type[PySatQueries], monkeypatch: pytest.MonkeyPatch) -> None:
    """By the script itself: a value that its models do not have, a better answer of another solver, or a bad core."""
    monkeypatch.setitem(SOLVERS, "faulty", lambda _: fault("minisat22"))
    random = Random(2)
    assert any(is_wrong(drawn(random)) for _ in range(30))


def is_wrong(script: QueryScript) -> bool:
    """Return True if the answer of the faulty solver is refuted as the judge does it."""
    try:
        answer = answered(script, "faulty")
    except ValueError as e:
        return "wrong at ask " in str(e)
    (value,) = script.values(np.array(answer.solutions, np.uint16), problem_of(script, "a")).tolist()
    (other,) = script.values(np.array(answered(script, "cpsat").solutions, np.uint16), problem_of(script, "a")).tolist()
    return is_false(value, True, Trajectory(stated=answer.value)) or other < value


def test_a_later_model_refutes_a_claim_of_unsatisfiability() -> None:
    script = QueryScript.of([QueryAsk([[1, 2]], [1]), QueryAsk([[-2]], [])])
    assert script.satisfied((0, 0, 1, 0)).tolist() == [True, True]
    assert script.satisfied((0, 1, 1, 0)).tolist() == [True, True]
    assert script.satisfied((1, 0, 1, 1)).tolist() == [True, False]


def test_cores_of_cpsat_are_assumptions() -> None:
    """With presolve OR-Tools 9.15 names literals that are not assumed."""
    script = QueryScript.of([QueryAsk([[1, 2], [-1, 2], [-2, 3]], [2, -3])])
    assert answered(script, "cpsat").value == 0


def test_lineages_of_interfaces_are_independent() -> None:
    z3, cadical, minisat = (lineage_of(f"queries:{name}", "extended") for name in ("z3", "cadical195", "minisat22"))
    assert z3.independent(cadical)
    assert not minisat.independent(cadical)


def test_a_run_judges_every_model(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.icnf").write_text(SCRIPT)
    names = ("queries:minisat22", "queries:minisat22[fresh=1]", "queries:cpsat")
    done = harness("run", tmp_path / "a.icnf", *(part for name in names for part in ("-b", name)))
    assert done.code == 0, done.err
    assert "1 query script" in done.out
    assert "3 of 3 solutions verified | 1 of 1 optimum confirmed" in done.out
    refused = harness("run", tmp_path / "a.icnf", "-b", "pysat")
    assert refused.code == 2
    assert "takes no query scripts: queries:* do" in refused.err
