"""Backends of programs: their answers, and errors that name the program for anything else they do.

Long because each way in which a program can answer wrongly, or not at all, has its script and its message here.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from backends.contract import registry
from backends.contract.answer import (
    Ask,
    Asks,
    Backend,
    BatchSession,
    ChoosyBackend,
    Reason,
    Session,
    Status,
    Unsupported,
)
from backends.contract.cases import CASES, FOUR, LATIN, NINE, SOLVED_FOUR, board
from backends.programs.process import ProgramFailed
from encoders.cnf import Signs, extended
from encoders.direct import text
from encoders.formula import Cnf
from puzzles.problem.check import violations
from puzzles.problem.columns import pack
from tests.programs import SUDOKU

SAT = """\
import sys
from pysat.formula import CNF
from pysat.solvers import Solver
with Solver('minisat22', bootstrap_with=CNF(from_file=sys.argv[-1])) as s:
    print('c a comment')
    if not s.solve():
        print('s UNSATISFIABLE'); sys.exit(20)
    print('s SATISFIABLE\\nv', *s.get_model()[:5]); print('v', *s.get_model()[5:], 0); sys.exit(10)
"""
EASY = "13.4..2.9...2351.8..8.9.5.351..43896.6.8.9.1..7.56.4.265.3.29.73219.....9876...2."


CLASH = EASY[:2] + "6" + EASY[3:]


@pytest.fixture
def program(tmp_path: Path) -> Iterator["Programs"]:
    programs = Programs(tmp_path)
    yield programs
    for session in programs.opened:
        session.close()


class Programs:
    """Python sources run as programs, as if named by --program."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.opened, self.commands = folder, list[Session](), dict[str, str]()

    def __call__(self, name: str, source: str, more: str = "") -> None:
        path = self.folder / "its name has spaces.py"
        path.write_text(source)
        self.commands = {name: f"'{sys.executable}' '{path}' {more}"}

    def find(self, name: str) -> Backend:
        return registry.find(name, self.commands)

    def lines(self, source: str, variant: str = "") -> Session:
        self("mine", source)
        return self.find(f"lines:mine{variant}").open(text(NINE))

    def dimacs(self, source: str, formula: Cnf | None = None) -> Session:
        self("mine", source)
        self.opened.append(self.find("dimacs:mine").open(formula or extended(FOUR)))
        return self.opened[-1]


def test_sat_solver_is_run_through_files(program: Programs) -> None:
    session = program.dimacs(SAT)
    for case in CASES:
        if case.problem is FOUR and case.total < 3:
            answer = session.ask(Ask(case.domains, 3))
            assert (len(answer.solutions), answer.complete) == (case.total, True), case.name
            assert not any(violations(FOUR, case.domains, s) for s in answer.solutions)


def test_sudoku_program_is_run_line_by_line(program: Programs) -> None:
    session = program.lines(SUDOKU)
    for puzzle in (EASY, CLASH):
        domains = board(NINE, puzzle)
        answer = session.ask(Ask(domains))
        assert answer.status == (Status.SATISFIABLE if puzzle == EASY else Status.UNSATISFIABLE)
        assert not any(violations(NINE, domains, s) for s in answer.solutions)


def batch(session: Session, *puzzles: str) -> tuple[list[int], list[int]]:
    """Return the statuses and reasons of a batch."""
    assert isinstance(session, BatchSession)
    answers = session.ask_many(Asks(pack(NINE, [board(NINE, p) for p in puzzles])))
    assert answers.nanoseconds is None, "the time of a single puzzle is unknown"
    assert len(answers.solutions) == answers.found.sum()
    return answers.status.tolist(), answers.reason.tolist()


def test_batch_is_answered_line_by_line(program: Programs) -> None:
    status, reason = batch(program.lines(SUDOKU, ":batch"), EASY, CLASH, EASY)
    assert status == [Status.SATISFIABLE, Status.UNSATISFIABLE, Status.SATISFIABLE]
    assert reason == [Reason.NONE] * 3


def test_crash_in_a_batch_is_an_error_of_one_puzzle_only(program: Programs) -> None:
    crashing = SUDOKU.replace("print(", "print(1 // 0 if line.startswith('136') else ")
    status, reason = batch(program.lines(crashing, ":batch"), EASY, EASY, CLASH, EASY)
    assert status == [Status.SATISFIABLE, Status.SATISFIABLE, Status.UNKNOWN, Status.SATISFIABLE]
    assert reason == [Reason.NONE, Reason.NONE, Reason.ERROR, Reason.NONE]


