"""Mutants of the judge, the readers, the statistics and the encoders, killed by the README's tests alone.

    python benchmarks/suite_mutation.py NOTES [--mutants N] [--seed N] [--budget SECONDS] [--only FILE]

First the tests run once, and note which functions each of them calls, in forked processes too. Then each mutant
(mutants.py) is asked of the tests that call its function, those that take the least CPU time first, in a fork of a
process that has collected all tests, until one fails or the budget is spent. A test that fails in a fork without a
mutant counts for nothing. Processes that are started, not forked, run the code unchanged.

    NOTES         folder of the notes of the first run, which are read again if they are there, and of the outcomes
    --mutants N   sample of each group, by --seed, of all changes of functions that Numba does not compile
    --budget N    CPU seconds of tests for a mutant
    --only FILE   the mutants that this file names, outcomes of another version, as far as this one has them
"""

import argparse
import ast
import json
import mmap
import os
import pkgutil
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT), str(ROOT / "benchmarks")]

from mutants import Site, count_sites, functions, loaded, patch_loaded, source  # noqa: E402

GROUPS = {
    "judge": "harness.judging",
    "readers": "puzzles.readers",
    "statistics": "harness.reporting.statistics harness.reporting.frame.pairing"
    " harness.reporting.views.comparing harness.reporting.views.ranking harness.reporting.views.summary_table",
    "encoders": "encoders",
}
RECORD, MUTANTS = "CROSSCHECK_RECORD", "CROSSCHECK_MUTANTS"  # variables that make this file a plug-in of pytest


class Mutant(NamedTuple):
    """The n-th change of a module: of which function, and its text, by which two versions have the same mutant."""

    group: str
    module: str
    number: int
    function: str
    text: str


class Noted(NamedTuple):
    """Test of the first run: CPU seconds, the functions that it called, and its outcome."""

    test: str
    seconds: float
    called: list[str]
    passed: bool


def modules(group: str) -> list[str]:
    """Return the names of the modules of a group, without scripts of child processes."""
    found = []
    for name in GROUPS[group].split():
        below = pkgutil.walk_packages(getattr(import_module(name), "__path__", []), f"{name}.")
        found += [name, *(m.name for m in below if not m.name.endswith(".child"))]
    return found


def is_compiled(function: ast.FunctionDef) -> bool:
    """Return True if Numba compiles a function, so that no mutant of its loaded code would run."""
    return any("compile" in ast.unparse(decorator) for decorator in function.decorator_list)


def change(group: str, module: str, number: int) -> Mutant | None:
    """Return a change of a module; None if its function is compiled."""
    tree = ast.parse(source(module)[1])
    compiled = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and is_compiled(node)}
    site = Site(number)
    site.visit(tree)
    function = site.what.partition(":")[0]
    if function.rpartition(".")[2] in compiled:
        return None
    return Mutant(group, module, number, function, f"{module}.{site.what.rpartition('  at ')[0]}")


def sample(group: str, seed: int, most: int) -> Iterator[Mutant]:
    """Yield some mutants of a group, by seed."""
    every = [(module, number) for module in modules(group) for number in range(count_sites(module))]
    Random(f"{seed} {group}").shuffle(every)
    for module, number in every:
        if most and (mutant := change(group, module, number)):
            most -= 1
            yield mutant


def named(group: str, names: set[str]) -> Iterator[Mutant]:
    """Yield the mutants of a group that have these names, each once."""
    left = set(names)
    for module in modules(group):
        for number in range(count_sites(module)) if any(name.startswith(f"{module}.") for name in names) else ():
            if (mutant := change(group, module, number)) and mutant.text in left:
                left.discard(mutant.text)
                yield mutant


def cpu_seconds() -> float:
    """Return the CPU time of this process and of those that it waited for."""
    some = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in some)


class Noting(ast.NodeTransformer):
    """Adds a call with a number to each function and method of a module."""

    def __init__(self, module: str, known: list[str]) -> None:
        self.path, self.known = f"{module}.", known

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        before, self.path = self.path, f"{self.path}{node.name}."
        node.body = [self.visit(statement) for statement in node.body]
        self.path = before
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if not is_compiled(node):
            at = int(isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant))
            node.body[at:at] = ast.parse(f"_called({len(self.known)})").body
            self.known.append(f"{self.path}{node.name}")
        return node


class Recorder:
    """Plug-in that writes the CPU time and the called functions of each test."""

    def __init__(self, folder: Path) -> None:
        self.out = (folder / f"{os.environ.get('PYTEST_XDIST_WORKER', 'main')}.jsonl").open("w")
        self.seen = mmap.mmap(-1, 1 << 16)  # shared with forked processes
        self.known: list[str] = []
        self.passed, self.began = True, 0.0

    def pytest_collection_finish(self) -> None:
        for name in dict.fromkeys(module for group in GROUPS for module in modules(group)):
            module = import_module(name)
            path, text = source(name)
            tree = ast.fix_missing_locations(Noting(name, self.known).visit(ast.parse(text)))
            codes = dict(functions(compile(tree, path, "exec")))
            vars(module)["_called"] = self.note
            for at, function in loaded(module):
                if at in codes and "_called" in codes[at].co_names:
                    function.__code__ = codes[at]

    def note(self, number: int) -> None:
        self.seen[number] = 1

    def pytest_runtest_logstart(self) -> None:
        self.seen[:] = bytes(len(self.seen))
        self.passed, self.began = True, cpu_seconds()

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.passed &= report.passed

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        called = [name for name, one in zip(self.known, bytes(self.seen), strict=False) if one]
        spent = round(cpu_seconds() - self.began, 3)
        self.out.write(json.dumps(Noted(nodeid, spent, called, self.passed)) + "\n")
        self.out.flush()


