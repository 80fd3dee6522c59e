"""docs/gallery.md: its pictures and outputs are those of its commands, and small."""

import re
import runpy
import shlex
from pathlib import Path

import pytest

from tests.conftest import ROOT, Harness
from tests.effort import slow_after

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "pictures"))
TEXT = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
PICTURES = ROOT / "docs" / "pictures"
COMMANDS = SCRIPT["commands"](TEXT)
SHOTS = SCRIPT["screenshots"](TEXT)
DRAWN = [words for words in COMMANDS if words[-2] == "-o"]
PRINTED = [match for match in SCRIPT["COMMAND"].finditer(TEXT) if match[2] is not None]
MOST = {".png": 150_000, ".svg": 150_000, ".sqlite": 350_000}


@pytest.fixture
def at_root(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> Harness:
    """The command line as the script runs it: in the repository, with its width of the terminal."""
    monkeypatch.chdir(ROOT)
    for name, value in SCRIPT["ENVIRONMENT"].items():
        monkeypatch.setenv(name, value)
    return harness


def test_the_script_runs_every_command_of_the_gallery(monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[str] = []

    def output(words: list[str]) -> str:
        run.append(shlex.join(words))
        return "x\n"

    monkeypatch.setitem(SCRIPT["with_outputs"].__globals__, "output", output)
    written = SCRIPT["with_outputs"](TEXT)
    assert run == [shlex.join(shlex.split(line)) for line in re.findall(r"```sh\npython -m harness (.*)\n```", TEXT)]
    assert len(run) == TEXT.count("```sh")
    assert written.count("```text\nx\n```") == TEXT.count("```text") > 0


def test_every_picture_is_made_by_a_command_or_a_screenshot() -> None:
    images = re.findall(r"!\[.+\]\((\S+)\)", TEXT)
    made = [words[-1] for words in DRAWN] + [shot.file for shot in SHOTS]
    assert sorted(f"docs/{image}" for image in images) == sorted(made)
    journals = {word for words in COMMANDS for word in words if word.endswith(".sqlite")}
    assert {f"docs/pictures/{path.name}" for path in PICTURES.iterdir()} == {*made, *journals}


def test_screenshots_are_of_pages_that_the_gallery_makes() -> None:
    pages = {words[words.index("--html") + 1] for words in COMMANDS if "--html" in words}
    assert {shot.page for shot in SHOTS} == pages


def test_pictures_of_the_readme_are_of_the_gallery() -> None:
    shown = re.findall(r"!\[.+\]\((docs/pictures/\S+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(shown) == 2
    assert all((ROOT / file).is_file() for file in shown)


def test_files_are_small() -> None:
    large = [path.name for path in PICTURES.iterdir() if path.stat().st_size > MOST[path.suffix]]
    assert large == []


@pytest.mark.parametrize("match", PRINTED, ids=lambda match: match[1])
def test_an_output_is_what_its_command_prints(match: re.Match[str], at_root: Harness) -> None:
    done = at_root(*shlex.split(match[1]))
    assert SCRIPT["with_output"](match, done.out) == match[0]


@pytest.mark.parametrize("words", slow_after(2, DRAWN), ids=lambda words: Path(words[-1]).name)
def test_a_plot_is_what_its_command_draws(words: list[str], at_root: Harness, tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="plots as files need matplotlib")
    recorded = SCRIPT["VERSION"].search(TEXT)[0]
    if matplotlib.__version__ != recorded:
        pytest.skip(f"drawn by matplotlib {recorded}, and other versions draw other bytes")
    file = tmp_path / Path(words[-1]).name
    assert at_root(*words[:-1], file).code == 0
    assert file.read_bytes() == (ROOT / words[-1]).read_bytes()