def test_error_in_a_batch_has_words(program: Programs) -> None:
    session = program.lines("print('hello')", ":batch")
    assert isinstance(session, BatchSession)
    answers = session.ask_many(Asks(pack(NINE, [NINE.open, NINE.open])))
    assert ["hello" in answers.notes[i] for i in (0, 1)] == [True, True]


def test_unknown_is_stuck(program: Programs) -> None:
    answer = program.lines("print('unknown')").ask(Ask(board(NINE, EASY)))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.STUCK)
    answer = program.dimacs("print('s UNKNOWN')").ask(Ask(FOUR.open))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.STUCK)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("s SATISFIABLE", "no literals in 'v' lines"),
        ("s SATISFIABLE\\nv 0", "no literals in 'v' lines"),
        ("s SATISFIABLE\\nv 1 two 0", "holds 'two', which is no literal"),
        ("s SATISFIABLE\\nv 1 0\\ns UNSATISFIABLE", "two different results"),
    ],
)
def test_output_that_breaks_the_protocol_is_an_error_in_words(program: Programs, output: str, said: str) -> None:
    with pytest.raises(ProgramFailed, match=said):
        program.dimacs(f"print('{output}')").ask(Ask(FOUR.open))


def test_output_without_a_result_is_unknown_with_a_note(program: Programs) -> None:
    answer = program.dimacs("print('c UNKNOWN')").ask(Ask(FOUR.open))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.STUCK)
    assert answer.note == "no 's' line in the output"
    assert program.dimacs("print('s UNKNOWN')").ask(Ask(FOUR.open)).note == ""


ALL_OF_FOUR = """\
import sys
UNITS = [(i//4, 4 + i%4, 8 + i//8*2 + i%4//2) for i in range(16)]
def solutions(line, used=frozenset(), done=''):
    i = len(done)
    if i == 16: yield done
    for v in line[i:i+1].replace('.', '1234'):
        new = {(u, v) for u in UNITS[i]}
        if not new & used: yield from solutions(line, used | new, done + v)
for line in sys.stdin:
    print(*[s for s, _ in zip(solutions(line.strip()), range(int(sys.argv[1])))] or ['unsatisfiable'])
"""


@pytest.mark.parametrize("variant", ["", ":batch"])
def test_program_that_is_told_the_count_lists_solutions_and_shows_completeness(program: Programs, variant: str) -> None:
    program("mine", ALL_OF_FOUR, more="{count}")
    backend = program.find(f"lines:mine{variant}")
    assert "count" in backend.can
    session = backend.open(text(FOUR))
    boards = [case for case in CASES if case.problem is FOUR and case.givens_only]
    for count in (1, 2, 3):
        if isinstance(session, BatchSession):
            answers = session.ask_many(Asks(pack(FOUR, [case.domains for case in boards]), count))
            found = list(zip(answers.found.tolist(), answers.complete.tolist(), strict=True))
        else:
            each = [session.ask(Ask(case.domains, count)) for case in boards]
            found = [(len(answer.solutions), answer.complete) for answer in each]
        assert found == [(min(case.total, count), case.total < count) for case in boards]


def test_program_that_is_not_told_the_count_finds_one_solution(program: Programs) -> None:
    program("mine", ALL_OF_FOUR, more="2")
    backend = program.find("lines:mine")
    assert "count" not in backend.can
    with pytest.raises(ProgramFailed, match="expected a solution, 'unsatisfiable' or 'unknown'"):
        backend.open(text(FOUR)).ask(Ask(FOUR.open))


@pytest.mark.parametrize(
    ("line", "found", "complete", "reason"),
    [
        (f"{SOLVED_FOUR} {SOLVED_FOUR[::-1]}", 2, False, Reason.NONE),
        (SOLVED_FOUR, 1, True, Reason.NONE),
        (f"{SOLVED_FOUR} unknown", 1, False, Reason.STUCK),
    ],
)
def test_fewer_solutions_than_wanted_are_all_unless_unknown_follows(
    program: Programs, line: str, found: int, complete: bool, reason: Reason
) -> None:
    program("mine", f"print('{line}')", more="{count}")
    answer = program.find("lines:mine").open(text(FOUR)).ask(Ask(FOUR.open, 2))
    assert (len(answer.solutions), answer.complete, answer.reason) == (found, complete, reason)


