"""The notebook of the documentation runs from start to end, in an empty folder."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

NOTEBOOK = ROOT / "docs/notebook.ipynb"
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(notebook, sys.argv[3])
"""


def test_the_notebook_is_stored_without_outputs() -> None:
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    assert all(not cell["outputs"] for cell in cells if cell["cell_type"] == "code")


def test_the_notebook_of_the_documentation_runs(environment: dict[str, str], tmp_path: Path) -> None:
    for package in ("nbclient", "ipykernel", "pandas"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    folder, filled = tmp_path / "empty", tmp_path / "filled.ipynb"
    folder.mkdir()
    words = [sys.executable, "-c", EXECUTE, str(NOTEBOOK), str(folder), str(filled)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    shown = [cell["outputs"] for cell in json.loads(filled.read_text())["cells"] if cell["cell_type"] == "code"]
    run, frame, times, compared, ranked, _ = ["".join(map(json.dumps, outputs)) for outputs in shown[1:]]
    assert "PAR-2" in run
    assert "text/html" in run
    assert "correct" in frame
    assert "native:python" in times
    assert "after / before" in compared
    assert "points of the MiniZinc challenge" in ranked
    assert list(folder.iterdir()) == []
