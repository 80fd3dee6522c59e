"""Experiments as files: the same keys as options, the command line before the file, kept and printed; packed runs."""

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from harness.commands.experiments import keys_of, stated, toml_of, words_of
from harness.commands.run import add_arguments
from harness.model.digests import digest
from harness.model.release import DISTRIBUTION
from harness.storing.journal import open_journal
from tests.conftest import ROOT, Harness

CNF, NONE = "p cnf 2 1\n1 2 0\n", "p cnf 1 2\n1 0\n-1 0\n"
SOLVER = """
import sys
print('c conflicts: 3 per second')
print('s UNSATISFIABLE' if '-1 0' in open(sys.argv[-1]).read() else 's SATISFIABLE\\nv 1 2 0')
"""
TEXT = """\
# Two solvers on a folder.
corpora = ["f"]
contenders = ["dimacs:mine", "native:python"]
timeout = 5
exclude = ["b.cnf"]
keep-logs = "logs"
peak = true
scramble = false

[program]
mine = "PYTHON solver.py"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Working directory with formulas in `f`, a solver, and an experiment."""
    for name, text in {"f/a.cnf": CNF, "f/b.cnf": "p cnf x\n", "f/sub/u.cnf": NONE, "solver.py": SOLVER}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "e.toml").write_text(TEXT.replace("PYTHON", sys.executable))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(harness: Harness, journal: str) -> dict[str, object]:
    """Return the data of the experiment that a report prints."""
    done = harness("report", journal, "--experiment")
    assert done.code == 0
    return tomllib.loads(done.out)


def test_a_file_states_a_run_which_its_journal_keeps(folder: Path, harness: Harness) -> None:
    assert harness("run", "e.toml").code == 0
    (path,) = Path("results").iterdir()
    assert harness("report", path, "--experiment").out == (folder / "e.toml").read_text()
    with open_journal(path) as journal:
        assert [name for name, *_ in journal.instances.listing()] == ["a.cnf", "sub/u.cnf"]
        assert [c.name for c in journal.contenders.all()] == ["dimacs:mine/extended", "native:python"]
        settings = journal.facts.settings()
        assert (settings.limit, settings.peak, settings.scramble) == (5.0, True, False)
        assert len(journal.logs.of(0)) == 2


@pytest.mark.slow
def test_the_command_line_goes_before_the_file(folder: Path, harness: Harness) -> None:
    other = f"mine={sys.executable} solver.py --again"
    words = ("-t", "3", "--exclude", "sub", "--exclude", "b.cnf", "--program", other, "-o", "j.sqlite")
    assert harness("run", "e.toml", *words).code == 0
    found = printed(harness, "j.sqlite")
    assert (found["timeout"], found["exclude"], found["corpora"]) == (3, ["sub", "b.cnf"], ["f"])
    assert found["program"] == {"mine": f"{sys.executable} solver.py --again"}
    with open_journal("j.sqlite") as journal:
        assert [name for name, *_ in journal.instances.listing()] == ["a.cnf"]
    assert harness("run", "f/sub/u.cnf", "e.toml", "-b", "native:python", "-o", "k.sqlite").code == 0
    found = printed(harness, "k.sqlite")
    assert (found["corpora"], found["contenders"]) == (["f/sub/u.cnf"], ["native:python"])


def test_a_run_without_a_file_is_printed_as_one_that_repeats_it(folder: Path, harness: Harness) -> None:
    words = ("-b", "native:python,pysat", "-n", "1", "--seed", "7", "--no-pin", "--matrix")
    harness("run", "f", "--only", "*.cnf", "--exclude", "b.cnf", *words, "-o", "j.sqlite")
    text = harness("report", "j.sqlite", "--experiment").out
    Path("again.toml").write_text(text.replace("j.sqlite", "k.sqlite"))
    assert harness("run", "again.toml").code == 0
    with open_journal("j.sqlite") as one, open_journal("k.sqlite") as other:
        assert one.facts.settings() == other.facts.settings()
        assert list(one.instances.listing()) == list(other.instances.listing())
        assert [c.name for c in one.contenders.all()] == [c.name for c in other.contenders.all()]