def test_more_solutions_than_wanted_are_an_error(program: Programs) -> None:
    program("mine", f"print('{SOLVED_FOUR} ' * 3)", more="{count}")
    with pytest.raises(ProgramFailed, match="expected 1 to 2 solutions"):
        program.find("lines:mine").open(text(FOUR)).ask(Ask(FOUR.open, 2))


def test_layouts_that_a_program_takes_are_stated_with_its_command(program: Programs) -> None:
    program("mine", SUDOKU, more="{layouts: sudoku 3x3, latin *}")
    backend = program.find("lines:mine")
    assert isinstance(backend, ChoosyBackend)
    assert backend.refuses(text(NINE)) is None
    assert backend.refuses(text(LATIN)) is None
    assert backend.refuses(text(FOUR)) == "lines:mine takes sudoku 3x3, latin *, not sudoku 2x2"
    with pytest.raises(Unsupported, match="not sudoku 2x2"):
        backend.open(text(FOUR))
    answer = backend.open(text(NINE)).ask(Ask(board(NINE, EASY)))
    assert answer.status == Status.SATISFIABLE, "the braces are not passed to the program"


def test_answer_unsupported_is_an_error_that_tells_where_to_state_layouts(program: Programs) -> None:
    with pytest.raises(ProgramFailed, match=r"\{layouts: sudoku 3x3\}"):
        program.lines("print('unsupported 9x9 alone')").ask(Ask(board(NINE, EASY)))


@pytest.mark.parametrize("kind", ["lines", "dimacs"])
def test_hanging_program_is_killed_at_its_deadline(program: Programs, kind: str) -> None:
    hang = "import time\nwhile True: time.sleep(1)"
    session, domains = (
        (program.lines(hang), board(NINE, EASY)) if kind == "lines" else (program.dimacs(hang), FOUR.open)
    )
    answer = session.ask(Ask(domains, seconds=0.3))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)


@pytest.mark.parametrize(
    "source", ["import os; os.abort()", "import sys; sys.exit(3)", "print('hello')", "print()\nprint()"]
)
def test_crash_or_unexpected_output_is_an_error_that_names_the_program(program: Programs, source: str) -> None:
    with pytest.raises(ProgramFailed, match="python"):
        program.lines(source).ask(Ask(board(NINE, EASY)))


def test_sat_solver_crash_is_an_error_that_names_the_program(program: Programs) -> None:
    for source in ("import os; os.abort()", "import sys; sys.exit(3)"):
        with pytest.raises(ProgramFailed, match="python"):
            program.dimacs(source).ask(Ask(FOUR.open))


def test_wrong_solution_is_passed_on_to_the_judge(program: Programs) -> None:
    domains = board(NINE, EASY)
    (solution,) = program.lines("print('z' * 81)").ask(Ask(domains)).solutions
    assert violations(NINE, domains, solution)
    (solution,) = program.dimacs("print('s SATISFIABLE\\nv -1 0')").ask(Ask(FOUR.open)).solutions
    assert violations(FOUR, FOUR.open, solution)


def test_command_is_not_run_by_a_shell(program: Programs, tmp_path: Path) -> None:
    program("mine", SUDOKU, more=f"; touch {tmp_path}/made")
    program.find("lines:mine").open(text(NINE)).ask(Ask(board(NINE, EASY)))
    assert not (tmp_path / "made").exists()


def test_missing_program_raises_no_backend() -> None:
    with pytest.raises(registry.NoBackend, match="dimacs"):
        registry.find("dimacs:no-such-program-anywhere")
    with pytest.raises(registry.NoBackend, match="--program"):
        registry.find("lines")


def test_pencil_marks_cannot_be_written_as_a_line(program: Programs) -> None:
    with pytest.raises(ValueError, match="pencil marks"):
        program.lines(SUDOKU).ask(Ask((3, *NINE.open[1:])))


def test_an_error_includes_the_telling_line_of_stderr(program: Programs, capfd: pytest.CaptureFixture[str]) -> None:
    session = program.lines("import sys; print('loading', 'no licence', sep='\\n', file=sys.stderr); sys.exit(3)")
    with pytest.raises(ProgramFailed, match=r"exited with code 3: no licence$"):
        session.ask(Ask(NINE.open))
    assert "loading" in capfd.readouterr().err, "standard error is copied to ours"
    session = program.dimacs("import os, sys; print('gone', file=sys.stderr, flush=True); os.abort()")
    with pytest.raises(ProgramFailed, match=r"died of SIGABRT: gone$"):
        session.ask(Ask(FOUR.open))


