"""Solvers run in a fixed environment, independent of the user's shell."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.model.host import executables
from harness.running import environment as chosen
from harness.running.environment import recorded_variables, variables
from puzzles.processes.environment import FIXED
from tests.conftest import ROOT, Harness

POLLUTION = {
    "LANG": "de_DE.UTF-8",
    "LC_NUMERIC": "de_DE.UTF-8",
    "TZ": "Asia/Tokyo",
    "PYTHONHASHSEED": "7",
    "PYTHONOPTIMIZE": "2",
    "PYTHONWARNINGS": "error",
    "OMP_NUM_THREADS": "8",
    "MALLOC_ARENA_MAX": "1",
    "SECRET": "of the shell",
}


def seen(folder: Path, environ: dict[str, str]) -> dict[str, str]:
    """Return the environment of a worker in a run that is started with `environ`."""
    (folder / "one.txt").write_text(f"#: sudoku 2x2\n{'.' * 16}\n")
    command = [sys.executable, "-m", "harness", "run", "one.txt", "-b", "bad:environ", "-o", "one.sqlite"]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, str] = json.loads((folder / "environ.json").read_text())
    return {name: value for name, value in found.items() if not name.startswith("CROSSCHECK_") and name != "TMPDIR"}


@pytest.mark.slow
def test_a_worker_has_the_same_variables_in_any_shell(tmp_path: Path, environment: dict[str, str]) -> None:
    folders = [tmp_path / name for name in ("clean", "polluted")]
    for folder in folders:
        folder.mkdir()
    bare = {name: environment[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in environment}
    clean, polluted = (seen(folder, bare | more) for folder, more in zip(folders, ({}, POLLUTION), strict=True))
    for found, folder in ((clean, folders[0]), (polluted, folders[1])):  # the working folder is in PYTHONPATH
        found["PYTHONPATH"] = found["PYTHONPATH"].replace(str(folder), "here")
    assert clean == polluted
    assert clean.items() >= FIXED.items()
    assert clean.keys() <= {*FIXED, "PATH", "HOME", "PYTHONPATH"}


def test_variables_that_locate_and_tune_libraries_are_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NUMBA_CPU_NAME", "LD_LIBRARY_PATH", "CROSSCHECK_TMPDIR", "PYTHONNOUSERSITE", "NUMBAT"):
        monkeypatch.setenv(name, "set")
    mine, other = variables(), variables("another-python")
    assert [mine.get(name) for name in ("NUMBA_CPU_NAME", "LD_LIBRARY_PATH", "CROSSCHECK_TMPDIR")] == ["set"] * 3
    assert "NUMBAT" not in mine
    assert ("PYTHONNOUSERSITE" in mine, "PYTHONNOUSERSITE" in other) == (True, False)


def test_another_interpreter_finds_our_packages_and_nothing_else() -> None:
    (folder,) = variables("another-python")["PYTHONPATH"].split(os.pathsep)
    assert sorted(os.listdir(folder)) == sorted(chosen.PACKAGES)


def test_recorded_variables_have_neither_pythonpath_nor_internal_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSCHECK_RUN", "mark")
    found = recorded_variables()
    assert found.items() >= FIXED.items()
    assert not {"PYTHONPATH", "CROSSCHECK_RUN"} & found.keys()


def test_executables_are_identified_by_their_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    real, script = tmp_path / "real", tmp_path / "mine.py"
    real.write_bytes(b"#!/bin/sh\n")
    real.chmod(0o755)
    (tmp_path / "link").symlink_to(real)
    script.write_text("print(1)\n")

    def sha(data: bytes) -> str:
        return hashlib.sha256(data).hexdigest()

    found = executables({"mine": "./link mine.py --fast {cnf}", "gone": "./gone"}, {"old": str(tmp_path / "link")})
    assert found == {
        f"--program mine: {real}": sha(b"#!/bin/sh\n"),
        f"--program mine: {script}": sha(b"print(1)\n"),
        f"--program gone: {tmp_path / 'gone'}": None,
        f"--env old: {real}": sha(b"#!/bin/sh\n"),
    }
    script.write_text("print(2)\n")
    assert executables({"mine": "./link mine.py"}, {})[f"--program mine: {script}"] == sha(b"print(2)\n")


@pytest.mark.slow
def test_a_variable_named_by_pass_env_reaches_workers_and_only_its_digest_the_journal(
    harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOLVER_LICENCE", "secret 7")
    script = "import os, sys; sys.stdin.read(); open('seen', 'a').write(os.environ.get('SOLVER_LICENCE', '-'))"
    (tmp_path / "mine.py").write_text(script)
    run = ("run", "hardest", "-n", 1, "-b", "lines:mine", "--program", f"mine={sys.executable} mine.py")
    assert harness(*run, "-o", "a.sqlite").code == 4
    assert "secret" not in (tmp_path / "seen").read_text()
    assert harness(*run, "--pass-env", "SOLVER_LICENCE", "-o", "b.sqlite").code == 4
    assert "secret 7" in (tmp_path / "seen").read_text()
    stored = (tmp_path / "b.sqlite").read_bytes()
    assert b"secret 7" not in stored
    assert b"scrypt " in stored
    assert hashlib.sha256(b"secret 7").hexdigest().encode() not in stored
    for name in ("NOT_SET_ANYWHERE", "LANG", "A=B", "CROSSCHECK_RUN"):
        done = harness(*run, "--pass-env", name)
        assert (done.code, len(done.err.splitlines())) == (2, 1)


def test_a_run_starts_without_numba_which_takes_a_second_to_import() -> None:
    code = "import harness.runs.runner, harness.runs.start, harness.commands.run, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
