"""README's uses and the pages for a person: commands run in order in an empty folder, from the built wheel.

Their exit codes and lines are those that the pages show.
"""

import fcntl
import os
import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGES = ("README.md", *(f"docs/{name}.md" for name in ("my-model", "my-solver", "my-competition", "classroom")))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*?)(?=^\$ |\Z)", re.DOTALL | re.MULTILINE)
CODE = re.compile(r" +# exit (\d+)$", re.MULTILINE)
CUT = "..."  # stands for more than a page shows
HERE = re.compile(r"<<'END'\n.*?^END\n", re.DOTALL | re.MULTILINE)
EXPERIMENT = 'corpora = ["easy"]\ncontenders = ["native:python", "cpsat"]\npuzzles = 2\nhtml = "page.html"\n'
BUILT = ("puzzles", "encoders", "backends", "harness", "pyproject.toml", "README.md", "LICENSE")


def commands(page: str) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the commands of a page, their exit codes, and the lines that they print among others."""
    for block in BLOCK.findall((ROOT / page).read_text()):
        for text in COMMAND.findall(block):
            here = HERE.search(text)
            at = here.end() if here else text.index("\n") + 1
            code = CODE.search(text[:at])
            yield CODE.sub("", text[:at]).rstrip("\n"), int(code[1]) if code else 0, text[at:].splitlines()


@pytest.fixture(scope="session")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the commands of an environment with the built wheel, made once for all workers.

    What the wheel needs is that of this environment.
    """
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "wheel"
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (done := folder / "installed").exists():
            install(folder)
            done.touch()
    return folder / "env" / "bin"


def install(folder: Path) -> None:
    """Make an environment with the wheel in a folder."""
    (folder / "source").mkdir()
    for name in BUILT:
        (folder / "source" / name).symlink_to(ROOT / name)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]  # its own setuptools: venv's is older
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(folder), str(folder / "source")], check=True, timeout=300)
    venv.create(folder / "env", with_pip=False)
    (built,) = folder.glob("*.whl")
    target = [*pip, "--python", str(folder / "env/bin/python"), "install", "--no-deps", "--no-index", str(built)]
    subprocess.run(target, check=True, timeout=300)
    (packages,) = (folder / "env" / "lib").glob("python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_commands_of_a_page_run_from_the_wheel_in_an_empty_folder(page: str, scripts: Path, tmp_path: Path) -> None:
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "200"}
    environment.pop("PYTHONPATH", None)
    for command, code, lines in commands(page):
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == code, (command, done.stdout[-2000:], done.stderr[-2000:])
        printed = set((done.stdout + done.stderr).split())
        for line in lines:
            assert set(line.split()) - {CUT} <= printed, (
                f"{command}\n{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
            )


@pytest.mark.slow
def test_the_wheel_has_every_file_of_the_packages_and_runs_an_experiment_with_its_page(
    scripts: Path, tmp_path: Path
) -> None:
    (installed,) = scripts.parent.glob("lib/python*/site-packages")
    for package in BUILT[:4]:
        files = {path.relative_to(ROOT) for path in (ROOT / package).rglob("*.*") if "__pycache__" not in path.parts}
        assert [str(path) for path in sorted(files) if not (installed / path).exists()] == []
    (tmp_path / "e.toml").write_text(EXPERIMENT)
    command = [str(scripts / "crosscheck"), "run", "e.toml", "-o", "e.sqlite"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert (done.returncode, "4 of 4 solutions verified" in done.stdout) == (0, True), done.stderr
    assert (tmp_path / "page.html").stat().st_size > 100_000
