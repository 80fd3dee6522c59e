"""An instance that is alone on its problem pays for its own encoding, whether it is a file or a board."""

import gc
import itertools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from backends.contract import registry
from backends.contract.answer import Ask, Backend, Session, Status
from encoders.formula import Cnf, Formula
from encoders.registry import spec
from harness.running.workers import worker
from harness.running.workers.inside.opening import load_code, open_session
from harness.running.workers.problem_file import write
from harness.running.workers.shared_memory import SharedBatch, create_file
from harness.storing.journal import Journal, open_journal
from puzzles.boards.families import layout
from puzzles.boards.layout import Puzzle
from puzzles.formats import ReaderOptions, read
from puzzles.problem import Problem
from tests.conftest import Harness

FILES = {"a.cnf": "p cnf 3 2\n1 -2 0\n2 3 0\n", "a.opb": "+2 x1 +3 x2 -1 x3 >= 2 ;\n", "a.wcnf": "h 1 2 0\nh -1 0\n"}
BOARD = layout("sudoku 2x2")
ORDER = {"backend": "pysat:minisat22", "warmup": 1, "memory": 0, "group": None, "seed": None}


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


def command(encoding: str, alone: bool = False) -> dict[str, Any]:
    return {"encoding": encoding, "warm": False, "alone": alone}


@pytest.mark.parametrize(("name", "encoding"), [("pysat:minisat22", "extended"), ("cpsat", "alldifferent")])
@pytest.mark.parametrize("file", sorted(FILES))
def test_a_file_is_encoded_and_loaded_in_its_ask(tmp_path: Path, file: str, name: str, encoding: str) -> None:
    (tmp_path / file).write_text(FILES[file])
    (instance,) = read(tmp_path / file, ReaderOptions(ignore_objective=True))
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


LAYOUTS = "#: sudoku 2x2\n" + "\n".join(["1234341221434321", ".234341221434321", "12343412214343.."]) + "\n"
LONE = "#: latin 3\n.23231312\n"


def test_a_board_alone_on_its_layout_is_encoded_in_its_ask() -> None:
    backend = counted("pysat:minisat22")
    session = open_session(backend, BOARD, command("extended", alone=True))
    assert backend.opened == []
    answer = session.ask(Ask(BOARD.open))
    assert answer.phases is not None
    assert answer.phases.encode > 0 < answer.phases.load


@pytest.mark.parametrize("corpora", [[LAYOUTS + LONE], [LAYOUTS, LONE], [LONE, LONE]], ids=["one", "two", "same"])
def test_blocks_say_which_instances_are_alone_in_the_whole_run(tmp_path: Path, corpora: list[str]) -> None:
    path = tmp_path / "j.sqlite"
    with Journal.create(path) as journal:
        for i, text in enumerate(corpora):
            (tmp_path / f"{i}.txt").write_text(text)
            journal.corpora.add(f"{i}", read(tmp_path / f"{i}.txt"))
    with Journal.open(path) as journal:
        blocks = [
            journal.instances.block(1, i, i) for i in range(1, journal.instances.size() + 1)
        ]  # as when a resumed run has one left
    assert [b.alone for b in blocks] == [
        b.problem.name == "latin 3" and len(set(corpora)) == len(corpora) for b in blocks
    ]


@pytest.mark.parametrize(
    ("contender", "phase"),
    [("pysat:minisat22/extended", "encode"), ("pysat:minisat22/extended+warm", "encode"), ("native:python", "load")],
)
def test_only_a_lone_board_is_charged_what_opens_its_layout(
    tmp_path: Path, harness: Harness, contender: str, phase: str
) -> None:
    (tmp_path / "p.txt").write_text(LAYOUTS + LONE)
    assert harness("run", "p.txt", "-b", contender, "-o", "j.sqlite").code == 0
    with open_journal(tmp_path / "j.sqlite") as journal:
        columns = journal.outcomes.columns(0, "status", phase)
    assert columns["status"].tolist() == [10] * 4
    assert [bool(spent) for spent in columns[phase]] == [False, False, False, True]


@pytest.mark.slow
def test_what_compiles_for_a_lone_board_is_no_setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, opened = itertools.count(), []

    def slow(backend: Backend, problem: Problem, command: dict[str, Any]) -> None:
        next(itertools.islice(clock, 1000, None))
        opened.append(problem)

    monkeypatch.setattr(worker, "now", lambda: next(clock))
    monkeypatch.setattr(worker, "compile_for", slow)
    written = write(BOARD, tmp_path)
    file = {"problem": str(written.path), "digest": written.digest}
    reply = worker.Worker(SharedBatch(create_file()), tmp_path).open(command("extended", alone=True) | file | ORDER)
    assert reply["version"].startswith("python-sat ")  # of the backend, whatever was opened last
    assert opened == [BOARD]
    assert reply["setup"] < 10


def opened_on_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch, worked: bool) -> worker.Worker:
    """Return a worker that is opened on a CNF file after its code was loaded, or was not."""
    monkeypatch.setattr(worker, "load_code", lambda *_: worked)
    (folder / "a.cnf").write_text(FILES["a.cnf"])
    (instance,) = read(folder / "a.cnf")
    written = write(instance.problem, folder)
    file = {"problem": str(written.path), "digest": written.digest}
    made = worker.Worker(SharedBatch(create_file()), folder)
    made.open(command("extended", alone=True) | file | ORDER)
    return made


@pytest.mark.parametrize(("worked", "longest"), [(True, worker.LOADED_NS), (False, worker.COLD_NS)])
def test_an_ask_is_repeated_if_it_is_short_beside_what_a_cold_process_adds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worked: bool, longest: int
) -> None:
    assert not opened_on_a_file(tmp_path, monkeypatch, worked).repeats(longest + 1)
    assert opened_on_a_file(tmp_path, monkeypatch, worked).repeats(longest)


def test_code_is_loaded_once_for_boards_and_once_for_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(worker, "load_code", lambda backend, _: loaded.append(backend.name))
    (tmp_path / "a.cnf").write_text(FILES["a.cnf"])
    (instance,) = read(tmp_path / "a.cnf")
    made = worker.Worker(SharedBatch(create_file()), tmp_path)
    for problem, times in ((BOARD, 1), (instance.problem, 2), (BOARD, 2), (instance.problem, 2)):
        written = write(problem, tmp_path)
        file = {"problem": str(written.path), "digest": written.digest}
        made.open(command("extended", alone=problem is not BOARD) | file | ORDER)
        assert len(loaded) == times


def test_code_is_loaded_by_solving_another_problem(tmp_path: Path) -> None:
    assert load_code(registry.find("pysat:minisat22"), spec("extended"))
    assert not load_code(Counted("no such backend", "1", frozenset({Cnf})), spec("extended"))


def test_garbage_is_collected_from_when_a_session_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gc.disable()
    try:
        opened_on_a_file(tmp_path, monkeypatch, worked=True)
        assert gc.isenabled()
    finally:
        gc.enable()


def test_a_warm_plug_in_is_opened_for_its_lone_board(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "p.txt").write_text(LONE)
    assert harness("run", "p.txt", "-b", "asked:counts+warm", "-o", "j.sqlite").code == 0
    with open_journal(tmp_path / "j.sqlite") as journal:
        columns = journal.outcomes.columns(0, "decisions", "conflicts")
    assert (columns["decisions"].tolist(), columns["conflicts"].tolist()) == ([2], [1])
