"""What solvers can do to each other and to a run without a sandbox fails within one; without a kernel for it, it is
refused."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from harness.model.errors import BadUsage
from harness.running.environment import ROOT
from harness.running.workers import sandboxes as within
from harness.running.workers.problem_file import GIVEN
from harness.running.workers.sandboxes import bounded, refusal
from puzzles.processes.child import ChildEnd
from puzzles.processes.sandbox import Sandbox
from tests.attacks.planting import plant
from tests.conftest import PLUGINS, Done, Harness
from tests.plugins.prying import attacks, forget_keys, planted_keys

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has namespaces")
BUILT_IN = ("-b", "pysat:minisat22", "-b", "dimacs:prying", "-b", "prying:backend")
ONLY_WITHIN = (
    *("system remounted", "home uncovered", "guard killed", "kernel set", "journal read by the first"),
    *("kernel's log read", "host of the machine reached"),
)
NAMES_OF_KEYS = [name for name in attacks({}) if "key" in name]
TRY_KEYS = """
import json, sys
from puzzles.processes.sandbox import Sandbox, start_within
from tests.plugins.prying import attacks, planted_keys, succeeded
targets = planted_keys("secret")
if len(sys.argv) > 1:
    start_within(Sandbox.load(int(sys.argv[1])))
print(json.dumps([name for name, attack in attacks(targets).items() if "key" in name and succeeded(attack)]))
"""


@pytest.fixture
def sandboxes(tmp_path: Path) -> None:
    if why := refusal(bounded(tmp_path / "probe", [sys.prefix, sys.base_prefix])):
        pytest.skip(f"this system has no sandboxes: {why}")


@pytest.fixture
def left() -> Iterator[list[Path]]:
    """Files that an attacker leaves where others could find them."""
    name = f"crosscheck-{uuid.uuid4().hex}"
    found = [Path("/tmp", name), Path("/dev/shm", name), Path("/var/tmp", name)]
    yield found
    for path in found:
        path.unlink(missing_ok=True)


@pytest.fixture
def attacked(
    tmp_path: Path, left: list[Path], harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Path, list[Path]]]:
    """Folder of a run with everything that an attacker wants, and the files that it leaves."""
    home, corpus, other = tmp_path / "home", tmp_path / "corpus", tmp_path / "other"
    for folder in (home, corpus, other, home / ".cache" / "crosscheck"):
        folder.mkdir(parents=True)
    (corpus / "a.cnf").write_text("p cnf 1 1\n1 0\n")
    (corpus / "expected.csv").write_text("a.cnf,sat\n")
    shared = Path("/dev/shm", f"crosscheck-{uuid.uuid4().hex}")
    temporary = Path("/tmp", shared.name)
    for path in (home / "secret", other / "b.cnf", shared, temporary):
        path.write_text("secret")
    left += [home / "left", home / ".cache" / "crosscheck" / "left", tmp_path / "left"]
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0{shared.name}")
        abstract.listen(99)
        targets = {
            "journal": str(tmp_path / "results" / "j.sqlite"),
            "instance": str(corpus / "a.cnf"),
            "claims": str(corpus / "expected.csv"),
            "other": str(other / "b.cnf"),
            "secret": str(home / "secret"),
            "temporary": str(temporary),
            "shared": str(shared),
            "pid": os.getpid(),
            "port": tcp.getsockname()[1],
            "abstract": f"\0{shared.name}",
            **planted_keys(shared.name),
            "left": list(map(str, left)),
        }
        monkeypatch.setenv("CROSSCHECK_PRYING", json.dumps(targets))
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        yield tmp_path, left
        forget_keys(targets["ring"])
    shared.unlink()
    temporary.unlink()


def run(harness: Harness, *words: str) -> Done:
    program = f"prying='{sys.executable}' -P '{PLUGINS / 'prying.py'}'"
    return harness("run", "corpus", *BUILT_IN, "--program", program, "-o", "results/j.sqlite", *words, "--json", "-")


@pytest.mark.slow
def test_every_attack_succeeds_without_a_sandbox(harness: Harness, attacked: tuple[Path, list[Path]]) -> None:
    folder, left = attacked
    done = run(harness)
    names = list(attacks({}))
    for name in ("prying:backend/extended", "dimacs:prying/extended"):
        (trouble,) = done.contender(name)["trouble"]
        numbers = trouble["why"].partition("reached: ")[2].partition("\n")[0].partition(" (")[0].split()
        reached = [names[int(number)] for number in numbers]
        assert [name for name in names if name not in reached and not name.startswith(ONLY_WITHIN)] == []
    assert [path for path in left if not path.exists()] == []
    assert (folder / "results" / "j.sqlite-planted").exists()


@pytest.mark.slow
def test_no_attack_succeeds_within_a_sandbox(
    sandboxes: None, harness: Harness, attacked: tuple[Path, list[Path]]
) -> None:
    folder, left = attacked
    done = run(harness, "--sandbox", "-r", "2")
    for name in ("prying:backend/extended", "dimacs:prying/extended", "pysat:minisat22/extended"):
        assert done.contender(name)["trouble"] == []
        assert done.contender(name)["solved"] == 1
    assert done.code == 0
    assert [path for path in left if path.exists()] == []
    assert sorted(path.name for path in (folder / "results").iterdir()) == ["j.sqlite"]
    assert [warning for warning in done.summary["warnings"] if "stopped" in warning] == []


@pytest.mark.slow
def test_a_run_without_namespaces_is_refused_in_one_line(
    sandboxes: None, tmp_path: Path, environment: dict[str, str]
) -> None:
    if os.geteuid() or not shutil.which("unshare"):
        pytest.skip("only a superuser can forbid namespaces")
    run = f"echo 0 > /proc/sys/user/max_user_namespaces; exec '{sys.executable}' -m harness run hardest -n 1 --sandbox"
    forbidding = ["unshare", "-U", "--map-root-user", "sh", "-c", run]
    done = subprocess.run(forbidding, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert done.stderr == "harness: --sandbox is not to be had here: unshare: No space left on device\n"
    assert list(tmp_path.rglob("*.sqlite*")) == []


@pytest.mark.parametrize("user", [None, 65534], ids=["this user", "nobody"])
def test_keys_are_out_of_reach_for_every_user(sandboxes: None, user: int | None) -> None:
    if user and os.geteuid():
        pytest.skip("only a superuser can be another user")
    python = "/usr/bin/python3" if user else sys.executable  # ours may lie in a superuser's home
    if not os.path.exists(python):
        pytest.skip("no interpreter for another user")
    if user and not all(folder.stat().st_mode & 0o001 for folder in (ROOT, *ROOT.parents)):
        pytest.skip("another user can't read the tree")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sandbox = bounded(folder, [sys.prefix, sys.base_prefix, str(ROOT)])
        for path in (folder, Path(sandbox.root), folder / GIVEN):
            path.chmod(0o777)
        fd = sandbox.file()
        as_user: dict[str, Any] = {"user": user, "group": user, "extra_groups": []} if user else {}
        for words, reached in (([], NAMES_OF_KEYS), ([str(fd)], [])):
            command = [python, "-P", "-c", TRY_KEYS, *words]
            environment = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
            done = subprocess.run(
                command, env=environment, pass_fds=[fd], cwd="/", capture_output=True, text=True, timeout=60, **as_user
            )
            assert (done.stdout, done.stderr) == (f"{json.dumps(reached)}\n", "")


@pytest.mark.parametrize(
    ("tried", "why"),
    [
        (ChildEnd(-9, b"", b"", "wall"), f"it can't be entered within {within.ASK_S:g} s"),
        (ChildEnd(7, b"", b"", ""), "the process that tried it exited with 7"),
        (ChildEnd(1, b"", b"a\nmount: no\n", ""), "mount: no"),
        (ChildEnd(0, b"", b"a warning\n", ""), ""),
    ],
    ids=["slow", "silent", "stated", "entered"],
)
def test_a_sandbox_that_cant_be_entered_is_refused_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, tried: ChildEnd, why: str
) -> None:
    monkeypatch.setattr(within, "finished", lambda *_, **__: tried)
    assert refusal(Sandbox("/tmp", "/", [], [], [])) == why


def test_another_system_has_no_sandboxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert refusal(Sandbox("/tmp", "/", [], [], [])) == "only Linux has namespaces"


def test_an_interpreter_that_does_not_say_where_its_packages_are_is_refused() -> None:
    with pytest.raises(BadUsage, match="--sandbox: /bin/false does not say where its packages are"):
        within.code_files("/bin/false")


def test_a_journal_that_solvers_would_see_is_refused(sandboxes: None, harness: Harness, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    seen.mkdir()
    done = harness("run", "hardest", "-b", "native:python", "--sandbox", "--expose", seen, "-o", seen / "j.sqlite")
    assert (done.code, done.err) == (
        2,
        f"harness: --sandbox: native:python sees {seen}, where the journal is: write it elsewhere with -o\n",
    )


def test_folders_of_other_workers_cant_be_exposed(sandboxes: None, harness: Harness) -> None:
    done = harness("run", "hardest", "-b", "native:python", "--sandbox", "--expose", "/")
    assert (done.code, done.err) == (2, "harness: --expose /: name the folders in it that solvers need\n")
    temporary = tempfile.gettempdir()
    done = harness(
        "run", "hardest", "-b", "native:python", "--sandbox", "--expose", temporary, "-o", "/dev/shm/j.sqlite"
    )
    assert done.err.startswith(f"harness: --sandbox: native:python sees {temporary}, where temporary files of all")


@pytest.mark.slow
def test_what_is_exposed_is_there_and_read_only(sandboxes: None, harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "licence").write_text("valid")
    (tmp_path / "boards.txt").write_text("#: sudoku 2x2\n1.34341221434321\n")
    script = "read board; { echo changed >> licence; } 2> /dev/null; echo $(cat licence) $(ls) >&2; exit 3"
    words = plant(tmp_path, "mine", script)
    said = harness("run", "boards.txt", *words, "--sandbox", "--expose", "licence", "--json", "-")
    (trouble,) = said.contender("lines:mine")["trouble"]
    assert trouble["why"].endswith("exited with code 3: valid licence mine.sh")


AS_NOBODY = """
import os, sys
from puzzles.processes.sandbox import Sandbox, start_within
from puzzles.processes.namespaces import call
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
call("prctl", 4, 1, 0, 0, 0)  # PR_SET_DUMPABLE: the files of this process in /proc are of this user
start_within(Sandbox(sys.argv[1], "/", ["/usr", "/bin"], [], ["/tmp"]))
print(os.getuid(), sorted(os.listdir("/")), os.listdir("/tmp"), os.getppid())
"""


def test_a_user_without_rights_has_sandboxes_too(sandboxes: None, environment: dict[str, str]) -> None:
    if os.geteuid():
        pytest.skip("all other tests show it")
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        words = [sys.executable, "-c", AS_NOBODY, folder]
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
    links = [name for name in ("bin",) if os.path.islink("/bin")]
    assert done.stdout == f"65534 {sorted(['dev', 'proc', 'tmp', 'usr', *links])} [] 0\n", done.stderr
