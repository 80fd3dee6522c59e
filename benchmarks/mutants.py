"""Mutants: one change to an operator, constant or statement inside a function, known by number.

patch_loaded   replaces the code of a module's loaded functions, so that all importers run the mutant
patch_import   has a module imported from changed source later: needed for code that is compiled only once.
               Numba's cache must be off then, so that it stores no mutant
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
    """Yield every mutation of a single node."""
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
    """Makes the n-th change inside functions and describes it; with n = -1 counts all changes."""

    def __init__(self, n: int) -> None:
        self.n, self.seen, self.what = n, 0, ""
        self.path: list[str] = []  # enclosing classes and functions
        self.inside = 0  # number of enclosing functions

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
    """Return path and source of a module without importing it or its package."""
    stems = [Path(root, *module.split(".")) for root in sys.path]
    path = next(p for s in stems for p in (s.with_suffix(".py"), s / "__init__.py") if p.is_file())
    return str(path), path.read_text()


def count_sites(module: str) -> int:
    """Count the possible changes of a module."""
    site = Site(-1)
    site.visit(ast.parse(source(module)[1]))
    return site.seen


def mutant(module: str, n: int) -> tuple[CodeType, str]:
    """Return the code of a module with its n-th change, and its description; unchanged if n is -1."""
    path, text = source(module)
    site = Site(n)
    tree = ast.fix_missing_locations(site.visit(ast.parse(text)))
    if (n >= 0) != bool(site.what):
        raise IndexError(f"{module} has {site.seen} changes, so no number {n}")
    return compile(tree, path, "exec"), f"{module}.{site.what}"


def patch_loaded(module: str, n: int) -> str:
    """Make the n-th change in the loaded functions of a module; return its description."""
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
    """Yield the path and code of every function and method."""
    for const in code.co_consts:
        if isinstance(const, CodeType) and not const.co_name.startswith("<"):
            yield path + const.co_name, const
            yield from functions(const, f"{path}{const.co_name}.")


def loaded(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    """Yield the path and object of every function and method of a module whose code can be replaced."""
    for name, value in list(vars(module).items()):
        members = vars(value).items() if isinstance(value, type) else [(None, value)]
        for member, found in list(members):
            found = getattr(found, "__wrapped__", getattr(found, "func", getattr(found, "fget", found)))
            found = getattr(found, "__func__", found)
            if isinstance(found, FunctionType) and found.__module__ == module.__name__:
                yield (f"{name}.{member}" if member else name), found


class PatchedFinder(MetaPathFinder):
    """Import hook that loads one module from other code."""

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


def patch_import(module: str, n: int) -> str:
    """Have a later import of a module load its n-th change; return its description."""
    if module in sys.modules:
        raise AssertionError(f"{module} is already loaded: code compiled from it would stay unchanged")
    code, what = mutant(module, n)
    sys.meta_path.insert(0, PatchedFinder(module, code))
    return what
