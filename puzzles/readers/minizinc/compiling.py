"""MiniZinc's compiler: the `minizinc` on the PATH, or else the one in the npm package `minizinc`, run by Node.

Both print messages as JSON, one a line, and write FlatZinc and the model of the output (.ozn).
"""

import json
import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from puzzles.errors import MissingPackage
from puzzles.processes.child import ChildLimits, finished
from puzzles.processes.environment import inherited
from puzzles.readers.minizinc.library import SOLVER, files
from puzzles.readers.refusal import Refusal

SECONDS, WALL = 300, 4  # limit for the compiler of CPU time, and times this of wall time
MEMORY, STACK, FLAT_BYTES, PRINTED = 4 << 30, 1 << 30, 1 << 29, 1 << 26  # bytes: its data, its FlatZinc, its messages
STACK_KIB = 30_000  # of Node, whose own of 1 MB is too small for large models; each of its threads takes its limit
INSTALL = "apt install minizinc, or npm install minizinc in this folder if there is Node"
ROOT = "/minizinc"  # folder of the files in the package's own file system
NEXT_TO_MODEL = 1 << 24  # bytes of included files that are passed to the package
PACKAGE = Path("node_modules", "minizinc", "dist")
FLAT, SHOWN = "flat.fzn", "flat.ozn"


class Compiled(NamedTuple):
    """FlatZinc and output model of an instance, the compiler's messages, and the seconds that it took."""

    flat: str
    output: str
    messages: Sequence[dict[str, Any]]
    seconds: float


def compiled(label: str, model: Path, data: Path | None) -> Compiled:
    """Return the FlatZinc of a model with its data; '' if there is none. Raises MissingPackage, Refusal, OSError."""
    start = time.perf_counter()
    if shutil.which("minizinc"):
        flat, output, messages = by_program(model, data)
    elif shutil.which("node") and (package := package_folder()):
        flat, output, messages = by_node(package, model, data)
    else:
        raise MissingPackage(f"{label}: MiniZinc models need MiniZinc's compiler: {INSTALL}")
    return Compiled(flat, output, messages, time.perf_counter() - start)


def package_folder() -> Path | None:
    """Find the npm package in the current folder, in the folders above it, or in those of NODE_PATH."""
    here = Path.cwd()
    known = [folder / PACKAGE for folder in (here, *here.parents)]
    known += [
        Path(text) / PACKAGE.relative_to("node_modules")
        for text in os.environ.get("NODE_PATH", "").split(os.pathsep)
        if text
    ]
    return next((folder for folder in known if (folder / "minizinc-worker.js").is_file()), None)


def arguments(solver: str, flat: str, output: str, named: Sequence[str]) -> list[str]:
    """Return the arguments of the compiler."""
    return ["--solver", solver, "-c", "--fzn", flat, "--ozn", output, *named]


def by_program(model: Path, data: Path | None) -> tuple[str, str, list[dict[str, Any]]]:
    """Compile by the program on the PATH."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, text in files(name).items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text)
        named = [str(path.absolute()) for path in (model, data) if path]
        flat, output = folder / FLAT, folder / SHOWN
        words = arguments(str(folder / SOLVER), str(flat), str(output), named)
        printed = run(["minizinc", "--json-stream", *words], b"")
        return text_of(flat), text_of(output), messages_of(printed)


def text_of(path: Path) -> str:
    """Return the text of a file, '' if there is none."""
    return path.read_text(errors="replace") if path.exists() else ""


def by_node(package: Path, model: Path, data: Path | None) -> tuple[str, str, list[dict[str, Any]]]:
    """Compile with the npm package, which sees no files but those given to it."""
    texts = files(ROOT)
    sent = 0
    for path in sorted(model.parent.rglob("*.mzn")):
        sent += path.stat().st_size
        if sent < NEXT_TO_MODEL or path == model:
            texts[f"model/{path.relative_to(model.parent)}"] = path.read_text(errors="replace")
    named = [f"model/{model.name}"]
    if data:
        named.append(f"data/{data.name}")
        texts[named[-1]] = data.read_text(errors="replace")
    request = {
        "jsonStream": True,
        "args": arguments(f"{ROOT}/{SOLVER}", FLAT, SHOWN, named),
        "files": texts,
        "outputFiles": [FLAT, SHOWN],
    }
    script = Path(__file__).with_name("node.cjs")
    command = ["node", f"--stack-size={STACK_KIB}", str(script), str(package)]
    messages = messages_of(run(command, json.dumps(request).encode(), 2 * STACK_KIB << 10, FLAT_BYTES))
    found = next((m.get("outputFiles") for m in messages if m.get("type") == "exit"), None) or {}
    return found.get(FLAT) or "", found.get(SHOWN) or "", messages


def run(command: Sequence[str], given: bytes, stack: int = STACK, printed: int = PRINTED) -> bytes:
    """Return what a compiler prints; its messages tell whether it failed. Raises Refusal, for a limit too."""
    limits = ChildLimits(SECONDS, WALL * SECONDS, MEMORY, stack, FLAT_BYTES, printed)
    done = finished(command, given, limits, inherited(False, ("MZN_*",)))
    if done.beyond:
        raise Refusal([beyond(done.beyond)])
    if done.code and not done.printed.strip():
        lines = [line for line in done.errors.decode(errors="replace").strip().splitlines() if line.strip(" .")]
        line = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "")
        why = line.strip()[:200] or (f"exit code {done.code}" if done.code > 0 else f"signal {-done.code}")
        raise Refusal([f"models that MiniZinc's compiler fails on ({why})"])
    return done.printed


def beyond(limit: str) -> str:
    """Return what is not supported, where the compiler met a limit."""
    return {
        "cpu": f"models that take MiniZinc's compiler more than {SECONDS} s",
        "wall": f"models that take MiniZinc's compiler more than {WALL * SECONDS} s of wall time",
        "memory": f"models that take MiniZinc's compiler more than {MEMORY >> 20:,} MiB of memory",
        "file": f"models whose FlatZinc has more than {FLAT_BYTES >> 20} MiB",
        "printed": "models for which MiniZinc's compiler prints too much",
    }[limit]


def messages_of(printed: bytes) -> list[dict[str, Any]]:
    """Return the messages in what a compiler prints; other lines are left out."""
    found = []
    for line in printed.splitlines():
        with suppress(ValueError):
            message = json.loads(line)
            if isinstance(message, dict):
                found.append(message)
    return found
