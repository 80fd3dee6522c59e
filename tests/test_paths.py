"""Pages for a person: their commands run in order in an empty folder, with the exit codes and lines that they show."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGES = ("my-model", "my-solver", "my-competition", "classroom")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*?)(?=^\$ |\Z)", re.DOTALL | re.MULTILINE)
CODE = re.compile(r" +# exit (\d+)$", re.MULTILINE)
HERE = re.compile(r"<<'END'\n.*?^END\n", re.DOTALL | re.MULTILINE)


def commands(page: str) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the commands of a page, their exit codes, and the lines that they print among others."""
    for block in BLOCK.findall((ROOT / "docs" / f"{page}.md").read_text()):
        for text in COMMAND.findall(block):
            here = HERE.search(text)
            at = here.end() if here else text.index("\n") + 1
            code = CODE.search(text[:at])
            yield CODE.sub("", text[:at]).rstrip("\n"), int(code[1]) if code else 0, text[at:].splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_commands_of_a_page_run_in_an_empty_folder(page: str, tmp_path: Path) -> None:
    scripts = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "200"}
    environment.pop("PYTHONPATH", None)
    for command, code, lines in commands(page):
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == code, (command, done.stdout[-2000:], done.stderr[-2000:])
        printed = set((done.stdout + done.stderr).split())
        for line in lines:
            assert set(line.split()) <= printed, f"{command}\n{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
