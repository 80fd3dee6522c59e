"""Attack: proofs that are malformed, long, slow to check, or no proofs at all."""

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from harness.judging import checking_process, proof_checker
from puzzles.corpora import find
from tests.attacks.planting import running, wait_for
from tests.checkers import command, honest_on_trial
from tests.conftest import Done, Harness, left_running
from tests.judging.test_binary import ALL_EIGHT, CADICAL_DRAT, CADICAL_LRAT

HONEST = "pysat:cadical195/extended"


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    """Two boards without a solution, which propagation alone does not show."""
    path = tmp_path / "boards.txt"
    path.write_text("\n".join(["#: sudoku 3x3", *find("unsolvable").read_text().splitlines()[-2:], ""]))
    return path


@pytest.fixture
def pigeons(tmp_path: Path) -> Path:
    """Nine vertices, each beside each other, and eight colours: a proof that takes a while to check."""
    path = tmp_path / "pigeons.col"
    edges = [f"e {b} {a}" for a in range(1, 10) for b in range(1, a)]
    path.write_text("\n".join(["c colours 8", f"p edge 9 {len(edges)}", *edges, ""]))
    return path


def trouble(done: Done, name: str) -> str:
    """Return the only failure message of a contender."""
    (found,) = done.contender(name)["trouble"]
    return str(found["why"])


NOT_UNDERSTOOD = {
    "huge_number": "line 1 of the proof names '-99999999999999999999999999', beyond 2147483647",
    "most_negative": "line 1 of the proof names '-9223372036854775808', beyond 2147483647",
    "junk": "line 1 of the proof is not a clause: '\\x1b[2J\\xff' is no number",
    "unended": "line 1 of the proof is not one clause ended by 0",
    "binary_unended": "the proof ends within a step, after 5 bytes",
}
REFUSED = {
    "binary": "clause 2 of the proof (deletions not counted) does not follow",
    "empty": "the proof ends without a contradiction",
}


def against_honest(harness: Harness, boards: Path, lies: Iterable[str]) -> Done:
    """Run contenders with these lies beside an honest one, whose proofs must be certified."""
    names = [word for lie in lies for word in ("-b", f"lie:{lie}")]
    done = harness("run", boards, *names, "-b", HONEST, "--proof", "--json", "-")
    assert "Traceback" not in done.err
    assert done.contender(HONEST)["certified"] == 2
    return done


@pytest.mark.slow
def test_proofs_that_fail_are_refused_and_those_not_understood_unchecked_by_name(
    harness: Harness, boards: Path
) -> None:
    done = against_honest(harness, boards, [*REFUSED, *NOT_UNDERSTOOD])
    assert done.code == 1
    stated = {"refused": REFUSED, "unchecked": {lie: f"format: {why}" for lie, why in NOT_UNDERSTOOD.items()}}
    for outcome, lies in stated.items():
        for lie, why in lies.items():
            assert trouble(done, f"lie:{lie}/extended") == f"proof {outcome}: {why}"
            assert done.contender(f"lie:{lie}/extended")[outcome] == 2


@pytest.mark.slow
@pytest.mark.parametrize(("proof", "ending"), [(CADICAL_DRAT, "drat"), (CADICAL_LRAT, "lrat")])
def test_a_program_may_write_its_proof_in_binary_form(
    harness: Harness, tmp_path: Path, proof: bytes, ending: str
) -> None:
    program, cnf = tmp_path / "mine.py", tmp_path / "all.cnf"
    program.write_text(f"import sys; open(sys.argv[1], 'wb').write({proof!r}); print('s UNSATISFIABLE'); sys.exit(20)")
    lines = "".join(f"{' '.join(map(str, clause))} 0\n" for clause in ALL_EIGHT)
    cnf.write_text(f"p cnf 3 8\n{lines}")
    named = f"mine={sys.executable} -I -S {program} {{proof}} {{cnf}}"
    more = ("--proof", "--keep-proofs", "kept", "--json", "-")
    done = harness("run", cnf, "-b", "dimacs:mine", "--program", named, *more)
    assert done.code == 0, done.err
    assert done.summary["contenders"][0]["certified"] == 1
    (kept,) = Path("kept").glob(f"*.{ending}")
    assert kept.read_bytes() == proof