VALUES = {  # of options that take something else than a text
    **dict.fromkeys(("puzzles", "count", "repeats", "warmup", "seed", "jobs", "cores", "memory", "sample"), 1),
    "audit_determinism": 2,
    **dict.fromkeys(("timeout", "open_limit", "proof_limit", "cpu", "grace", "memory_limit"), 2.5),
    "shard": "1/2",
    "rank": "par10",
}


def test_every_option_of_run_has_a_key_and_comes_back(folder: Path) -> None:
    keys = keys_of(add_arguments)
    for key, action in keys.items():
        if action.nargs == 0:
            value: object = True
        elif str(action.metavar).startswith("NAME="):
            value = {"x": "command --of it"}
        elif not action.option_strings or key in ("backend", "contenders"):
            value = ["one", "two"]
        else:
            value = next(iter(action.choices)) if action.choices else VALUES.get(action.dest, "text")
            value = [value] if type(action).__name__ == "_AppendAction" else value
        words = list(words_of(Path("e.toml"), "", key, value, keys))
        given = stated(words, add_arguments)
        assert list(vars(given)) == [action.dest], key
        (again,) = tomllib.loads(toml_of(words, add_arguments, "a test")).values()
        assert again == value, key


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("timeot = 5", "unknown key 'timeot': did you mean timeout?"),
        ("resume = 'j.sqlite'", "unknown key 'resume'"),
        ("timeout = true", "timeout: expected a text or a number"),
        ("peak = 1", "peak: expected true or false"),
        ("exclude = { a = 'b' }", "exclude: expected a text, or a list of texts"),
        ("exclude = [[1]]", "exclude: expected texts or numbers in the list"),
        ("program = { a = 5 }", "program: expected a table of NAME = 'COMMAND'"),
    ],
)
def test_a_mistake_in_a_file_is_named_with_its_line(folder: Path, harness: Harness, line: str, why: str) -> None:
    Path("e.toml").write_text(f"corpora = ['f']\n\n{line}\n")
    done = harness("run", "e.toml")
    assert (done.code, done.err.startswith(f"harness: e.toml:3: {why}")) == (2, True), done.err


def test_a_bad_value_and_bad_toml_are_one_line(folder: Path, harness: Harness) -> None:
    for text, why in (
        ("corpora = ['f']\nmemory = 'x'\n", "e.toml: argument -m/--memory: 'x' is not a size"),
        ("corpora = [\n", "e.toml: Invalid value"),
        ("x = " + "[" * 5000 + "]" * 5000, "e.toml: nested too deeply"),
        (f"timeout = {'9' * 5000}\n", "e.toml: a number of too many digits"),
        ("\ntimeout = 1\ncorpora = ['f\\u0000']\n".replace("'", '"'), "e.toml:3: corpora: has a null character"),
        ("program = { a = 'b\\u0000' }\n".replace("'", '"'), "e.toml:1: program: has a null character"),
        (
            f"corpora = ['f']\nmemory = {1 << 64}\n",
            "e.toml: argument -m/--memory: '18446744073709551616' is more than",
        ),
        (
            "corpora = ['f']\ntimeout = 1e30\n",
            "e.toml: argument -t/--timeout: '1e+30' is more than 1,000,000,000 s",
        ),
        (f"corpora = ['f']\nseed = {1 << 63}\n", "e.toml: argument --seed: '9223372036854775808' is more than"),
    ):
        Path("e.toml").write_text(text)
        done = harness("run", "e.toml")
        assert (done.code, done.err.startswith(f"harness: {why}"), len(done.err.splitlines())) == (2, True, 1)
    Path("e.toml").write_bytes(b"\xef\xbb\xbfcorpora = ['none']\n")
    assert "none" in harness("run", "e.toml").err, "a byte order mark is skipped"
    Path("f.toml").write_text("")
    refused = harness("run", "e.toml", "f.toml")
    assert (refused.code, "a run takes one experiment" in refused.err) == (2, True)


def test_results_of_others_have_no_experiment(folder: Path, harness: Harness) -> None:
    Path("a.csv").write_text("instance,contender,status,seconds\nx,a,sat,1\n")
    harness("import", "--format", "csv", "a.csv", "-t", "5", "-o", "i.sqlite")
    refused = harness("report", "i.sqlite", "--experiment")
    assert (refused.code, "was not made by `run`" in refused.err) == (2, True)


