"""Harness work on the file that a program gets: what it takes is no time of the program, and no limit counts it."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from backends.contract.answer import Ask, Backend, Status
from backends.programs.dimacs import DimacsNotation
from backends.programs.program_session import ProgramSession
from backends.shared.literal_map import LiteralMap
from encoders.formula import Cnf
from encoders.registry import spec
from harness.running.workers.inside.opening import ONE_VARIABLE, PerPuzzle
from harness.running.workers.inside.source import HarnessWork
from harness.running.workers.shared_memory import PAUSED, SINCE, SPENT
from puzzles.problem.values import Domains

SLOW_S = 0.02  # that each step of ours takes at least
LIMIT_S = 5.0
SCRIPT = """
import sys
print('s SATISFIABLE', 'v 1 0', sep=chr(10)) if sys.argv[-1].endswith('.one') else print('s UNSATISFIABLE')
"""


class Slow(DimacsNotation):
    """A notation whose every step is slow."""

    def parse(self, output: bytes, domains: Domains, original: bool) -> tuple[int | None, list[int]]:
        time.sleep(SLOW_S)
        return super().parse(output, domains, original)

    def decoder(self, domains: Domains) -> LiteralMap:
        time.sleep(SLOW_S)
        return super().decoder(domains)

    def text(self, domains: Domains, forbidden: Sequence[list[int]]) -> bytes:
        time.sleep(SLOW_S)
        return super().text(domains, forbidden)


def session(given: list[float]) -> PerPuzzle:
    """Return a session whose program finds a model in FILE.one and none elsewhere; `given` receives its limits."""

    class Recorded(ProgramSession):
        def argv(self, proving: bool, file: Path, seconds: float) -> list[str]:
            given.append(seconds)
            return super().argv(proving, file, seconds)

    def encode(domains: Domains) -> Cnf:
        time.sleep(SLOW_S)
        formula = spec("extended").formula(ONE_VARIABLE, domains)
        assert isinstance(formula, Cnf)
        return formula

    program = (sys.executable, "-c", SCRIPT, "{cnf}")
    backend = SimpleNamespace(accepts={Cnf}, name="slow", open=lambda formula: Recorded(program, Slow(formula)))
    return PerPuzzle(cast(Backend, backend), encode)


def test_encoding_parsing_and_decoding_are_set_apart_and_the_program_keeps_its_limit(tmp_path: Path) -> None:
    progress, given = np.zeros(8, np.int64), list[float]()
    work = HarnessWork(progress.data)
    file = tmp_path / "x.one"
    file.touch()
    begin = time.perf_counter_ns()
    answer = session(given).ask(Ask((3,), 2, LIMIT_S, source=file, pauses=work))
    wall = time.perf_counter_ns() - begin
    assert (answer.status, answer.solutions, answer.complete) == (Status.SATISFIABLE, ((1,),), True)
    assert work.phases["prepare"] >= 2 * SLOW_S * 1e9  # the formula, and a file that forbids the first model
    assert work.phases["interpret"] >= 3 * SLOW_S * 1e9  # the decoder, and two outputs
    assert progress[SINCE] == work.total < wall
    assert progress[SPENT] == work.cpu
    assert not progress[PAUSED]
    assert answer.phases is not None
    assert answer.phases.encode == answer.phases.decode == 0
    assert answer.phases.load + answer.phases.solve <= wall - work.total
    assert given[1] >= LIMIT_S - (wall - work.total) / 1e9  # what our work took is not taken from the second run


def test_without_a_file_all_of_it_is_time_of_the_contender() -> None:
    answer = session([]).ask(Ask((3,), 1, LIMIT_S))
    assert answer.status == Status.UNSATISFIABLE
    assert answer.phases is not None
    assert answer.phases.encode >= SLOW_S * 1e9
    assert answer.phases.load + answer.phases.solve >= 3 * SLOW_S * 1e9


def test_work_that_fails_ends_its_pause() -> None:
    progress = np.zeros(8, np.int64)
    work = HarnessWork(progress.data)
    with pytest.raises(ValueError), work.pause("prepare"), work.pause("interpret"):  # noqa: PT011
        raise ValueError
    assert progress[PAUSED] == 0
    assert work.phases["prepare"] == work.total > 0