def test_output_over_the_limit_is_an_error(program: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backends.programs.process.BESIDE_ANSWER", 1 << 20)
    session = program.lines("while True: print('again ' * 1000)")
    with pytest.raises(ProgramFailed, match="more than 1 MiB"):
        session.ask(Ask(NINE.open))


def free(variables: int) -> Cnf:
    """Return the formula of a CNF file without clauses."""
    return Cnf(np.empty(0, np.int32), variables, Signs(variables))


SAYS_ALL = """
import sys
n = int(open(sys.argv[1]).readline().split()[2])
print('s SATISFIABLE', *(f'v -{i}' for i in range(1, n + 1)), 'v 0', sep='\\n')
"""


def test_the_limit_of_output_follows_from_the_number_of_variables(
    program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backends.programs.process.BESIDE_ANSWER", 64)
    variables = 20_000
    answer = program.dimacs(SAYS_ALL, free(variables)).ask(Ask((3,) * variables))
    assert answer.solutions == ((0,) * variables,)
    talking = SAYS_ALL + "print('c what follows the answer', 'x' * 20_000)"
    with pytest.raises(ProgramFailed, match="printed more than 0 MiB: the largest answer, and 0 MiB beside it"):
        program.dimacs(talking, free(variables)).ask(Ask((3,) * variables))


def test_the_limit_of_a_batch_follows_from_its_squares_and_solutions(
    program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backends.programs.process.BESIDE_ANSWER", 64)
    session = program.lines("import sys\nfor line in sys.stdin: print(line[:-1].replace('.', '1'))", ":batch")
    assert isinstance(session, BatchSession)
    answers = session.ask_many(Asks(pack(NINE, [NINE.open] * 100)))
    assert answers.found.sum() == 100


@pytest.mark.parametrize("printed", ["SAT\\n 0", "SAT\\n0", "s SATISFIABLE\\nv 0", "SATISFIABLE\\n0"])
def test_a_model_of_a_formula_without_clauses_may_name_no_variable(program: Programs, printed: str) -> None:
    write = f"print('{printed}')"
    answer = program.dimacs(write, free(1)).ask(Ask((3,)))
    assert (answer.status, answer.solutions) == (Status.SATISFIABLE, ((0,),))
    assert program.dimacs(write, free(1)).ask(Ask((2,))).solutions == ((1,),)


def test_minisat_writes_a_blank_and_0_for_a_formula_without_clauses(program: Programs) -> None:
    program("mine", "import sys; open(sys.argv[2], 'w').write('SAT\\n 0\\n'); print('SATISFIABLE')", "{cnf} {out}")
    session = program.find("dimacs:mine").open(free(1))
    assert session.ask(Ask((3,))).solutions == ((0,),)
    session.close()


@pytest.mark.parametrize("word", ["1_0", "+1", "\u0661", "-", "1-2", "0x1"])
def test_a_word_of_a_model_that_is_no_number_is_an_error(program: Programs, word: str) -> None:
    source = f"import sys; sys.stdout.reconfigure(encoding='utf-8'); print('s SATISFIABLE\\nv 2 {word} 0')"
    with pytest.raises(ProgramFailed, match="which is no literal"):
        program.dimacs(source, free(20)).ask(Ask((3,) * 20))


def test_long_input_and_output_do_not_deadlock(program: Programs) -> None:
    session = program.lines("import sys\nfor line in sys.stdin: print('unknown', flush=True)", ":batch")
    assert isinstance(session, BatchSession)
    answers = session.ask_many(Asks(pack(NINE, [NINE.open] * 4000)))
    assert (answers.reason == Reason.STUCK).all()


@pytest.mark.parametrize(
    ("name", "command", "text"),
    [
        ("lines:mine", "", "no program 'mine' on the PATH: define it with --program mine='COMMAND ARGS'"),
        ("lines:mine", "mine=python3 'open", "no closing quotation"),
        ("dimacs:mine", "mine=no-such-program --fast", "'no-such-program' is not an executable program"),
        ("lines:mine:bach", "mine=cat", "lines:NAME:batch"),
        ("dimacs:mine:batch", "mine=cat", "programs are dimacs:NAME"),
    ],
)
def test_unusable_command_is_reported_on_lookup(
    monkeypatch: pytest.MonkeyPatch, name: str, command: str, text: str
) -> None:
    key, _, value = command.partition("=")
    with pytest.raises(registry.NoBackend, match=text):
        registry.find(name, {key: value} if command else {})
