"""An instance that is alone on its problem pays for its own encoding: none of it is done when its contender opens."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from backends import registry
from backends.answer import Ask, Session, Status
from encoders.formula import Formula
from harness.running.workers.opening import open_session
from puzzles.families import layout
from puzzles.formats import read
from puzzles.layout import Puzzle

FILES = {"a.cnf": "p cnf 3 2\n1 -2 0\n2 3 0\n", "a.opb": "+2 x1 +3 x2 -1 x3 >= 2 ;\n", "a.wcnf": "h 1 2 0\n4 -1 0\n"}
BOARD = layout("sudoku 2x2")


@dataclass(frozen=True)
class Counted:
    """A backend that records the formulas that it opens."""

    name: str
    version: str
    accepts: frozenset[type]
    can: frozenset[str] = frozenset()
    opened: list[Formula] = field(default_factory=list)

    def open(self, formula: Formula) -> Session:
        self.opened.append(formula)
        return registry.find(self.name).open(formula)


def counted(name: str) -> Counted:
    return Counted(name, "", registry.find(name).accepts)


def command(encoding: str) -> dict[str, Any]:
    return {"encoding": encoding, "warm": False}


@pytest.mark.parametrize(("name", "encoding"), [("pysat:minisat22", "extended"), ("cpsat", "alldifferent")])
@pytest.mark.parametrize("file", sorted(FILES))
def test_a_file_is_encoded_and_loaded_in_its_ask(tmp_path: Path, file: str, name: str, encoding: str) -> None:
    (tmp_path / file).write_text(FILES[file])
    (instance,) = read(tmp_path / file)
    backend = counted(name)
    session = open_session(backend, instance.problem, command(encoding))
    assert backend.opened == []
    answer = session.ask(Ask(instance.domains))
    assert answer.status == Status.SATISFIABLE
    assert len(backend.opened) == 1
    assert answer.phases is not None
    assert answer.phases.encode > 0 < answer.phases.load
    session.ask(Ask(instance.domains))
    assert len(backend.opened) == 2


def test_a_layout_is_opened_once_for_all_its_puzzles() -> None:
    backend = counted("pysat:minisat22")
    session = open_session(backend, BOARD, command("extended"))
    for _ in range(2):
        session.ask(Ask(Puzzle("", BOARD, BOARD.open).domains))
    assert len(backend.opened) == 1
