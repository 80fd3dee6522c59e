"""Breaks our own code one operator at a time, and sees whether anything notices: `python benchmarks/mutation.py`.

A mutant is one change to one expression or statement inside a function. A forked process gets the changed code into the
functions that are loaded already, and runs the probe of its group: boards as `fuzz` draws them, held against
trying everything, then the group's tests where that saw nothing. A mutant that runs longer than LIMIT counts as caught.

    --mutants N   drawn with --seed, spread evenly over the groups; survivors are listed
"""

import argparse
import ast
import contextlib
import copy
import functools
import importlib
import io
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import CodeType, FunctionType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

LIMIT = 40  # seconds
NATIVE = ("python", "norvig", "backtracking", "subsets", "splitting", "bitset")
GROUPS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # modules, and tests for what the probe does not see
    "encoders": (("encoders.cnf", "encoders.at_most_one", "encoders.reduced"), ("tests/encoders",)),
    "native": (
        ("backends.native.board", *(f"backends.native.{n}" for n in NATIVE)),
        ("tests/native/test_python.py", "tests/native/test_classics.py"),
    ),
    "check": (("puzzles.check", "puzzles.columns"), ("tests/puzzles/test_layout.py",)),
    "judge": (("harness.judge",), ("tests/fuzzing/test_judge.py",)),
}
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Every way to change a node in itself."""
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in SWAPS:
        other = copy.deepcopy(node)
        other.op = SWAPS[type(node.op)]()  # type: ignore[assignment]
        yield other
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            other_compare = copy.deepcopy(node)
            other_compare.ops[i] = SWAPS[type(op)]()  # type: ignore[call-overload]
            yield other_compare
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
        yield copy.deepcopy(node.operand)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    if isinstance(node, ast.Continue):
        yield ast.Break()
    if isinstance(node, ast.Break):
        yield ast.Continue()
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.Pass()
    if isinstance(node, ast.AugAssign):
        yield ast.Pass()


class Site(ast.NodeTransformer):
    """Replaces the n-th thing that can be changed inside functions; counts them where n is -1."""

    def __init__(self, n: int) -> None:
        self.n, self.seen, self.inside, self.what = n, 0, 0, ""

    def visit(self, node: ast.AST) -> Any:
        function = isinstance(node, ast.FunctionDef)
        self.inside += function
        if function and self.inside == 1:
            node.decorator_list = [d for d in node.decorator_list if "compiled" not in ast.dump(d)]  # type: ignore[attr-defined]
        result: Any = node
        if self.inside and not isinstance(node, ast.FunctionDef):
            for other in changes(node):
                if self.seen == self.n:
                    line = getattr(node, "lineno", 0)
                    self.what = f"{line}: {ast.unparse(node)}  ->  {ast.unparse(ast.fix_missing_locations(other))}"
                    result = ast.copy_location(other, node)
                self.seen += 1
        if isinstance(result, ast.FunctionDef):
            result.body = [self.visit(statement) for statement in result.body]
        elif result is node:
            result = self.generic_visit(node)
        self.inside -= function
        return result


def sites(module: str) -> int:
    """How many changes there are in a module."""
    site = Site(-1)
    site.visit(ast.parse(source(module)))
    return site.seen


def source(module: str) -> str:
    return Path(importlib.import_module(module).__file__ or "").read_text()


def mutate(name: str, n: int) -> str:
    """Put the n-th change of a module into its loaded functions; what it is."""
    module = importlib.import_module(name)
    site = Site(n)
    tree = ast.fix_missing_locations(site.visit(ast.parse(source(name))))
    codes = dict(functions(compile(tree, name, "exec")))
    for path, function in loaded(module):
        if path in codes:
            function.__code__ = codes[path]
    for other in list(sys.modules.values()):
        for value in list(vars(other).values()) if other else ():
            if isinstance(value, functools._lru_cache_wrapper):
                value.cache_clear()
    return f"{name.replace('.', '/')}.py:{site.what}"


def functions(code: CodeType, path: str = "") -> Iterator[tuple[str, CodeType]]:
    """The code of every function and method, by its path."""
    for const in code.co_consts:
        if isinstance(const, CodeType) and not const.co_name.startswith("<"):
            yield path + const.co_name, const
            yield from functions(const, f"{path}{const.co_name}.")


def loaded(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    """Every function and method of a module that can be given other code."""
    for name, value in list(vars(module).items()):
        members = vars(value).items() if isinstance(value, type) else [(None, value)]
        for member, found in list(members):
            found = getattr(found, "__wrapped__", getattr(found, "func", getattr(found, "fget", found)))
            found = getattr(found, "__func__", found)
            if isinstance(found, FunctionType) and found.__module__ == module.__name__:
                yield (f"{name}.{member}" if member else name), found


def boards(rounds: int) -> Iterator[tuple[Any, list[Any], int]]:
    """Layouts and boards as fuzzing draws them, those whose count trying everything tells."""
    from harness.fuzzing.boards import fresh_round
    from harness.fuzzing.counting import count

    for number in range(rounds):
        drawn = fresh_round(11, number)
        sheet = drawn.sheets[0]
        if len(sheet.layout.squares) > 40 or len(sheet.layout.values) > 30:
            continue
        some = [(b.domains, count(sheet.layout, b.domains, 4, 2000)) for b in sheet.boards[:14]]
        yield sheet.layout, [(d, c) for d, c in some if c.ended or len(c.solutions) == 4], 4


def solves(backend: Any, formula: Callable[[Any], Any], drawn: Any, per_puzzle: bool = False) -> bool:
    """Whether a backend finds what trying everything finds, on all of these boards."""
    from backends.answer import Ask, Status
    from puzzles.check import violations

    for layout, asks, most in drawn:
        session = backend.open(formula((layout, None)))
        for domains, counted in asks:
            session = backend.open(formula((layout, domains))) if per_puzzle else session
            answer = session.ask(Ask(domains, most, 5.0))
            if any(violations(layout, domains, s) for s in answer.solutions):
                return False
            if len(set(answer.solutions)) != len(counted.solutions) or answer.status == Status.UNKNOWN:
                return False
    return True


def probe(group: str, module: str, drawn: Any) -> bool:
    """Whether nothing is noticed on random boards."""
    from backends import registry
    from encoders.registry import AT_MOST_ONE, ENCODINGS

    if group == "encoders":
        for name in ("extended", "minimal", "efficient", "reduced"):
            encoding = ENCODINGS[name]
            for one in AT_MOST_ONE:
                backend = registry.find("pysat:minicard")
                make = functools.partial(encoded, encoding.encode, AT_MOST_ONE[one])
                if not solves(backend, make, drawn[:: 1 if one == "pairwise" else 3], encoding.per_puzzle):
                    return False
    if group == "native":
        names = [module.rpartition(".")[2]] if not module.endswith("board") else ["python", "bitset"]
        return all(
            solves(registry.find(f"native:{n}"), lambda pair: ENCODINGS["alldifferent"].encode(*pair), drawn)
            for n in names
        )
    return True


def encoded(encode: Callable[..., Any], one: Any, pair: tuple[Any, Any]) -> Any:
    return encode(pair[0], pair[1], one)


def caught(group: str, module: str, n: int, drawn: Any) -> tuple[bool, str]:
    """Whether a mutant is noticed, and what it is, from a process of its own."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        signal.alarm(LIMIT)
        code = 1
        silent = io.StringIO()
        with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent), contextlib.suppress(BaseException):
            os.write(write, mutate(module, n).encode()[:4000])
            if probe(group, module, drawn) and tests_pass(GROUPS[group][1]):
                code = 0
        os._exit(code)
    os.close(write)
    _, status = os.waitpid(child, 0)
    with os.fdopen(read, "rb") as pipe:
        what = pipe.read().decode()
    return status != 0, what


