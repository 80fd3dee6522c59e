"""Mutants: one change to one operator, constant or statement inside a function of a module, told by its number.

put_in    gives the loaded functions of a module the changed code, so that all who imported them have it
arrive    imports a module that nothing has imported yet from the changed source: for compiled code, which is made
          from a function once and for all. Numba's cache must be off then, to keep mutants out of it
"""

import ast
import copy
import functools
import importlib
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.And: ast.Or, ast.Or: ast.And,
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
    """Makes the n-th change inside functions, and says what it was; counts them where n is -1."""

    def __init__(self, n: int) -> None:
        self.n, self.seen, self.what = n, 0, ""
        self.path: list[str] = []  # of the classes and functions we are in
        self.inside = 0  # functions among them

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            function = isinstance(node, ast.FunctionDef)
            self.path.append(node.name)
            self.inside += function
            node.body = [self.visit(statement) for statement in node.body]
            self.inside -= function
            self.path.pop()
            return node
        for other in changes(node) if self.inside else ():
            self.seen += 1
            if self.seen == self.n + 1:
                before, after = ast.unparse(node), ast.unparse(ast.fix_missing_locations(other))
                self.what = f"{'.'.join(self.path)}: {before}  ->  {after}  at {getattr(node, 'lineno', 0)}"
                return ast.copy_location(other, node)
        return self.generic_visit(node)


def source(module: str) -> tuple[str, str]:
    """The path of a module, and its text; not even its package is imported."""
    stems = [Path(root, *module.split(".")) for root in sys.path]
    path = next(p for s in stems for p in (s.with_suffix(".py"), s / "__init__.py") if p.is_file())
    return str(path), path.read_text()


def sites(module: str) -> int:
    """How many changes there are in a module."""
    site = Site(-1)
    site.visit(ast.parse(source(module)[1]))
    return site.seen


def mutant(module: str, n: int) -> tuple[CodeType, str]:
    """The code of a module with its n-th change, and what that is; with none where n is -1."""
    path, text = source(module)
    site = Site(n)
    tree = ast.fix_missing_locations(site.visit(ast.parse(text)))
    if (n >= 0) != bool(site.what):
        raise IndexError(f"{module} has {site.seen} changes, so no number {n}")
    return compile(tree, path, "exec"), f"{module}.{site.what}"


def put_in(module: str, n: int) -> str:
    """Put the n-th change of a module into its loaded functions; what it is."""
    code, what = mutant(module, n)
    codes = dict(functions(code))
    there = loaded(importlib.import_module(module))
    changed = [(f, codes[path]) for path, f in there if path in codes and codes[path] != f.__code__]
    if len(changed) != (n >= 0):
        raise AssertionError(f"{what}: changed {len(changed)} functions")
    for function, other in changed:
        function.__code__ = other
    for some in list(sys.modules.values()):
        for value in list(vars(some).values()) if some else ():
            if isinstance(value, functools._lru_cache_wrapper):
                value.cache_clear()
    return what


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


class Arrival(MetaPathFinder):
    """Gives other code to one module when it is imported."""

    def __init__(self, module: str, code: CodeType) -> None:
        self.module, self.code = module, code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = PathFinder.find_spec(fullname, path, target) if fullname == self.module else None
        if found is not None:
            loader = SourceFileLoader(fullname, str(found.origin))
            loader.get_code = lambda _: self.code  # type: ignore[assignment,method-assign]
            found.loader = loader
        return found


def arrive(module: str, n: int) -> str:
    """Have a module imported, later, with its n-th change; what it is."""
    if module in sys.modules:
        raise AssertionError(f"{module} is loaded already: what was compiled from it would stay")
    code, what = mutant(module, n)
    sys.meta_path.insert(0, Arrival(module, code))
    return what
