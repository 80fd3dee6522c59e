"""Suggestions of `run` after a wrong answer: the printed command works and leaves a minimal case."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from harness.fuzzing.findings.finding import Finding, read
from tests.conftest import Done, Harness

FULL = "1234341221434321"
TWO = "1...2....21.41.3"  # has two solutions
BOARDS = (FULL, "..4.2.......41..", TWO, "." * 16)


def corpus(folder: Path, *lines: str) -> Path:
    path = folder / "a corpus.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def suggestions(done: Done, how: str = "to shrink: ") -> list[str]:
    return [line.removeprefix(how) for line in done.out.splitlines() if line.startswith(how)]


def run_suggested(command: str, folder: Path, environment: dict[str, str]) -> tuple[Finding, Path]:
    """Run the command as a shell would, in the folder of the run; return the shrunk finding and its path."""
    words = [sys.executable if word == "python" else word for word in shlex.split(command)]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=100)
    assert done.returncode == 1, done.stdout + done.stderr
    kept = folder / done.stdout.splitlines()[-1].removeprefix("kept as ")
    return read(kept), kept


@pytest.mark.slow
def test_the_suggested_command_shrinks_a_scrambled_case_that_needs_several_asks(
    harness: Harness, tmp_path: Path, environment: dict[str, str]
) -> None:
    path = corpus(tmp_path, *[BOARDS[1]] * 100)
    runs = ("--count", 2, "--scramble", "-r", 2, "-o", tmp_path / "my runs" / "j.sqlite")
    done = harness("run", path, "-b", "planted:lanes", "-b", "native:python", *runs)
    assert done.code == 1, done.err
    (command,) = suggestions(done)
    small, kept = run_suggested(command, tmp_path, environment)
    assert len(small.case.asks) == 5
    assert small.case.givens <= 4
    assert harness("replay", kept).code == 1


def test_every_contender_refuted_by_shown_solutions_is_suggested(harness: Harness, tmp_path: Path) -> None:
    """The lower of two complete counts is wrong, so no contender here needs to be right."""
    liars = ("bad:wrong_grid", "bad:unsatisfiable", "bad:too_few", "planted:early")
    path = corpus(tmp_path, "." * 9 + FULL[9:])
    done = harness("run", path, *(word for name in liars for word in ("-b", name)), "--count", 9, "-o", "j.sqlite")
    assert done.code == 1
    found = [read(tmp_path / shlex.split(command)[-1]) for command in suggestions(done)]
    assert {f.case.contender: f.signature for f in found} == {
        "bad:wrong_grid": "wrong solution",
        "bad:unsatisfiable": "unsatisfiable",
        "bad:too_few": "too few",
    }


def test_an_answer_refuted_only_by_the_corpus_is_not_suggested(harness: Harness, tmp_path: Path) -> None:
    path = corpus(tmp_path, f"{FULL[:-1]}.:2")
    done = harness("run", path, "-b", "native:python", "--count", 2, "-o", "j.sqlite")
    assert done.code == 1, done.out
    assert suggestions(done) == []
    assert suggestions(done, "not to shrink: ") == [
        "native:python on a corpus.txt:1: only the corpus claims that there are more"
    ]


LIAR = "import sys; print('s UNSATISFIABLE'); sys.exit(20)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "code", "signature"),
    [
        ("echo s UNSATISFIABLE; exit 20", 1, "unsatisfiable"),
        ("kill -SEGV $$", 4, "error: ProgramFailed: sh died of SIGSEGV"),
    ],
)
def test_a_contender_alone_is_suggested_by_a_found_witness_or_its_crash(
    harness: Harness, tmp_path: Path, script: str, code: int, signature: str
) -> None:
    (tmp_path / "mine.sh").write_text(script)
    program = ("--program", "mine=sh mine.sh {cnf}")
    one = ("cnf-random", "--only", "random-20-0*")
    done = harness("run", *one, "-b", "dimacs:mine", *program, "-o", "j.sqlite")
    (path,) = tmp_path.glob("findings/*.finding")
    found = read(path)
    assert path.name in suggestions(done)[0]
    assert (done.code, found.signature) == (code, signature)
    assert len(found.case.witnesses) == (code == 1)
    assert harness("replay", path, *program).code == 1


@pytest.mark.slow
def test_a_program_is_suggested_with_its_command(harness: Harness, tmp_path: Path, environment: dict[str, str]) -> None:
    program = f"mine={sys.executable} -c {shlex.quote(LIAR)}"
    done = harness(
        "run",
        corpus(tmp_path, *BOARDS),
        "-b",
        "dimacs:mine",
        "--program",
        program,
        "-b",
        "native:python",
        "-o",
        "j.sqlite",
    )
    (command,) = suggestions(done)
    small, kept = run_suggested(command, tmp_path, environment)
    assert small.signature == "unsatisfiable"
    assert harness("replay", kept, "--program", program).code == 1
    assert harness("replay", kept).code == 2
    assert f"--program {shlex.quote(program)}" in kept.read_text()


def test_an_unwritable_findings_folder_does_not_prevent_the_report(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "findings").write_text("in the way")
    done = harness("run", corpus(tmp_path, *BOARDS), "-b", "bad:wrong_grid", "-b", "native:python", "-o", "j.sqlite")
    assert done.code == 1, done.err
    assert "WRONG: bad:wrong_grid" in done.out
    (line,) = suggestions(done, "not to shrink: bad:wrong_grid on ")
    assert ": findings" in line


def test_a_contender_of_another_environment_is_suggested_with_its_python(harness: Harness, tmp_path: Path) -> None:
    elsewhere = ("--env", f"there={sys.executable}", "-b", "bad:wrong_grid@there")
    done = harness("run", corpus(tmp_path, *BOARDS), *elsewhere, "-b", "native:python", "-o", "j.sqlite")
    (command,) = suggestions(done)
    python, *_, path = shlex.split(command)
    assert python == sys.executable
    assert read(tmp_path / path).case.contender == "bad:wrong_grid"