@pytest.mark.slow
def test_a_packed_run_is_run_again_elsewhere_with_the_same_answers(folder: Path, harness: Harness) -> None:
    harness("run", "e.toml", "-o", "j.sqlite", "--html", "page.html")
    assert harness("export", "j.sqlite", "--to", "zip", "-o", "p.zip", "--instances").code == 0
    with zipfile.ZipFile("p.zip") as file:
        names = set(file.namelist())
        file.extractall("p")
    logs = {f"logs/00/r1/0000{n}-{name}.cnf.out.gz" for n, name in ((1, "a"), (2, "sub-u"))}
    made = {"README.txt", "journal.sqlite", "page.html", "environment.json", "requirements.txt", "run-again.sh"}
    assert names == made | logs | {"experiment.toml"} | {f"instances/01/f/{n}.cnf" for n in ("a", "b", "sub/u")}
    with open_journal("p/journal.sqlite") as journal:
        assert {log.out for log in journal.logs.of(0).values()} == logs
    assert json.loads(Path("p/environment.json").read_text())["host"]["cores"]
    assert f"{DISTRIBUTION}=={version(DISTRIBUTION)}" in Path("p/requirements.txt").read_text().splitlines()
    (folder / "f").rename(folder / "gone")
    environment = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", "p/run-again.sh"], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert f"solver.py {digest(folder / 'solver.py')}" in Path("p/README.txt").read_text()
    script = Path("p/run-again.sh").read_text()
    Path("p/elsewhere.sh").write_text(script.replace(f"folder={folder}", "folder=/no/such/folder"))
    moved = subprocess.run(["sh", "p/elsewhere.sh", "--help"], env=environment, capture_output=True, text=True)
    assert "/no/such/folder is not here: files that the experiment names are sought in" in moved.stderr
    assert (moved.returncode, "usage" in moved.stdout) == (0, True), moved.stderr
    answers = []
    for path in ("p/journal.sqlite", "p/again.sqlite"):
        with open_journal(path) as journal:
            rows = [(r.who[1:4], r.who[5:7], r.measured[:3], r.solutions) for r in journal.outcomes.rows()]
            answers.append((list(journal.instances.listing()), rows))
    assert answers[0] == answers[1]
    assert Path("p/again.html").is_file()
    assert Path("p/again-logs/again/dimacs-mine-extended").is_dir()


@pytest.mark.slow
def test_the_same_run_gives_the_same_file_and_none_is_replaced(folder: Path, harness: Harness) -> None:
    harness("run", "e.toml", "-o", "j.sqlite")
    for name in ("a.zip", "b.zip"):
        assert harness("export", "j.sqlite", "--to", "zip", "-o", name).code == 0
    assert Path("a.zip").read_bytes() == Path("b.zip").read_bytes()
    with zipfile.ZipFile("a.zip") as file:
        assert not any(name.startswith("instances/") for name in file.namelist())
        assert "not in this file" in file.read("README.txt").decode()
    refused = harness("export", "j.sqlite", "--to", "zip", "-o", "a.zip")
    assert (refused.code, "already exists" in refused.err) == (2, True)
    (folder / "f" / "a.cnf").unlink()
    (folder / "f" / "sub" / "u.cnf").unlink()
    (folder / "f" / "b.cnf").unlink()
    gone = harness("export", "j.sqlite", "--to", "zip", "-o", "c.zip", "--instances")
    assert (gone.code, gone.err.count("\n"), Path("c.zip").exists()) == (2, 1, False)


@pytest.mark.slow
def test_the_experiment_of_merged_shards_is_the_whole_run(folder: Path, harness: Harness) -> None:
    for k in (1, 2):
        harness("run", "e.toml", "--shard", f"{k}/2", "-o", f"{k}.sqlite")
    harness("merge", "1.sqlite", "2.sqlite", "-o", "all.sqlite")
    assert printed(harness, "1.sqlite")["shard"] == "1/2"
    assert "shard" not in printed(harness, "all.sqlite")