@pytest.mark.slow
def test_hostile_files_beside_the_proofs_disturb_nothing(harness: Harness, boards: Path) -> None:
    lies = ("foreign_files", "folder_named_as_a_proof", "link_to_another_file", "fifo", "no_folder")
    done = against_honest(harness, boards, lies)
    for lie in lies:
        entry = done.contender(f"lie:{lie}/extended")
        assert (entry["certified"], entry["refused"]) == (2 if lie == "foreign_files" else 0, 0)


@pytest.mark.slow
def test_a_run_survives_the_loss_of_its_temporary_folder(harness: Harness, boards: Path) -> None:
    done = harness("run", boards, "-b", "lie:no_run_folder", "-b", HONEST, "--proof", "--json", "-")
    entry = done.contender(HONEST)
    assert (entry["unsatisfiable"], entry["certified"] + entry["unchecked"]) == (2, 2)


@pytest.mark.slow
def test_a_check_that_takes_too_long_is_unchecked(harness: Harness, pigeons: Path) -> None:
    plain = ("--as", "colouring 8 edges")
    done = harness("run", pigeons, *plain, "-b", HONEST, "--proof", "--proof-limit", "0.01", "--json", "-")
    assert done.code == 0
    entry = done.contender(HONEST)
    assert (entry["unsatisfiable"], entry["unchecked"], entry["certified"], entry["uncertified"]) == (1, 1, 0, 1)
    assert trouble(done, HONEST) == "proof unchecked: time: more than 0.01 s of CPU time (--proof-limit)"
    assert done.summary["agreement"]["none"] == 0


@pytest.mark.slow
def test_a_proof_that_is_too_large_is_unchecked(
    harness: Harness, boards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof_checker, "MAX_BYTES", 10 << 20)
    done = harness("run", boards, "-b", "lie:long", "--proof", "--json", "-")
    assert trouble(done, "lie:long/extended") == "proof unchecked: size: it has 19 MiB, more than 10"


@pytest.mark.slow
def test_a_check_that_needs_too_much_memory_is_unchecked(
    harness: Harness, boards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking_process, "MAX_MEMORY", 200 << 20)
    done = harness("run", boards, "-n", 1, "-b", "lie:long", "--proof", "--json", "-")
    assert trouble(done, "lie:long/extended") == "proof unchecked: memory: it needs more than 200 MiB"


def peak_of_run(folder: Path, environment: dict[str, str], *arguments: str) -> int:
    """Return the peak memory of the parent of a run in bytes (Linux)."""
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from harness.cli import main\n"
        f"main({['run', *arguments, '--proof']!r})\n"
        "print(next(x.split()[1] for x in Path('/proc/self/status').read_text().splitlines() if 'VmHWM' in x))\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=True)
    return 1024 * int(done.stdout.split()[-1])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_long_proof_costs_the_parent_no_memory(tmp_path: Path, boards: Path, environment: dict[str, str]) -> None:
    small = peak_of_run(tmp_path, environment, str(boards), "-n", "1", "-b", "lie:empty")
    large = peak_of_run(tmp_path, environment, str(boards), "-n", "1", "-b", "lie:long")  # 19 MiB
    assert large - small < 8 << 20


