"""Run a benchmark of suite.py with the packages of a checkout; record its figures and where they are from."""

import datetime
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from figures import Figure
from suite import SKIPPED, Benchmark

from harness.model.host import host, versions

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
Tools = Mapping[str, str]


def write_records(known: Mapping[str, Any], path: Path) -> None:
    """Write records as JSON, each figure on one line."""
    text = json.dumps(known, indent=1, ensure_ascii=False)
    path.write_text(
        re.sub(r'\{\s+("case"[^{}]*?)\s+\}', lambda m: "{" + re.sub(r"\n\s+", " ", m[1]) + "}", text) + "\n"
    )


class Failed(Exception):
    """Reason for which a benchmark has no figures; `detail`, which can name paths, is not recorded."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason


class Process:
    """Benchmark that runs with the packages of a checkout, in a session of its own."""

    def __init__(self, script: str, words: list[str], checkout: Path, folder: Path) -> None:
        self.checkout, self.result, self.errors = checkout, folder / "figures.json", folder / "errors"
        folder.mkdir(exist_ok=True)
        command = [sys.executable, str(FOLDER / script), *words, "--json", str(self.result)]
        environment = os.environ | {"PYTHONPATH": str(checkout)}
        with self.errors.open("w") as errors:
            self.child = subprocess.Popen(
                command, cwd=checkout, env=environment, stdout=errors, stderr=errors, start_new_session=True
            )

    def figures(self, until: float) -> list[Figure]:
        """Wait for the figures, and end the process. Raises Failed, also at the monotonic time `until`."""
        try:
            code = self.child.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise Failed("it takes too long") from None
        finally:
            self.end()
        last = self.errors.read_text().strip().rpartition("\n")[2]
        if code == SKIPPED:
            raise Failed("skipped", last)
        if code or not self.result.exists():
            raise Failed(f"exit code {code}", last[:300])
        data = json.loads(self.result.read_text())
        if Path(data["packages"]) != self.checkout:
            raise Failed("it measured the packages of another checkout", data["packages"])
        if not data["figures"]:
            raise Failed("it has no figures")
        return [Figure(**figure) for figure in data["figures"]]

    def end(self) -> None:
        """Kill the session, unless its leader has ended: then its id may be another's."""
        if self.child.returncode is None:
            os.killpg(self.child.pid, signal.SIGKILL)
            self.child.wait()


def words_of(text: str, tools: Tools) -> list[str]:
    """Return the words of a command with tools in place. Raises Failed if one is missing."""
    found = []
    for word in text.split():
        name = word[1:-1] if word.startswith("{") else ""
        path = tools.get(name) or shutil.which(name) if name else word
        if not path:
            raise Failed("skipped", f"it needs --with {name}=PATH" if name != "old" else "it needs --against")
        found.append(path)
    return found


def commit(checkout: Path) -> str:
    """Return the commit of a checkout, with a + if files of it have changed."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=checkout, capture_output=True, text=True, check=True).stdout.strip()

    return git("rev-parse", "--short=7", "HEAD") + "+" * bool(git("status", "--porcelain", "--untracked-files=no"))


def started(benchmark: Benchmark, full: bool, tools: Tools, checkout: Path, folder: Path) -> Process:
    """Start a benchmark. Raises Failed if a tool is missing."""
    return Process(benchmark.script, words_of(benchmark.words(full), tools), checkout, folder)


def measure(benchmark: Benchmark, full: bool, tools: Tools) -> dict[str, Any]:
    """Run a benchmark of this checkout; return its record. Raises Failed."""
    began, load = time.monotonic(), os.getloadavg()[0]
    with TemporaryDirectory() as folder:
        process = started(benchmark, full, tools, ROOT, Path(folder))
        figures = process.figures(began + benchmark.seconds(full))
    return {
        "command": f"{benchmark.script} {benchmark.words(full)}".strip(),
        "date": datetime.date.today().isoformat(),
        "commit": commit(ROOT),
        "machine": host(),
        "versions": versions(),
        "load": [round(load, 1), round(os.getloadavg()[0], 1)],
        "seconds": round(time.monotonic() - began, 1),
        "figures": [f.as_dict() for f in figures],
    }
