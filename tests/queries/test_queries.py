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
from harness.fuzzing.queries import CLAUSE, ScriptCase, drawn_script, refuted_by_table, shrunk_script
from harness.model.lineage import lineage_of
from harness.reporting.views.asks import ask_table
from puzzles.errors import BadInput
from puzzles.formats import read
from puzzles.labels import label
from puzzles.objectives import queries
from puzzles.objectives.asks import QueryAsk
from puzzles.objectives.queries import QueryScript, problem_of
from puzzles.readers.queries import as_inccnf, as_trace
from tests.conftest import Harness
from tests.queries.conftest import Plant

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
    for clauses, assumptions, _ in script.asks:
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
        (
            "init\nadd 1\nadd 0\nadd_soft_lit 1 3\nsolve\n",
            "a:4: 'add_soft_lit' is a call of IPAMIR in a trace of IPASIR",
        ),
        ("init\nadd_soft_lit 1\nsolve\n", "a:2: expected 'add_soft_lit' and a literal and a cost"),
        ("init\nadd_soft_lit 1 -3\nsolve\n", "a:2: '-3' is not a cost from 0 to"),
        ("init\nadd_soft_lit 0 3\nsolve\n", "a:2: 'add_soft_lit' of the literal 0"),
        (f"init\nadd_soft_lit 1 {1 << 61}\nsolve\nsolve\nsolve\n", "a:5: the costs of all asks together are more than"),
    ],
)
def test_a_bad_script_is_told_by_its_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a").write_text(text)
    with pytest.raises(BadInput) as refused:
        list(read(tmp_path / "a"))
    assert said in str(refused.value)


@pytest.mark.parametrize("solver", SOLVERS)
def test_each_solver_answers_as_brute_force(solver: str) -> None:
    if solver in ("z3", "clingo"):
        pytest.importorskip(solver)
    random = Random(1)
    for fresh in (False, True):
        for _ in range(4):
            script = drawn(random)
            answer, right = answered(script, solver, fresh), statuses(script)
            assert answer.complete
            assert answer.value == -sum(right)
            judged = script.judged(answer.solutions[0])
            assert (judged.saved.tolist(), judged.fault) == (right, "")
            assert not refuted_by_table(script, np.array(answer.solutions[0]))


class Faulty(PySatQueries):
    """A solver with a fault, some of which concern the asks of even number."""

    asks = 0

    def __init__(self, _: str) -> None:
        super().__init__("minisat22")

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


class NegatedCore(Faulty):
    def core(self) -> Sequence[int]:
        return [-p for p in super().core()]


class SmallCore(Faulty):
    def core(self) -> Sequence[int]:
        return super().core()[1:]


FAULTS = [
    KeepsAssumption, DropsAssumption, DropsClauses, LosesState, FormerModel, FlipsModel, SaysUnsatisfiable,
    SaysSatisfiable, ForeignCore, NegatedCore, SmallCore,
]  # fmt: skip


def fault_of(case: ScriptCase) -> str:
    """Return what is wrong with the answers of the faulty solver, without another solver."""
    solution = np.array(answered(case.script, "faulty").solutions[0])
    return case.script.judged(solution).fault or refuted_by_table(case.script, solution)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_and_shrunk(fault: type[PySatQueries], plant: Plant) -> None:
    """To a script of at most five asks with at most five clauses."""
    plant(SOLVERS, fault)
    random = Random(2)
    case, why = next((case, why) for _ in range(200) if (why := fault_of(case := drawn_script(random, weighted=False))))
    assert why.startswith("wrong at ask ")
    least, why = shrunk_script(case, why[:5], lambda less: fault_of(less)[:5])
    assert fault_of(least)
    assert len(least.script) <= 5
    assert sum(kind == CLAUSE for kind, _ in least.rows) <= 5


def flags(*rows: tuple[int, ...]) -> tuple[int, ...]:
    """Return a solution from a status, 1 for satisfiable, and a model or core for each ask."""
    statuses = [row[0] for row in rows]
    return (*statuses, *(1 - status for status in statuses), *(v for row in rows for v in row[1:]))


def test_a_later_model_refutes_a_claim_of_unsatisfiability_and_a_core() -> None:
    script = QueryScript.of([QueryAsk([[1, 2]], [1, 2]), QueryAsk([[-2]], [-1]), QueryAsk([], [])])
    wrong = script.judged(flags((0, 1, 0), (0, 1, 0), (1, 1, 0)))
    assert wrong.fault == "wrong at ask 1: its core is too small: the model of ask 3 satisfies it"
    assert script.judged(flags((0, 1, 1), (0, 1, 0), (1, 1, 0))).fault == ""
    script = QueryScript.of([QueryAsk([[1, 2]], [1]), QueryAsk([], [-1]), QueryAsk([], [2])])
    wrong = script.judged(flags((0, 1, 0), (1, 0, 1), (1, 1, 1)))
    assert wrong.fault == "wrong at ask 1: it is said to be unsatisfiable, but the model of ask 3 fits"
    assert wrong.saved.tolist() == [1, 1, 1]
    assert (
        script.judged(flags((1, 0, 1), (1, 0, 1), (1, 1, 1))).fault
        == "wrong at ask 1: its model breaks the assumption 1"
    )
    assert (
        script.judged(flags((1, 0, 0), (1, 0, 1), (1, 1, 1))).fault
        == "wrong at ask 1: its model breaks the clause 1 or 2"
    )


