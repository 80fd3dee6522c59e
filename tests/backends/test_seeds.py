"""Random seeds are drawn for each repeat, for backends and programs that have one and do not state it."""

import sys
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.catalogue import takes_seed
from backends.contract.seeds import drawn
from tests.conftest import Harness

PRINTS = "import sys\nprint('c seed', sys.argv[1])\nprint('s UNKNOWN')\n"


@pytest.mark.parametrize(
    ("backend", "takes"),
    [
        ("cpsat", True),
        ("cpsat[cores=2]", True),
        ("cpsat[random_seed=3]", False),
        ("pysat:cadical195", True),
        ("pysat:minisat22", False),
        ("native", False),
        ("dimacs:mine", True),
        ("dimacs:mine[seed=3]", False),
        ("dimacs:fixed", False),
    ],
)
def test_who_takes_a_seed(backend: str, takes: bool) -> None:
    programs = {"mine": f"{sys.executable} --seed={{seed}} {{cnf}}", "fixed": f"{sys.executable} {{cnf}}"}
    assert takes_seed(backend, programs) is takes


def test_a_seed_goes_to_the_option_or_into_the_command() -> None:
    assert registry.find("cpsat[cores=2]", seed=5).chosen == {"num_workers": 2, "random_seed": 5}  # type: ignore[attr-defined]
    programs = {"mine": f"{sys.executable} --seed={{seed}} {{cnf}}"}
    for name, words in (("dimacs:mine[seed=3]", ("--seed=3", "{cnf}")), ("dimacs:mine", ("{cnf}",))):
        assert registry.find(name, programs).words[1:] == words  # type: ignore[attr-defined]


def test_repeats_have_other_seeds_of_one_run() -> None:
    assert len({drawn(1, repeat) for repeat in range(50)}) == 50
    assert drawn(1, 0) == drawn(1, 0) != drawn(2, 0)


@pytest.mark.slow
def test_each_repeat_of_a_run_draws_a_seed(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.cnf").write_text("p cnf 1 1\n1 0\n")
    (tmp_path / "p.py").write_text(PRINTS)
    (tmp_path / "columns.toml").write_text("seed = 'c seed ([0-9]+)'\n")
    words = ("--program", f"mine={sys.executable} -S {tmp_path / 'p.py'} {{seed}} {{cnf}}", "-w", 0, "-r", 2)
    done = harness(
        "run", "a.cnf", "-b", "dimacs:mine,native", *words, "--draw-seeds", "--log-columns", "columns.toml", "-o", "j"
    )
    assert "--draw-seeds: no random seed to draw of native" in done.err
    assert harness("export", "j", "--format", "csv").out.count(f"{drawn(1, 0)}") == 1
