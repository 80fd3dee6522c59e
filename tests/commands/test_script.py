"""The console script `crosscheck`: its name in messages, its working folder, help, completion."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from harness.model.release import DISTRIBUTION
from tests.conftest import Harness

SCRIPT = "import sys\nfrom harness.cli import main\nsys.exit(main())\n"  # what pip writes
Script = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def crosscheck(tmp_path: Path, environment: dict[str, str]) -> Script:
    """Run the console script in an empty folder."""
    script, folder = tmp_path / "bin" / "crosscheck", tmp_path / "work"
    script.parent.mkdir()
    folder.mkdir()
    script.write_text(SCRIPT)

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, str(script), *words]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)

    return run


@pytest.mark.slow
def test_messages_name_the_program_as_it_was_called(crosscheck: Script, harness_process: Harness) -> None:
    assert crosscheck("run", "--help").stdout.startswith("usage: crosscheck run CORPUS... [options]\n")
    assert crosscheck("show", "nothing").stderr.startswith("crosscheck: nothing: no such file")
    assert crosscheck("run", "hardest", "-b", "x:*").stderr.endswith("see `crosscheck list --backends`\n")
    assert crosscheck("run", "nothing").stderr.endswith("see `crosscheck list --corpora`\n")
    wrong = crosscheck("run", "hardest", "-n", "1", "-b", "lines:liar", "--program", "liar=sed s/[.]/1/g")
    assert "to shrink: crosscheck shrink " in wrong.stdout
    assert harness_process("run", "--help").out.startswith("usage: python -m harness run CORPUS... [options]\n")
    assert harness_process("show", "nothing").err.startswith("harness: nothing: no such file")


@pytest.mark.slow
@pytest.mark.parametrize("package", ["harness", "backends", "puzzles"])
def test_a_package_of_the_same_name_in_the_working_folder_is_not_used(
    crosscheck: Script, tmp_path: Path, package: str
) -> None:
    (tmp_path / "work" / package).mkdir()
    (tmp_path / "work" / package / "__init__.py").write_text("raise SystemExit('another package')\n")
    done = crosscheck("run", "hardest", "-n", "1", "-b", "native:python")
    assert (done.returncode, "1/1" in done.stdout) == (0, True), done.stderr


@pytest.mark.slow
def test_a_package_of_the_same_name_checks_no_proof(crosscheck: Script, tmp_path: Path) -> None:
    (tmp_path / "work" / "harness").mkdir()
    (tmp_path / "work" / "harness" / "__init__.py").write_text("raise SystemExit('another package')\n")
    done = crosscheck("run", "unsolvable", "-n", "1", "-b", "pysat:cadical195", "--proof")
    assert (done.returncode, "1 certified by a checked proof" in done.stdout) == (0, True), done.stdout + done.stderr


def test_the_version_is_that_of_the_package(harness: Harness) -> None:
    assert harness("--version").out == f"crosscheck {version(DISTRIBUTION)}\n"


@pytest.mark.parametrize(
    ("words", "message", "where"),
    [
        (("run", "-n", "0"), "argument -n/--puzzles: '0' is not a whole number from 1", "run --help"),
        (("trace",), "the following arguments are required: PUZZLE", "trace --help"),
        (("run", "hardest", "--nonsense"), "unrecognized arguments: --nonsense", "run --help"),
        ((), "the following arguments are required: VERB", "--help"),
    ],
)
def test_a_mistyped_argument_is_two_lines(harness: Harness, words: tuple[str, ...], message: str, where: str) -> None:
    done = harness(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"harness: {message}\nsee `python -m harness {where}`\n"


def test_help_of_run_has_groups_examples_and_exit_codes_in_80_columns(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = harness("run", "--help", "all").out
    headings = re.findall(r"(?m)^(\w[\w ]*):$", text)
    assert headings == [
        *(
            "options",
            "puzzles",
            "contenders",
            "limits",
            "sandbox",
            "measurement",
            "other machines",
            "journal",
            "report",
        ),
        *("examples", "exit codes"),
    ]
    assert max(map(len, text.splitlines())) <= 80


def examples() -> list[str]:
    from harness.commands import run

    return re.findall(r"(?m)^  (run .*?)(?:   .*)?$", run.EPILOG)


@pytest.mark.parametrize("example", examples())
def test_the_examples_of_the_help_are_commands_that_parse(example: str) -> None:
    import shlex

    from harness.cli import make_parser

    assert make_parser().parse_args(shlex.split(example)).corpus


def test_every_verb_has_its_puzzle_or_corpus_described_alike(harness: Harness) -> None:
    described = {verb: " ".join(harness(verb, "--help").out.split()) for verb in ("count", "solve", "encode", "show")}
    described["show"] = re.sub("; a lower-case letter .*? in trace", "", described["show"])
    parts = {verb: re.findall(r" PUZZLE a puzzle .*? -n(?: N)?, --number N", text) for verb, text in described.items()}
    assert all(len(found) == 1 and found == parts["show"] for found in parts.values()), parts


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["crosscheck", "comp"], {"compare", "compile"}),
        (["crosscheck", "run", "hard"], {"hard.txt", "hardest.txt"}),
        (["crosscheck", "run", "hardest.txt", "--scr"], {"--scramble"}),
        (["crosscheck", "report", "hard"], set[str]()),
    ],
)
def test_bash_completes_verbs_options_and_corpora(
    harness: Harness, tmp_path: Path, words: list[str], expected: set[str]
) -> None:
    (tmp_path / "complete.sh").write_text(harness("--completion", "bash").out)
    asked = f"COMP_WORDS=({' '.join(words)}) COMP_CWORD={len(words) - 1}; _crosscheck; printf '%s\\n' ${{COMPREPLY[@]}}"
    command = ["bash", "-c", f". ./complete.sh; {asked}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == expected
    assert harness("--completion", "zsh").out.startswith("autoload -Uz bashcompinit")


INTERRUPTED_FINALISER = """
import sys, time
from harness import cli

class Finalised:
    def __del__(self):
        raise KeyboardInterrupt

def verb(args):
    Finalised()
    time.sleep(1000)

cli.importlib.import_module("harness.commands.list").run = verb
sys.exit(cli.main(["list"]))
"""


def test_an_interrupt_that_falls_into_a_finaliser_is_not_lost(environment: dict[str, str]) -> None:
    words = [sys.executable, "-c", INTERRUPTED_FINALISER]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=200)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "harness: interrupted\n")


def test_help_loads_no_verb_and_a_verb_no_other(environment: dict[str, str], tmp_path: Path) -> None:
    code = "import sys, harness.cli\ntry:\n    harness.cli.main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
    code += "print(*sorted(m for m in sys.modules if m.startswith('harness.commands.')), file=sys.stderr)"
    for words, expected in ((["--help"], "completion"), (["judge", "--help"], "arguments completion judge")):
        done = subprocess.run([sys.executable, "-c", code, *words], env=environment, capture_output=True, text=True)
        assert done.stderr.replace("harness.commands.", "").split() == expected.split()
