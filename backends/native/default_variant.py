"""`native` without a variant: the fastest of our solvers that fits the layout; its version names the one it took."""

import dataclasses
from importlib.util import find_spec

from backends.answer import Answer, Ask, Session
from backends.native import VERSION, compiled_version, python
from backends.native.sudoku9 import is_sudoku9
from encoders.formula import Formula


@dataclasses.dataclass(frozen=True)
class Slower:
    """A session of a solver in plain Python."""

    session: Session
    version: str

    def ask(self, ask: Ask) -> Answer:
        return self.session.ask(ask)

    def close(self) -> None:
        self.session.close()


def open(formula: Formula) -> Session:  # noqa: A001 - the name that every variant's module gives
    """A session whose `version` names the variant taken."""
    if find_spec("numba") is None:
        return Slower(python.open(formula), f"{VERSION}, by native:python; pip install numba for the compiled kernels")
    from backends.native import engine, kernel9

    if is_sudoku9(formula):
        return dataclasses.replace(kernel9.open(formula), version=f"{compiled_version()}, by native:kernel")
    if engine.fits(formula):
        return dataclasses.replace(engine.compiled(formula), version=f"{compiled_version()}, by native:engine")
    return Slower(python.open(formula), f"{VERSION}, by native:python")