class Killer:
    """Plug-in that asks the collected tests for mutants, instead of running them."""

    def __init__(self, mutants: Sequence[Sequence[Any]], notes: Sequence[Sequence[Any]], budget: float, out: str):
        self.mutants, self.notes = [Mutant(*m) for m in mutants], [Noted(*n) for n in notes]
        self.budget, self.out = budget, Path(out)
        self.sound: dict[str, bool] = {}  # tests that pass in a fork without a mutant

    def pytest_runtestloop(self, session: Any) -> bool:
        items = {item.nodeid: item for item in session.items}
        for name in dict.fromkeys(mutant.module for mutant in self.mutants):
            import_module(name)
        for mutant in self.mutants:
            called = f"{mutant.module}.{mutant.function}"
            calling = [n for n in self.notes if n.passed and n.test in items and called in n.called]
            chosen: list[Any] = []
            spent = 0.0
            for note in sorted(calling, key=lambda n: n.seconds):
                if (spent := spent + note.seconds) <= self.budget or not chosen:
                    chosen.append(items[note.test])
            with self.out.open("a") as out:
                how = self.killed_by(mutant, chosen)
                out.write(json.dumps([mutant.group, mutant.text, len(calling), len(chosen), how]) + "\n")
        return True

    def killed_by(self, mutant: Mutant, items: list[Any]) -> str:
        """Return the test that fails with a mutant and passes without it; "" if none does."""
        while items and (how := self.first_failing(mutant, items)):
            found = next(item for item in items if item.nodeid == how)
            if how not in self.sound:
                self.sound[how] = not self.first_failing(None, [found])
            if self.sound[how]:
                return how
            items.remove(found)
        return ""

    def first_failing(self, mutant: Mutant | None, items: list[Any]) -> str:
        """Return the first of some tests that fails, or ends or hangs the process, in a fork; "" if all pass."""
        read, write = os.pipe()
        child = os.fork()
        if not child:
            self.run(mutant, items, write)
        os.close(write)
        until = time.monotonic() + 20 * (self.budget + 30)
        while not (ended := os.waitpid(child, os.WNOHANG)[0]) and time.monotonic() < until:
            time.sleep(0.02)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        if not ended:
            os.waitpid(child, 0)
        os.set_blocking(read, False)  # a process that a test has left may have the other end
        with os.fdopen(read) as pipe:
            begun = (pipe.read() or "").splitlines()
        return "" if begun[-1:] == ["passed"] else begun[-1] if begun else items[0].nodeid

    def run(self, mutant: Mutant | None, items: list[Any], write: int) -> None:
        """Run tests in this process, a fork, until one fails; write the name of each before it begins, and end."""
        from _pytest.runner import runtestprotocol

        os.setsid()
        limit = int(2 * self.budget + 30 + cpu_seconds())
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        folder = Path(tempfile.mkdtemp(prefix="mutant-")).resolve()
        with suppress(BaseException):
            if mutant:
                patch_loaded(mutant.module, mutant.number)
            items[0].config._tmp_path_factory._basetemp = folder  # so that no mutant leaves files to the next
            for item, following in zip(items, [*items[1:], None], strict=True):
                os.write(write, f"{item.nodeid}\n".encode())
                if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
                    break
            else:
                os.write(write, b"passed\n")
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


def pytest_configure(config: Any) -> None:
    if folder := os.environ.get(RECORD):
        if os.environ.get("PYTEST_XDIST_WORKER") or not config.getoption("numprocesses", None):
            config.pluginmanager.register(Recorder(Path(folder)))
    elif path := os.environ.get(MUTANTS):
        config.pluginmanager.register(Killer(**json.loads(Path(path).read_text())))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--mutants", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=60)
    parser.add_argument("--only", type=Path)
    args, more = parser.parse_known_args()
    folder: Path = args.notes.resolve()
    folder.mkdir(exist_ok=True)
    pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "benchmarks.suite_mutation", *more]
    if not list(folder.glob("*.jsonl")):
        subprocess.run([*pytest, "-n", "auto"], cwd=ROOT, env=os.environ | {RECORD: str(folder)}, check=False)
    notes = [json.loads(line) for path in folder.glob("*.jsonl") for line in path.open()]
    names = {json.loads(line)[1] for line in args.only.open()} if args.only else None
    drawn = [m for g in GROUPS for m in (sample(g, args.seed, args.mutants) if names is None else named(g, names))]
    out, settings = folder / "outcomes.txt", folder / "settings.json"
    out.unlink(missing_ok=True)
    settings.write_text(json.dumps({"mutants": drawn, "notes": notes, "budget": args.budget, "out": str(out)}))
    subprocess.run([*pytest, "-n0"], cwd=ROOT, env=os.environ | {MUTANTS: str(settings)}, check=False)
    by: Counter[tuple[str, bool]] = Counter()
    for group, text, calling, chosen, how in map(json.loads, out.open()):
        by[group, bool(how)] += 1
        if not how:
            print(f"survives {chosen} of the {calling} tests that call it: {text}")
    for group in GROUPS:
        print(f"{group:<11} {by[group, True]} of {by[group, True] + by[group, False]} killed")


if __name__ == "__main__":
    main()
