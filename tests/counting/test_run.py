"""`run --count all`: every contender's number equals brute force, is refused by name, or is an estimate."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.description import Missing
from harness.storing.journal import Journal
from puzzles.objectives import stated
from tests.conftest import Harness
from tests.counting.formulas import Formula, tasks

FORMULAS = 52
Numbers = dict[tuple[str, str], Fraction | None]  # by contender and instance
OURS = ("models:native", "models:pysat")


def installed() -> list[str]:
    found = registry.load_base("models")
    return [part.name for part in found if not isinstance(part, Missing)]


def numbers(path: Path) -> Numbers:
    """Return the exact number of each contender and instance of a journal, None without one."""
    found: Numbers = {}
    with Journal.open(path) as journal:
        for at, contender in enumerate(journal.contenders.all()):
            c = journal.outcomes.columns(at, "puzzle", "status", "complete", repeat=0)
            for puzzle, status, complete in zip(
                *(c[k].tolist() for k in ("puzzle", "status", "complete")), strict=True
            ):
                own = journal.objectives.statements(at, 0, puzzle, puzzle).get(puzzle)
                goal = journal.instances.get(puzzle).problem.objective
                value = 0 if status == 20 else None if own is None or not complete or own.value is None else own.value
                number = None if value is None or goal is None else Fraction(stated(goal, value))
                found[contender.backend, journal.instances.name(puzzle)] = number
    return found


def run_on(
    harness: Harness, folder: Path, formulas: list[Formula], *backends: str
) -> dict[tuple[str, str], Fraction | None]:
    for i, formula in enumerate(formulas):
        formula.write(folder / f"f{i:03}.cnf")
    words = [word for name in backends for word in ("-b", name)]
    done = harness("run", folder, "--count", "all", *words, "-o", folder.parent / "j.sqlite", "-t", "20")
    assert done.code in (0, 4), done.out + done.err
    return numbers(folder.parent / "j.sqlite")


def compare(harness: Harness, folder: Path, seeds: range, backends: list[str]) -> tuple[int, int]:
    """Return how many numbers are exact, and how many are none; each exact one is right."""
    folder.mkdir()
    formulas = [formula for seed in seeds for formula in tasks(seed)]
    found = run_on(harness, folder, formulas, *backends)
    right = {f"f{i:03}.cnf": formula.count() for i, formula in enumerate(formulas)}
    wrong = {key: (n, right[key[1]]) for key, n in found.items() if n is not None and n != right[key[1]]}
    assert wrong == {}
    assert all(found[name, instance] is not None for name in OURS for instance in right)
    return len([n for n in found.values() if n is not None]), len([n for n in found.values() if n is None])


def test_small_formulas_are_counted_as_brute_force_counts_them(tmp_path: Path, harness: Harness) -> None:
    compare(harness, tmp_path / "f", range(14), list(OURS))


@pytest.mark.slow
def test_every_counter_is_right_or_refuses(tmp_path: Path, harness: Harness) -> None:
    exact, none = compare(harness, tmp_path / "f", range(FORMULAS), installed())
    assert exact > none


BOARD = "1...\n..3.\n.4..\n...2\n"


@pytest.mark.parametrize("name", OURS)
def test_boards_and_other_formats_are_counted(tmp_path: Path, harness: Harness, name: str) -> None:
    (tmp_path / "a.opb").write_text("* #variable= 3 #constraint= 1\n+1 x1 +1 x2 +1 x3 >= 2 ;\n")
    (tmp_path / "b.txt").write_text("................\n")
    (tmp_path / "c.fzn").write_text(
        "var 1..3: x :: output_var;\nvar 1..3: y;\nconstraint int_lt(x,y);\nsolve satisfy;\n"
    )
    paths = [tmp_path / file for file in ("a.opb", "b.txt", "c.fzn")]
    harness("run", *paths, "--count", "all", "-b", name, "-o", tmp_path / "j.sqlite")
    found = numbers(tmp_path / "j.sqlite")
    assert [found[name, key] for key in ("a.opb", "b.txt:1", "c.fzn")] == [4, 288, 2]


def test_an_objective_is_no_number_of_models(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "a.opb").write_text("min: +1 x1 ;\n+1 x1 +1 x2 >= 1 ;\n")
    done = harness("run", tmp_path / "a.opb", "--count", "all", "-o", tmp_path / "j.sqlite")
    assert done.code == 2
    assert "a.opb has an objective: --count all needs --ignore-objective" in done.err


def test_numbers_of_any_size_and_fractions_are_exact(tmp_path: Path, harness: Harness) -> None:
    weights = {1: Fraction(3, 10), -1: Fraction(1, 7)}
    folder = tmp_path / "f"
    folder.mkdir()
    found = run_on(harness, folder, [Formula(300, [[1, 2]]), Formula(70, [[1, 2]], None, weights)], "models:native")
    assert [*found.values()] == [3 << 298, (Fraction(3, 10) * 2 + Fraction(1, 7)) * 2**68]


def test_other_contenders_and_other_tasks_are_refused_by_name(tmp_path: Path, harness: Harness) -> None:
    path = Formula(2, [[1, 2]]).write(tmp_path / "a.cnf")
    done = harness("run", path, "--count", "all", "-b", "cpsat", "-o", tmp_path / "a.sqlite")
    assert (done.code, "cpsat counts no models, as --count all asks: models:* and mcc:* do" in done.err) == (2, True)
    done = harness("run", path, "-b", "models:native", "-o", tmp_path / "b.sqlite")
    assert (done.code, "models:native counts models: it takes --count all only" in done.err) == (2, True)


def test_a_claim_of_the_corpus_is_one_of_the_number(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "b.txt").write_text("#: count 287\n................\n")
    done = harness(
        "run", tmp_path / "b.txt", "--count", "all", "-b", "models:native", "-o", tmp_path / "j.sqlite", "--json", "-"
    )
    (only,) = json.loads(done.out)["agreement"]["disagreements"]
    assert done.code == 1
    assert only["why"] == "counts 288, but the corpus claims 287"
