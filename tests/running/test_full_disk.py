"""A disk that a contender fills costs that contender alone; one that is full at a commit loses nothing stored."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from backends.contract.answer import Reason, Status
from tests.running.programs import FILLS_ANOTHER_DISK, FILLS_ITS_DISK, program

ANSWERS = "select contender, repeat, puzzle, status, verdict, solutions from outcomes order by 1, 2, 3"


@pytest.fixture
def mounting() -> list[str]:
    """Words before a shell script that may mount file systems of its own."""
    words = ["unshare", "--mount", *(() if os.geteuid() == 0 else ("--map-root-user",)), "sh", "-ec"]
    if (
        not shutil.which("unshare")
        or subprocess.run([*words, "mount -t tmpfs none /mnt"], capture_output=True).returncode
    ):
        pytest.skip("no mount namespace can be made here")
    return words


def rows(journal: Path) -> list[tuple[object, ...]]:
    """Return the answers of a journal."""
    with closing(sqlite3.connect(journal)) as db:
        return db.execute(ANSWERS).fetchall()


@pytest.mark.slow
def test_a_contender_that_fills_the_disk_of_temporary_files_costs_itself(
    tmp_path: Path, environment: dict[str, str], mounting: list[str]
) -> None:
    fills = program(tmp_path, "fills", FILLS_ITS_DISK)
    (tmp_path / "tmp").mkdir()
    run = [
        sys.executable,
        "-m",
        "harness",
        "run",
        "hardest",
        "-n",
        "3",
        "-b",
        "native:python,lines:fills,lines:even",
        *fills,
    ]
    solver = ("--program", f"even={sys.executable} {tmp_path}/even.py")
    (tmp_path / "even.py").write_text(
        "import sys, tempfile\nsys.stdin.read()\ntempfile.TemporaryFile().write(b'x')\nprint(0)\n"
    )
    script = 'mount -t tmpfs -o size=8m none "$0"; TMPDIR="$0" exec "$@"'
    command = [*mounting, script, str(tmp_path / "tmp"), *run, *solver, "-o", "j.sqlite"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=100)
    assert done.stderr == ""
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db:
        found = set(
            db.execute("select c.name, o.status, o.reason from outcomes o join contenders c on c.id = o.contender")
        )
        details = {text.partition("\n")[0] for (text,) in db.execute("select detail from outcomes where contender = 2")}
    assert ("native:python", Status.SATISFIABLE, Reason.NONE) in found
    assert {(name, status, reason) for name, status, reason in found if name == "lines:fills"} == {
        ("lines:fills", Status.UNKNOWN, Reason.ERROR)
    }
    assert not any("space" in text for text in details)


@pytest.mark.slow
def test_a_full_disk_at_a_commit_loses_nothing_that_was_stored_and_the_run_goes_on_when_there_is_space(
    tmp_path: Path, environment: dict[str, str], mounting: list[str]
) -> None:
    folder, out = tmp_path / "disk", tmp_path / "out"
    folder.mkdir()
    out.mkdir()
    fills = program(tmp_path, "fills", FILLS_ANOTHER_DISK.format(calls=tmp_path / "calls", file=folder / "filler"))
    run = [sys.executable, "-m", "harness", "run"]
    what = ["hardest", "-n", "4", "-b", "native:python,lines:fills", *fills, "--no-pin"]
    script = """
    mount -t tmpfs -o size=1m none "$0"
    out="$1"; run="$2"; shift 2
    $run "$@" -o "$0/j.sqlite" 2> "$out/notes" && exit 9
    cp "$0"/j.sqlite* "$out"; mkdir "$out/stopped"; mv "$out"/j.sqlite* "$out/stopped"
    rm "$0/filler"
    $run --resume "$0/j.sqlite" --yes --no-pin > /dev/null 2> "$out/resumed" || test $? = 4
    cp "$0/j.sqlite" "$out"
    """
    command = [*mounting, script, str(folder), str(out), " ".join(run), *what]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, stdout=subprocess.DEVNULL, timeout=100)
    whole = [*run, *what, "-o", "whole.sqlite"]
    subprocess.run(whole, cwd=tmp_path, env=environment, check=False, capture_output=True, timeout=100)

    assert (out / "notes").read_text() == f"harness: {folder}/j.sqlite: database or disk is full\n"
    stopped, resumed = rows(out / "stopped" / "j.sqlite"), rows(out / "j.sqlite")
    assert 0 < len(stopped) < len(resumed)
    assert set(stopped) <= set(resumed)
    assert resumed == rows(tmp_path / "whole.sqlite")
