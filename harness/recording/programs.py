"""Programs that are recorded: their environment, the shim of IPASIR, and the scripts that they have written."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from backends.cpsat.importing import cp_model
from harness.model.errors import BadUsage
from harness.recording.cp_models import flatzinc_text

HERE = Path(__file__).resolve().parent
SHIM = HERE / "ipasir_shim.c"
INJECTED = HERE / "injected" / "__init__.py"
RECORD, WITH, TRACE = "CROSSCHECK_RECORD", "CROSSCHECK_WITH", "CADICAL_API_TRACE"
COMPILE_S = 60  # seconds that a compiler may take
STARTER = """\
import importlib.util, os, sys
spec = importlib.util.spec_from_file_location(
    "crosscheck_recorder", {file!r}, submodule_search_locations=[os.path.dirname({file!r})]
)
recorder = sys.modules["crosscheck_recorder"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(recorder)
recorder.install(os.path.dirname(__file__))
"""


class Recorded(NamedTuple):
    """Script of one solver object: see `injected/script.py`. `ns` and `solver` are known in Python alone."""

    path: Path
    solver: str
    asks: int
    satisfiable: int
    ns: int | None
    why: str


def run_recorded(command: Sequence[str], folder: Path, solver: str, ipasir: bool) -> int:
    """Run a program with a recorder, as its user would; return its exit code. Raises BadUsage."""
    with tempfile.TemporaryDirectory() as place:
        Path(place, "sitecustomize.py").write_text(STARTER.format(file=str(INJECTED)))
        more = environment(folder, place, solver, os.environ)
        if ipasir:
            more["LD_PRELOAD"] = " ".join(filter(None, (str(compiled_shim(Path(place))), os.environ.get("LD_PRELOAD"))))
        elif not is_python(command[0]):
            more[TRACE] = str(folder / "cadical.trace")
        try:
            return subprocess.run(command, env={**os.environ, **more}, check=False).returncode
        except OSError as e:
            raise BadUsage(f"{command[0]}: can't be started: {e.strerror}") from None


def is_python(program: str) -> bool:
    """Return True for an interpreter of Python, or a script."""
    return Path(program).name.startswith("python") or program.endswith(".py")


def environment(folder: Path, place: str, solver: str, given: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that start the recorder in every process of Python below the program."""
    path = os.pathsep.join(filter(None, (place, given.get("PYTHONPATH"))))
    return {"PYTHONPATH": path, RECORD: str(folder.resolve())} | ({WITH: solver} if solver else {})


def compiled_shim(place: Path) -> Path:
    """Compile the shim of IPASIR's functions. Raises BadUsage."""
    library = place / "libcrosscheck_ipasir.so"
    words = ["cc", "-O1", "-shared", "-fPIC", "-o", str(library), str(SHIM), "-ldl"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=COMPILE_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as e:
        raise BadUsage(f"--ipasir compiles a shim with cc: {e}") from None
    if done.returncode:
        raise BadUsage(f"--ipasir: cc: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'failed'}")
    return library


def collected(written: Path, folder: Path, name: str) -> Iterator[Recorded]:
    """Move the scripts of a program to a folder, named NAME-1.trace and so on, and yield them. Raises OSError."""
    log, entries = written / "log.jsonl", dict[str, dict[str, object]]()
    for line in log.read_text().splitlines() if log.exists() else ():
        entry = json.loads(line)
        entries[str(entry["file"])] = entry
    names = {*entries, *(path.name for path in written.glob("*.trace"))}
    for number, old in enumerate(sorted(names, key=lambda name: (len(name), name)), 1):
        entry, path = entries.get(old, {}), folder / f"{name}-{number}.trace"
        asks, satisfiable = 0, 0
        if (written / old).exists():
            (written / old).replace(path)
            with path.open() as file:
                solves = [line.split() for line in file if line.startswith("solve")]
            asks, satisfiable = len(solves), sum(words[-1] == "10" for words in solves)
        ns = entry.get("ns")
        why = str(entry.get("why", ""))
        yield Recorded(path, str(entry.get("solver", "")), asks, satisfiable, ns if isinstance(ns, int) else None, why)
    for number, model in enumerate(sorted(written.glob("*.pbtxt")), len(names) + 1):
        yield model_file(model, folder / f"{name}-{number}.fzn")


def model_file(model: Path, target: Path) -> Recorded:
    """Write a recorded CpModel as a FlatZinc file, with its asks if it has no objective. Raises OSError."""
    asks = [json.loads(line) for line in model.with_suffix(".asks").read_text().splitlines()]
    proto = (made := cp_model().CpModel()).proto
    try:
        if not proto.parse_text_format(model.read_text()):
            raise BadUsage("OR-Tools does not read its own text")
        text, _ = flatzinc_text(made)
    except BadUsage as e:
        model.replace(target.with_suffix(".pbtxt"))
        return Recorded(target.with_suffix(".pbtxt"), "CpSolver", 0, 0, None, str(e))
    for assumptions, answer in () if proto.has_objective() else asks:
        literals = [f"v{i}" if i >= 0 else f"-v{-i - 1}" for i in assumptions]
        said = {True: ["10"], False: ["20"], None: []}[answer]
        text += " ".join(["%: ask", *literals, "0", *said]) + "\n"
    target.write_text(text)
    return Recorded(target, "CpSolver", len(asks), sum(answer is True for _, answer in asks), None, "")
