"""PySAT's solvers, recorded; with CROSSCHECK_WITH all of them are replaced by one, which the program does not notice.

RC2, musx and all that builds on `Solver` calls the classes that are wrapped here.
"""

import os
from functools import wraps
from types import ModuleType
from typing import Any

from .script import script_of, timed

UNSTATED = {"add_atmost": "native cardinality constraints", "add_xor_clause": "XOR clauses"}
ATTACHED = ("connect_propagator", "attach_propagator")


def wrap(module: ModuleType) -> None:
    """Record the calls of all solver classes of pysat.solvers."""
    classes = {
        name: found
        for name, found in vars(module).items()
        if isinstance(found, type) and name not in ("Solver", "_SolverBackend") and hasattr(found, "solve_limited")
    }
    for found in classes.values():
        wrap_class(found)
    if wanted := os.environ.get("CROSSCHECK_WITH"):
        replace_classes(module, classes, wanted)


def wrap_class(found: type) -> None:
    """Record the calls of one solver class."""
    cls: Any = found
    add, solve, limited = cls.add_clause, cls.solve, cls.solve_limited

    @wraps(add)
    def add_clause(self: Any, clause: Any, *args: Any, **named: Any) -> Any:
        clause = list(clause)
        script_of(self).add(clause)
        return add(self, clause, *args, **named)

    def asking(ask: Any) -> Any:
        @wraps(ask)
        def recorded(self: Any, assumptions: Any = (), *args: Any, **named: Any) -> Any:
            assumptions = list(assumptions)
            answer, ns = timed(ask, self, assumptions, *args, **named)
            script_of(self).ask(assumptions, answer, ns)
            return answer

        return recorded

    cls.add_clause, cls.solve, cls.solve_limited = add_clause, asking(solve), asking(limited)
    for name, what in {**UNSTATED, **dict.fromkeys(ATTACHED, "a propagator")}.items():
        if hasattr(cls, name):
            setattr(cls, name, refusing(getattr(cls, name), what))


def refusing(call: Any, what: str) -> Any:
    """Return a call that ends the script, as a script does not state it."""

    @wraps(call)
    def recorded(self: Any, *args: Any, **named: Any) -> Any:
        script_of(self).refuse(what)
        return call(self, *args, **named)

    return recorded


def replace_classes(module: ModuleType, classes: dict[str, type], wanted: str) -> None:
    """Let every class make solvers of one name. Options of another solver are left out."""
    names: Any = module.SolverNames
    alias = next((alias for alias, known in vars(names).items() if alias[0] != "_" and wanted in known), wanted)
    right: Any = next(
        (found for name, found in classes.items() if name.lower() == alias.replace("_", "").lower()), None
    )
    if right is None:
        raise SystemExit(f"record: PySAT has no solver {wanted}")

    def make(bootstrap_with: Any = None, use_timer: bool = False, *_: Any, **options: Any) -> Any:
        return right(bootstrap_with, use_timer)

    for name in classes:
        setattr(module, name, make)
