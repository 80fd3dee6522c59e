"""No objective is dropped silently: whatever takes problems carries it, or refuses it by name."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backends.contract import registry
from backends.contract.answer import OPTIMISE, Backend, Unsupported
from backends.contract.description import Missing
from backends.programs.backend import PROGRAM_BASES
from encoders.direct import constraints
from encoders.formula import OBJECTIVE, AllDifferent, Cnf, Constraints, Formula, Wcnf, constraints_of
from encoders.lowering import lowered, to_clauses
from encoders.plugged import from_data
from encoders.plugged_process import to_data
from encoders.registry import ENCODINGS, Spec, spec
from encoders.zero_one import rows_of
from encoders.zero_one.rows import literal_table
from harness.fuzzing.clausal import clauses_of_problem
from harness.fuzzing.findings.finding import Case, Finding, write
from harness.fuzzing.findings.finding import read as read_finding
from harness.judging.formulas.link import not_derived
from puzzles.boards.board import Board
from puzzles.boards.layout import Layout
from puzzles.constraints.all_different import AllDifferent as Different
from puzzles.constraints.clauses import Clauses, clauses_of, hard_clauses_of
from puzzles.formats import read
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import BOOLEAN, Objective, Problem
from puzzles.problem.dumped import dump
from puzzles.problem.values import Integers, Numbered
from puzzles.stored import load
from tests.conftest import Harness

LINEAR = LinearObjective.of({0: 1, 1: -2})
NONE = SoftClauses.of([])  # an objective that is 0, with the length 0
PAIR = Clauses.of([(1, 2)])
GOALS = {"linear": LINEAR, "soft": SoftClauses.of([(3, [-1])]), "no soft clauses": NONE}


def formula(goal: Objective | None) -> Problem:
    return Problem("a formula", Numbered("x", 2), BOOLEAN, (PAIR,), objective=goal)


def differing(goal: Objective | None) -> Problem:
    return Problem("numbers", Numbered("x", 2), Integers(range(3)), (Different(((0, 1),)),), objective=goal)


EXPRESSION = differing(ExpressionObjective.of(("mul", ("var", 0), ("var", 1)), True))
every_goal = pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)


@every_goal
def test_content_digest_and_bytes_have_the_objective(goal: Objective) -> None:
    plain, made = formula(None), formula(goal)
    assert "objective" in made.content()
    assert made.digest != plain.digest
    again = load(dump(made))
    assert again == made
    assert again.objective is not None
    assert constraints(made).kinds() == ("clauses", OBJECTIVE)


def test_a_layout_has_no_objective_to_drop() -> None:
    with pytest.raises(TypeError, match="objective"):
        Layout("two", ("a", "b"), ("1", "2"), ((0, 1),), objective=LINEAR)  # type: ignore[call-arg]
    assert [field.name for field in fields(Board)] == [*(field.name for field in fields(Problem)), "grid"]


@every_goal
def test_a_formula_with_an_objective_is_no_cnf_formula(goal: Objective) -> None:
    assert clauses_of(formula(None)) is not None
    assert clauses_of(formula(goal)) is None
    assert clauses_of_problem(formula(goal)) is None
    assert hard_clauses_of(formula(goal)) is not None
    assert (not_derived(formula(None)), not_derived(formula(goal))) == ("", OBJECTIVE)


@every_goal
def test_encodings_make_soft_clauses_or_refuse(goal: Objective) -> None:
    form = constraints(formula(goal))
    for encode in (to_clauses, lambda one: lowered(one, spec("order").axes)):
        with pytest.raises(Unsupported, match="objective constraints have no encoding as clauses"):
            encode(form)
    for encoding in ENCODINGS.values():
        if encoding.formula is Cnf:
            assert isinstance(Spec(encoding).formula(formula(goal)), Wcnf)
        elif encoding.formula is AllDifferent:
            kept = Spec(encoding).formula(formula(goal))
            assert isinstance(kept, Constraints)
            assert kept.objective is goal
        else:
            with pytest.raises(Unsupported):
                Spec(encoding).formula(formula(goal))
    with pytest.raises(Unsupported, match="does not support objective"):
        rows_of(form, (3, 3), literal_table(form, (3, 3)))
    with pytest.raises(Unsupported, match="a reader does not support objective"):
        constraints_of(form, "a reader", {"clauses"})


def test_a_formula_with_soft_clauses_survives_the_process_of_a_plug_in() -> None:
    for weight in (5, 1 << 70):
        made = spec("extended").formula(formula(SoftClauses.of([(weight, [1, -2]), (2, [])])))
        assert isinstance(made, Wcnf)
        made = replace(made, hard=replace(made.hard, literal=((-1, 1), (-2, 2))))
        again = from_data(Wcnf, json.loads(json.dumps(to_data(made))))
        assert isinstance(again, Wcnf)
        assert again.soft_rows() == made.soft_rows() == [(weight, [1, -2]), (2, [])]
        assert (again.offset, again.hard.clause_lists()) == (0, [[1, 2]])
    data = json.loads(json.dumps(to_data(made)))
    with pytest.raises(TypeError, match="no integers"):
        from_data(Wcnf, data | {"weights": [1.5, 2]})


def formulas(problem: Problem) -> list[Formula]:
    """Return the formulas of a problem that backends are offered."""
    made: list[Formula] = [constraints(problem, problem.open)]
    return [*made, *(spec(name).formula(problem, problem.open) for name in ("extended", "order"))]


def backends() -> list[Backend]:
    bases = (base for base in registry.bases() if base not in PROGRAM_BASES)
    found = (part for base in bases for part in registry.load_base(base))
    return [part for part in found if not isinstance(part, Missing) and OPTIMISE not in part.can]


@pytest.mark.parametrize("backend", backends(), ids=lambda backend: backend.name)
def test_sessions_opened_directly_refuse_an_objective(backend: Backend) -> None:
    for problem in (formula(LINEAR), formula(NONE), differing(LINEAR), EXPRESSION):
        for made in formulas(problem):
            if type(made) in backend.accepts:
                with pytest.raises(Unsupported):
                    backend.open(made)


@every_goal
def test_findings_keep_the_objective(goal: Objective, tmp_path: Path) -> None:
    for problem in (formula(goal), differing(goal)):
        write(Finding(Case("native", problem, (problem.open,)), "not optimal"), tmp_path / "a.finding")
        again = read_finding(tmp_path / "a.finding").case.problem
        assert again.objective is not None
        assert problem.objective is not None
        assert again.content()["objective"].keys() == problem.content()["objective"].keys()
        assert again.objective.words(again) == problem.objective.words(problem)


@pytest.mark.slow
def test_wrong_optima_are_suggested_to_shrink(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.wcnf").write_text("h 1 2 0\n3 -1 0\n4 -2 0\n")
    liars = {"content": "not optimal", "infeasible": "unsatisfiable", "steep": "false bound", "cheap": "wrong value"}
    named = [word for name in ("honest", *liars) for word in ("-b", f"better:{name}")]
    done = harness("run", "a.wcnf", *named, "-t", 60, "-o", "j.sqlite")
    assert done.code == 1
    for name, signature in liars.items():
        (line,) = [line for line in done.out.splitlines() if line.startswith("to shrink") and name in line]
        path = Path(line.split()[-1])
        assert read_finding(path).signature == signature
        assert harness("shrink", path).code == 1
        assert read_finding(path.with_suffix(".min.finding")).signature == signature


def test_a_claim_of_the_corpus_alone_is_no_finding(harness: Harness, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.wcnf").write_text("h 1 2 0\n3 -1 0\n4 -2 0\n")
    (folder / "expected.csv").write_text("file,status,value\na.wcnf,optimal,1\n")
    done = harness("run", folder, "-b", "better:honest", "-o", "j.sqlite")
    assert "not to shrink: better:honest on a.wcnf: only the corpus claims a better one" in done.out, done.out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("trace", "a.wcnf", "-b", "native:norvig"), "native:norvig cannot be traced with an objective"),
        (("count", "a.wcnf"), "count takes no objective"),
        (("encode", "a.wcnf", "--to", "dimacs"), "DIMACS has no objective"),
        (("encode", "a.wcnf", "--encoding", "alldifferent"), "makes no clauses"),
        (("solve", "a.wcnf", "-b", "native:dlx"), "objective"),
        (("solve", "a.wcnf", "-b", "native:links"), "objective"),
        (("show", "a.wcnf", "--candidates"), "takes boards"),
    ],
)
def test_verbs_refuse_an_objective_by_name(words: tuple[str, ...], why: str, harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.wcnf").write_text("h 1 2 0\n3 -1 0\n4 -2 0\n")
    done = harness(*words)
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1), done.err
    assert why in done.err


@pytest.mark.parametrize("to", ["wcnf", "opb", "xcsp3"])
def test_written_files_have_the_objective(to: str, harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.opb").write_text("max: +3 x1 -2 x2 ;\n-1 x1 -1 x2 >= -1 ;\n")
    done = harness("encode", "a.opb", "--to", to, "-o", "again")
    assert done.code == 0
    assert ("a.opb: value = 3 - weights of the soft clauses that are false" in done.err) == (to == "wcnf")
    (again,) = read(tmp_path / "again")
    assert again.problem.objective is not None
    every: Any = np.array([(0, 0), (0, 1), (1, 0)], np.uint32)
    if len(again.domains) == 2:
        best = min(again.problem.objective.values(every, again.problem).tolist())
        assert best == (0 if to == "wcnf" else -3)