def started(*arguments: str | Path, folder: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "harness", "run", *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def checking(environment: dict[str, str]) -> list[int]:
    """Return the checking process of this environment, and its guards."""
    mark = f"CROSSCHECK_TEST={environment['CROSSCHECK_TEST']}".encode()
    return [pid for pid in running("harness.judging.checking") if mark in Path(f"/proc/{pid}/environ").read_bytes()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=lambda n: n.name)
def test_a_check_ends_with_its_parent_at_once(
    tmp_path: Path, boards: Path, environment: dict[str, str], number: signal.Signals
) -> None:
    """The checking process and its guards are stopped while a checker runs, so they can't end by themselves."""
    waits = honest_on_trial(f"open({str(tmp_path / 'waits')!r}, 'w').close(); import time; time.sleep(1000)")
    checker = ("--checker", f"x={command(tmp_path, waits)}", "--proof-limit", "1000", "--open-limit", "1000")
    run = started(boards, "-b", HONEST, "--proof", *checker, "-o", "j.sqlite", folder=tmp_path, environment=environment)
    assert wait_for((tmp_path / "waits").exists)
    guards_and_check = checking(environment)
    assert len(guards_and_check) == 3
    for pid in guards_and_check:
        os.kill(pid, signal.SIGSTOP)
    run.send_signal(number)
    out, err = run.communicate(timeout=200)
    assert "Traceback" not in err
    if number == signal.SIGINT:
        assert run.returncode == 130
        assert "proof unchecked: interrupted" in out
    assert wait_for(lambda: left_running(environment) == [])


@pytest.mark.slow
def test_proofs_and_formulas_are_kept_under_instance_contender_and_digest(
    harness: Harness, boards: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "mine.txt").write_text("stays")
    more = ("--keep-proofs", kept, "-r", 2, "--scramble", "-o", "j.sqlite")
    done = harness("run", boards, "-b", HONEST, "-b", "lie:unended", "--proof", *more)
    assert done.code == 0
    assert "2 certified by a checked proof" in done.out, "the proof is of the scrambled board"
    files = {path.name: path.read_bytes() for path in kept.iterdir()}
    assert files.pop("mine.txt") == b"stays"
    stems = Counter(name.rpartition("-")[0] for name in files if name.endswith(".drat"))
    lies = {f"boards.txt-{i}-lie-unended-extended": 1 for i in (2, 3)}  # one proof, so one name, in both repeats
    assert stems == lies | {f"boards.txt-{i}-pysat-cadical195-extended": 2 for i in (2, 3)}
    assert {name[:-5] for name in files if name.endswith(".drat")} == {name[:-4] for name in files if ".cnf" in name}
    assert all(text == b"1 2 3" for name, text in files.items() if "lie" in name and name.endswith(".drat"))
    with closing(sqlite3.connect("j.sqlite")) as db:
        stored = set(db.execute("select digest, size from proofs"))
        assert db.execute("select count(*) from proofs").fetchone() == (8,)
    proofs = [text for name, text in files.items() if name.endswith(".drat")]
    assert stored == {(hashlib.sha256(text).hexdigest(), len(text)) for text in proofs}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk_loses_kept_proofs_and_nothing_else(harness: Harness, boards: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    digest = hashlib.sha256(b"1 2 3").hexdigest()[:12]
    (kept / f"boards.txt-2-lie-unended-extended-{digest}.drat").symlink_to("/dev/full")
    done = harness("run", boards, "-b", "lie:unended", "-b", HONEST, "--proof", "--keep-proofs", kept)
    notes = [line for line in done.err.splitlines() if "kept" in line]
    assert len(notes) == 1, done.err
    assert notes[0].endswith("No space left on device: this file and all later ones are not kept")
    assert "2 certified by a checked proof" in done.out
    assert len(list(kept.iterdir())) < 4


@pytest.mark.parametrize(
    ("arguments", "why"), [(["--keep-proofs", "x"], "needs --proof"), (["--proof", "--keep-proofs", "f/x"], "f/x: ")]
)
def test_a_folder_that_cannot_be_had_is_bad_usage(
    harness: Harness, boards: Path, tmp_path: Path, arguments: list[str], why: str
) -> None:
    (tmp_path / "f").write_text("")
    done = harness("run", boards, "-b", HONEST, *arguments)
    assert done.code == 2
    assert why in done.err
    assert len(done.err.splitlines()) == 1