def tests_pass(paths: tuple[str, ...]) -> bool:
    import pytest

    there = [p for p in paths if (ROOT / p).exists()]
    options = ["-x", "-q", "-p", "no:cacheprovider"]
    return not there or pytest.main([*options, *there]) == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--group", choices=GROUPS, action="append")
    args = parser.parse_args()
    os.chdir(ROOT)
    random, until = Random(args.seed), time.monotonic() + args.seconds
    drawn = list(boards(60))
    groups = args.group or list(GROUPS)
    every = {g: [(g, m, n) for m in GROUPS[g][0] for n in range(sites(m))] for g in groups}
    chosen = [site for g in groups for site in random.sample(every[g], min(len(every[g]), args.mutants // len(groups)))]
    random.shuffle(chosen)
    for group in groups:
        if not (probe(group, GROUPS[group][0][0], drawn) and tests_pass(GROUPS[group][1])):
            sys.exit(f"{group}: the probe fails without any mutant")
    done: Counter[str] = Counter()
    dead: Counter[str] = Counter()
    for group, module, n in chosen:
        if time.monotonic() > until:
            break
        killed, what = caught(group, module, n, drawn)
        done[group] += 1
        dead[group] += killed
        if not killed:
            print(f"survived  {what}", flush=True)
    print(f"{sum(done.values())} of {sum(map(len, every.values()))} mutants, {sum(dead.values())} caught")
    for group in groups:
        print(f"{group:<9} {dead[group]:>4} of {done[group]:>4}, of {len(every[group])} that there are")


if __name__ == "__main__":
    main()
