"""`generate` reproduces shipped corpora, and refuses impossible requests in one line."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pysat.solvers import Solver

from harness.commands import generate
from harness.model.errors import BadUsage
from puzzles.boards.families import layout
from puzzles.errors import BadLayout
from puzzles.formats import read

PUZZLES = Path(generate.__file__).parents[2] / "puzzles" / "corpora"


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    generate.add_arguments(parser)
    return generate.run(parser.parse_args(words))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "name a corpus"),
        (["easy", "--as", "sudoku 3x3"], "name a corpus"),
        (["hardest"], "no recipe"),
        (["easy", "-n", "0"], "at least 1"),
        (["easy", "--seed", "-1"], "at least 0"),
        (["easy", "--kind", "hard"], "goes with --as"),
        (["--as", "latin 1", "--kind", "unsolvable", "-n", "1"], "without a solution"),
        (["myciel3", "-o", "/no/such/folder/x.col"], "can't write"),
    ],
)
def test_impossible_requests_are_bad_usage(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadUsage, match=why):
        run(*words)


def test_a_colouring_needs_a_file() -> None:
    with pytest.raises(BadLayout, match="graph"):
        run("--as", "colouring 4")


@pytest.mark.parametrize("name", ["several.txt", "myciel4.col"])
def test_a_shipped_corpus_is_generated_again_byte_for_byte(name: str, tmp_path: Path) -> None:
    assert run(name.partition(".")[0], "-o", str(tmp_path / name)) == 0
    assert (tmp_path / name).read_bytes() == (PUZZLES / name).read_bytes()


def test_another_seed_makes_another_corpus_and_says_so(tmp_path: Path) -> None:
    assert run("easy", "--seed", "5", "-n", "2", "-o", str(tmp_path / "easy.txt")) == 0
    made = (tmp_path / "easy.txt").read_text()
    assert "generate easy.txt --seed 5 -n 2\n" in made
    shipped = {p.domains for p in read(PUZZLES / "easy.txt")}
    assert len([p for p in read(tmp_path / "easy.txt") if p.domains not in shipped]) == 2


def test_scrambles_of_a_base_are_stated_and_differ(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    assert run("--as", "sudoku 2x3", "--kind", "minimal", "-n", "30", "--base", "2", "-o", str(path)) == 0
    assert "The first 2 are made from scratch" in path.read_text()
    puzzles = [p.domains for p in read(path)]
    assert len(puzzles) == 30
    assert len(set(puzzles)) > 20


def test_importing_generate_loads_no_solver() -> None:
    code = "import sys, harness.commands.generate; print(*{'numpy', 'pysat', 'ortools', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


@pytest.mark.parametrize("name", ["killer 2x2", "kakuro 5x5", "kenken 4", "futoshiki 4", "jigsaw 2x2", "sudoku 2x2"])
def test_progress_within_a_puzzle_is_told(name: str) -> None:
    told = list[str]()
    args = argparse.Namespace(layout=name, kind="easy", n=1, seed=1, base=None, alphabet=None)
    lines = generate.custom_lines(args, generate.oracle(lambda outcomes, at="", /: told.append(at)))
    assert len([line for line in lines if not line.startswith("#")]) == 1
    assert len(set(told)) > 1
    assert all(re.search("[0-9]", at) for at in told)


def test_ctrl_c_in_a_search_of_pysolvers_is_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise Exception("Caught keyboard interrupt")  # as pysolvers.error

    board = layout("latin 11")
    monkeypatch.setattr(Solver, "solve", interrupted)
    with pytest.raises(KeyboardInterrupt):
        generate.oracle().count(board, board.open, 2)