def test_a_script_with_many_models_keeps_those_of_each_kth_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MAX_CELLS", 20)
    random = Random(5)
    for _ in range(20):
        script = drawn(random, asks=11)
        assert (script.every, script.cells) == (3, 2 * 11 + 3 * 5)
        answer, right = answered(script, "minisat22"), statuses(script)
        judged = script.judged(answer.solutions[0])
        assert (judged.saved.tolist(), judged.fault) == (right[2::3], "")
        assert answer.value == -sum(right[2::3])
        claimed = script.answered(answer.solutions[0])
        assert claimed.satisfiable.tolist() == right
        assert (~claimed.unsatisfiable).tolist() == right


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


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (SmallCore, "wrong at ask 1: its core is too small: the model of ask 2 satisfies it"),
        (ForeignCore, "wrong at ask 1: its core has a literal that is not assumed"),
        (FlipsModel, "wrong at ask 2: its model breaks the clause"),
        (
            SaysUnsatisfiable,
            "wrong at ask 2: it is said to be unsatisfiable, but a model by queries:cpsat/extended was",
        ),
    ],
)
def test_a_run_names_the_wrong_ask(
    fault: type[PySatQueries], said: str, harness: Harness, tmp_path: Path, plant: Plant
) -> None:
    plant(SOLVERS, fault)
    (tmp_path / "a.icnf").write_text(SCRIPT)
    done = harness("run", tmp_path / "a.icnf", "-b", "queries:faulty,queries:cpsat", "-o", tmp_path / "a.sqlite")
    assert done.code == 1, done.err
    assert f"WRONG: queries:faulty/extended: a.icnf: {said}" in done.out.replace("\n         ", " ")
    again = harness("report", tmp_path / "a.sqlite")
    assert "(open loop: every solver is asked the same" in again.out
    assert said in again.out.replace("\n         ", " ")


@pytest.mark.slow
def test_a_core_that_no_model_of_the_script_refutes_is_asked(harness: Harness, tmp_path: Path, plant: Plant) -> None:
    plant(SOLVERS, SmallCore)
    (tmp_path / "a.icnf").write_text("p inccnf\n1 2 0\na -1 -2 0\n")
    done = harness("run", tmp_path / "a.icnf", "-b", "queries:faulty", "-o", tmp_path / "a.sqlite")
    said = "too small: a model of queries:native/extended satisfies it"
    assert (done.code, said in done.out) == (1, True), done.out
    assert "0 of 1 core found unsatisfiable by queries:native/extended too" in done.err
    assert said in harness("report", tmp_path / "a.sqlite").out
    (to_shrink,) = (line for line in done.out.splitlines() if line.startswith("to shrink:"))
    least = harness(*to_shrink.split()[5:], "-o", tmp_path / "b.icnf")
    assert (least.code, "1 ask, 1 clause" in least.out) == (1, True)
    assert "too small" in (tmp_path / "b.icnf").read_text()


@pytest.mark.slow
def test_a_proof_of_each_core_certifies(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.icnf").write_text(SCRIPT)
    done = harness("run", tmp_path / "a.icnf", "-b", "queries:minisat22", "--certify-by", "pysat", "--certify")
    assert "1 certified by a checked proof" in done.out
    assert done.code == 0


def test_different_asks_of_equal_number_are_told_apart(harness: Harness, tmp_path: Path) -> None:
    """The application says that the first ask is satisfiable, and the second one is not: the number is right."""
    (tmp_path / "a").write_text("init\nadd 1\nadd 0\nassume -1\nsolve 10\nsolve 20\n")
    done = harness("run", tmp_path / "a", "-b", "queries:minisat22,queries:cpsat")
    assert "ask 1: satisfiable says the application; unsatisfiable says queries:minisat22" in done.out.replace(
        "\n", " "
    )
    assert "ask 2: satisfiable says queries:minisat22" in done.out
    assert done.code in (1, 2)


def test_encode_writes_scripts_in_both_formats(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.icnf").write_text(SCRIPT)
    for name in ("icnf", "trace"):
        assert harness("encode", tmp_path / "a.icnf", "--to", name, "-o", tmp_path / f"b.{name}").code == 0
        script, _ = script_in(tmp_path / "c", (tmp_path / f"b.{name}").read_text())
        assert statuses(script) == STATUSES
    refused = harness("encode", tmp_path / "a.icnf", "--to", "opb")
    assert (refused.code, "a query script is written --to icnf or trace" in refused.err) == (2, True)


def test_an_ask_that_takes_long_is_named() -> None:
    """Of 300 asks each 100th: not the first ask, nor what takes others as long."""
    own, other = np.full((2, 300), 50_000), np.full((2, 300), 40_000)
    own[:, 99::100] = 5_000_000
    own[0, 6] = own[:, 0] = 9_000_000
    own[:, 7] = other[:, 7] = 9_000_000
    table = ask_table("a.icnf", {"queries:x": own, "queries:y": other, "queries:y[fresh=1]": 3 * other})
    assert table.notes == (
        "slow: queries:x takes over 10 times as long as usual, and as most others, for asks 100, 200, 300",
    )
    assert [row[3].value for row in table.rows] == [pytest.approx(3), None]


class SlowNow(Faulty):
    """A solver of which every 100th ask is slow."""

    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        found = super().solve(assumptions, deadline)
        if self.asks % 100 == 0:
            sum(range(500_000))
        return found


@pytest.mark.slow
def test_a_planted_slow_ask_is_found(harness: Harness, tmp_path: Path, plant: Plant) -> None:
    plant(SOLVERS, SlowNow)
    script = QueryScript.of(QueryAsk([], [1 - 2 * (i % 2)]) for i in range(300))
    (tmp_path / "a.icnf").write_text(as_inccnf(script))
    done = harness("run", tmp_path / "a.icnf", "-b", "queries:faulty,queries:glucose4", "-r", 2)
    assert "as most others, for asks 100, 200, 300" in done.out.replace("\n", " ")
