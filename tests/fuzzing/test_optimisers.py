"""Planted faults in optimisers are found, classed, shrunk, exported, and replayed from the file alone."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from harness.fuzzing import campaign as campaigns
from harness.fuzzing.assignments import solutions_of
from harness.fuzzing.campaign import Campaign
from harness.fuzzing.counting import Enumeration
from harness.fuzzing.findings.finding import Case, Finding, read, text, write
from harness.fuzzing.reducing import goals, reductions, shrinking
from harness.fuzzing.rounds import objectives
from harness.fuzzing.rounds.boards import Round, Scope
from harness.fuzzing.rounds.problems import draw_round
from harness.model.contender import resolve
from harness.model.settings import RunSettings
from puzzles.formats import read as read_instances
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Instance, Problem
from puzzles.problem.check import violations
from tests.conftest import Harness
from tests.effort import slow_but
from tests.plugins import astray

EDGE = {
    "wrap8": 8,
    "wrap16": 16,
    "wrap31": 31,
    "wrap32": 32,
    "wrap63": 63,
    "wrap64": 64,
    "double": 53,
    "saturated": 62,
    "single": 24,
}


def optimum(instance: Instance[Problem]) -> int | None:
    """Return the least value of a solution, from all assignments."""
    from backends.contract.objective_cases import least

    return least(instance.problem, instance.domains)


def drawn(kind: str, seed: int) -> Instance[Problem]:
    return objectives.KINDS[kind](Random(f"{kind} {seed}"))


@pytest.mark.parametrize("kind", sorted(objectives.KINDS))
def test_drawn_problems_keep_the_rules_of_their_kind(kind: str) -> None:
    for seed in range(60):
        problem = drawn(kind, seed).problem
        assert problem.objective is not None
        for part in (*problem.constraints, problem.objective):
            part.check(problem)  # type: ignore[attr-defined]


def test_numbers_are_drawn_on_both_sides_of_every_edge() -> None:
    random = Random(1)
    numbers = [objectives.number(random, 1) for _ in range(4000)]
    for bits in objectives.EDGES:
        near = {n - (1 << bits) for n in numbers if abs(n - (1 << bits)) <= 2}
        assert near == {-2, -1, 0, 1, 2}


@pytest.mark.parametrize("kind", sorted(objectives.KINDS))
def test_optima_of_relatives_are_related(kind: str) -> None:
    seen = set()
    for seed in range(25):
        instance = drawn(kind, seed)
        best = optimum(instance)
        parts = objectives.halves(instance.problem, instance.domains, Random(seed))
        halves = [optimum(Instance("", instance.problem, part)) for part in parts]
        if len(halves) == 2:
            assert best == min((v for v in halves if v is not None), default=None)
        for relation, relative in objectives.relatives(instance.problem, Random(seed)):
            seen.add(relation)
            value = optimum(Instance("", relative, instance.domains))
            if best is None:
                assert relation == "relaxed" or value is None
            elif relation in ("negated", "rewritten"):
                assert value == best
            elif relation == "relaxed":
                assert value is not None
                assert value <= best
            elif relation == "scaled":
                assert value is not None
                assert value == best == 0 or (value > best) == (best > 0)
            elif isinstance(relative.objective, SoftClauses):
                assert value is not None
                assert value > best
            else:
                assert value != best
    assert seen >= {"scaled", "shifted", "relaxed", "rewritten" if kind == "wcnf" else "negated"}


@pytest.mark.parametrize("kind", sorted(objectives.KINDS))
def test_what_follows_from_the_best_solution_is_infeasible_or_as_good(kind: str) -> None:
    tighter = 0
    for seed in range(20):
        drawn_round = objectives.draw_objectives(Random(seed), kind)
        solutions = {
            block.boards[0].group: solutions_of(block.problem, block.boards[0].domains, 1, 10**6).solutions
            for block in drawn_round.blocks
            if not block.boards[0].relation
        }
        values = {
            s.boards[0].group: optimum(Instance("", s.problem, s.boards[0].domains))
            for s in drawn_round.blocks
            if not s.boards[0].relation
        }
        for block in objectives.follow_up(drawn_round, solutions):
            (board,) = block.boards
            value = optimum(Instance("", block.problem, board.domains))
            tighter += board.relation == "tighter"
            assert value == (None if board.relation == "tighter" else values[board.group])
    assert tighter


def test_a_round_has_objectives_if_some_contender_takes_them() -> None:
    def kinds(scope: Scope) -> list[str]:
        rounds = [draw_round(1, number, scope) for number in range(8)]
        return [
            "best" if r.blocks[0].problem.objective else "board" if hasattr(r.blocks[0].problem, "units") else "other"
            for r in rounds
        ]

    assert set(kinds(Scope())) == {"board", "other"}
    assert kinds(Scope(optimised=True)).count("best") == 4
    assert set(kinds(Scope(optimised=True))) == {"board", "other", "best"}
    assert set(kinds(Scope(optimised=True, decided=False))) == {"best"}


def campaign_of(contenders: Sequence[str], problems: str | None = None) -> Campaign:
    chosen, _ = resolve(contenders)
    return Campaign(chosen, RunSettings(limit=60.0, memory=2 << 30), 1, 1, problems=problems)


def first_of(fault: str, problems: str | None = None) -> Finding:
    """Return the first finding of the class of a fault."""
    found = campaign_of([f"astray:{fault}"], problems).run(None, 3000, lambda: None)
    return next(f for f in found if f.signature == astray.SIGNATURES[fault])


@pytest.mark.parametrize("fault", slow_but(("no_better",), sorted(astray.FAULTS)))
def test_a_planted_fault_is_found_shrunk_exported_and_replayed(
    harness: Harness, tmp_path: Path, plugins: None, fault: str
) -> None:
    finding = first_of(fault)
    assert finding.provenance["refuted by"] or finding.signature in (
        "wrong value",
        "false improvement",
        "undecided",
        "wrong solution",
    )
    path, small = tmp_path / "a.finding", tmp_path / "small.finding"
    write(finding, path)
    assert text(read(path)) == text(finding)
    assert harness("shrink", path, "-o", small).code == 1
    least = read(small)
    assert least.signature == finding.signature
    assert shrinking.size(least.case) <= shrinking.size(finding.case)
    assert len(least.case.problem.variables) <= 3
    assert goals.size(least.case.problem.objective) <= 2 * EDGE.get(fault, 10) + 12
    assert harness("replay", small).code == 1
    whole = Instance("", least.case.problem, least.case.asks[-1])
    exported = harness("export", small, "--to", "opb", "-o", tmp_path / "a.opb")
    assert exported.code == 0, exported.err
    (again,) = read_instances(tmp_path / "a.opb")
    assert optimum(again) == optimum(whole)


@pytest.mark.parametrize(
    ("fault", "relation", "kind"),
    [
        ("wrap32", "half", "wcnf"),
        pytest.param("early_stop", "relaxed", "cop", marks=pytest.mark.slow),
        pytest.param("wrap16", "scaled", "opb-opt", marks=pytest.mark.slow),
        pytest.param("early_stop", "tighter", "opb-opt", marks=pytest.mark.slow),
        pytest.param("wrap32", "shifted", "opb-opt", marks=pytest.mark.slow),
        pytest.param("turned", "negated", "opb-opt", marks=pytest.mark.slow),
        pytest.param("unsound_bound", "base", "wcnf", marks=pytest.mark.slow),
        pytest.param("no_better", "fixed", "wcnf", marks=pytest.mark.slow),
        pytest.param("wrong_core", "rewritten", "wcnf", marks=pytest.mark.slow),
    ],
)
def test_a_fault_is_found_by_relatives_alone(
    monkeypatch: pytest.MonkeyPatch, plugins: None, fault: str, relation: str, kind: str
) -> None:
    """Without exhaustive search, solutions of one relative refute answers to another."""
    monkeypatch.setattr(campaigns, "solutions_of", lambda *_: Enumeration((), False))
    only_relation = {"", relation}

    def kept(found: Iterator[tuple[str, Problem]]) -> Iterator[tuple[str, Problem]]:
        return (pair for pair in found if pair[0] in only_relation)

    whole, halves, follow = objectives.relatives, objectives.halves, objectives.follow_up
    monkeypatch.setattr(objectives, "relatives", lambda *parts: kept(whole(*parts)))
    monkeypatch.setattr(objectives, "halves", lambda *parts: halves(*parts) if relation == "half" else iter(()))
    monkeypatch.setattr(
        campaigns,
        "follow_up",
        lambda drawn_round, shown: tuple(
            block for block in follow(drawn_round, shown) if block.boards[0].relation in only_relation
        ),
    )
    finding = first_of(fault, kind)
    sources = {finding.provenance["relation"], finding.provenance["refuted by"]}
    assert relation in sources
    assert sources <= {"base", relation}


def test_only_the_contenders_that_take_objectives_are_asked_them(harness: Harness, tmp_path: Path) -> None:
    done = harness("fuzz", "--as", "wcnf", "--cases", 20, "-b", "native:python", "-b", "native:norvig", "-o", tmp_path)
    assert done.code == 0, done.out + done.err
    assert "native:norvig takes no objective, as wcnf has: it is asked nothing" in done.err
    assert "native:norvig: asked 0 boards" in done.out
    refused = harness("fuzz", "--as", "opb-opt", "-b", "native:norvig", "-o", tmp_path)
    assert (refused.code, refused.err.count("\n")) == (2, 1)


@pytest.mark.slow
def test_a_contender_of_boards_alone_does_not_narrow_the_campaign_of_others(harness: Harness, tmp_path: Path) -> None:
    program = ("--program", "mine=true")
    lone = harness("fuzz", "--cases", 1, "-b", "lines:mine:batch", *program, "-t", 60, "-o", tmp_path / "a")
    assert "so all boards are sudoku 3x3" in lone.err
    two = ("-b", "native:python", "-b", "lines:mine:batch")
    both = harness("fuzz", "--cases", 200, *two, *program, "-t", 60, "-o", tmp_path / "b")
    assert "so all its boards are sudoku 3x3" in both.err
    assert both.out.startswith("2 contenders, random layouts and problems")
    asked = [int(line.split()[2]) for line in both.out.splitlines() if ": asked " in line]
    assert asked[0] > asked[1] > 0


def test_a_finding_with_an_objective_is_not_read_as_one_without(tmp_path: Path) -> None:
    instance = drawn("wcnf", 3)
    written = text(Finding(Case("native", instance.problem, (instance.domains,)), "not optimal"))
    assert '"crosscheck finding": 2' in written
    assert '"objective"' in written


def test_reductions_keep_an_expression_defined() -> None:
    tried = 0
    for seed in range(40):
        instance = drawn("cop", seed)
        case = Case("native", instance.problem, (instance.domains,))
        for simpler in reductions.simpler_goals(case):
            tried += 1
            assert reductions.is_defined(simpler.problem)
    assert tried > 100


@pytest.mark.parametrize("number", [1, 2, 255, 256, 257, (1 << 64) + 12345])
def test_numbers_shrink_to_powers_of_two(number: int) -> None:
    while less := next((n for n in goals.smaller(number) if n >= 200), None):
        number = less
    assert number in (1, 2, 256) or number.bit_length() == 8


def test_a_group_has_solutions_of_one_base() -> None:
    drawn_round: Round = objectives.draw_objectives(Random(5), None)
    for block in drawn_round.blocks:
        for board in block.boards:
            for solution in solutions_of(block.problem, board.domains, 1, 10**6).solutions:
                assert board.frame.solution(board.frame.to_base(solution)) == solution
                assert not violations(block.problem, board.domains, solution)
