"""Programs that optimise: what they print until their limit, and in their grace, is what counts.

Long because each way in which a program can print its best, or lie, or be cut off, has its script here. The problem is
the same for all: x1 or x2 holds, and x1, x2 and not x3 cost 3, 2 and 4; the best solution is 011, of value 2.
"""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Listener, Reason, Session, Status, Unsupported
from backends.programs.process import ProgramFailed
from encoders.registry import spec
from puzzles.constraints.clauses import Clauses
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import BOOLEAN, Problem
from puzzles.problem.values import Numbered, Solution

SOFT = SoftClauses.of([(3, [-1]), (2, [-2]), (4, [3])])
PROBLEM = Problem("soft", Numbered("x", 3), BOOLEAN, (Clauses.of([[1, 2]]),), objective=SOFT)
FORMULA = spec("direct").formula(PROBLEM)
LIMIT = 1.0
WAIT = "while :; do sleep 0.02; done\n"
ON_TERM = "trap '{}' TERM\n"
IGNORES = ON_TERM.format("")


@dataclass
class Recorded(Listener):
    """Improvements as they are reported; `told` is created at the first."""

    told: Path
    values: list[tuple[int, Solution | None]] = field(default_factory=list)

    def improved(self, value: int, solution: Solution | None) -> None:
        self.values.append((value, solution))
        self.told.touch()


@dataclass
class Run:
    """Answers of scripts for a shell, with what they report."""

    folder: Path
    listener: Recorded

    def __call__(self, script: str, seconds: float = 60.0, grace: float = 20.0) -> Answer:
        session = self.session(script)
        try:
            return session.ask(Ask(PROBLEM.open, seconds=seconds, grace=grace, listener=self.listener))
        finally:
            session.close()

    def session(self, script: str) -> Session:
        path = self.folder / "program.sh"
        path.write_text(script)
        return registry.find("wcnf:mine", {"mine": f"sh '{path}' {{wcnf}} '{self.listener.told}'"}).open(FORMULA)

    @property
    def reported(self) -> list[int]:
        return [value for value, _ in self.listener.values]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path, Recorded(tmp_path / "told"))


def printing(*lines: str) -> str:
    return "".join(f"echo '{line}'\n" for line in lines)


def kept(answer: Answer) -> tuple[Status, Reason, bool, tuple[Solution, ...], int | None]:
    return answer.status, answer.reason, answer.complete, answer.solutions, answer.value


DOUBT = ("o 5", "s SATISFIABLE", "v 111", "s UNKNOWN")
BEST = (Status.SATISFIABLE, Reason.NONE, True, ((0, 1, 1),), 2)
FIVE = ((1, 1, 1),)


def test_an_optimum_is_complete(run: Run) -> None:
    assert kept(run(printing("c hello", "o 5", "o 2", "s OPTIMUM FOUND", "v 011") + "exit 30")) == BEST
    assert run.reported[-1] == 2


def test_a_value_is_reported_while_the_program_runs(run: Run) -> None:
    waits = 'while [ ! -e "$2" ]; do sleep 0.01; done\n'
    answer = run(printing("o 9") + waits + printing("o 2", "s OPTIMUM FOUND", "v 011"))
    assert kept(answer) == BEST
    assert run.listener.values == [(9, None), (2, None)]


def test_there_is_no_solution(run: Run) -> None:
    answer = run(printing("s UNSATISFIABLE") + "exit 20")
    assert kept(answer) == (Status.UNSATISFIABLE, Reason.NONE, True, (), None)


def test_a_solution_without_a_proof_is_stuck(run: Run) -> None:
    for lines in (("o 5", "s SATISFIABLE", "v 111"), ("o 5", "s UNKNOWN", "v 111"), ("o 5", "v 111"), DOUBT):
        assert kept(run(printing(*lines))) == (Status.SATISFIABLE, Reason.STUCK, False, FIVE, 5), lines


def test_a_program_prints_its_best_when_it_is_terminated(run: Run) -> None:
    best = 'echo "o 5"; echo "s SATISFIABLE"; echo "v 111"; exit 10'
    answer = run(ON_TERM.format(best) + printing("o 9") + WAIT, LIMIT)
    assert kept(answer) == (Status.SATISFIABLE, Reason.TIMEOUT, False, FIVE, 5)
    assert run.reported == [9], "a value of the grace is no improvement in time"


def test_the_whole_group_is_terminated(run: Run) -> None:
    child = ON_TERM.format('echo "o 5"; echo "v 111"; exit 10') + WAIT
    (run.folder / "child.sh").write_text(child)
    answer = run(f"sh '{run.folder}/child.sh'\n", LIMIT)
    assert (answer.solutions, answer.value) == (FIVE, 5)


def test_a_proof_in_the_grace_comes_too_late(run: Run) -> None:
    late = 'echo "o 2"; echo "s OPTIMUM FOUND"; echo "v 011"; exit 30'
    answer = run(ON_TERM.format(late) + WAIT, LIMIT)
    assert kept(answer) == (Status.SATISFIABLE, Reason.TIMEOUT, False, ((0, 1, 1),), 2)
    answer = run(ON_TERM.format('echo "s UNSATISFIABLE"; exit 20') + WAIT, LIMIT)
    assert kept(answer) == (Status.UNKNOWN, Reason.TIMEOUT, False, (), None)


def test_a_proof_before_the_limit_counts_though_its_solution_comes_in_the_grace(run: Run) -> None:
    answer = run(ON_TERM.format('echo "v 011"; exit 30') + printing("o 2", "s OPTIMUM FOUND") + WAIT, LIMIT)
    assert kept(answer) == BEST


def test_a_program_that_ignores_its_termination_is_killed_and_keeps_what_it_printed(run: Run) -> None:
    answer = run(IGNORES + printing("o 5", "v 111") + WAIT, LIMIT, grace=0.2)
    assert kept(answer) == (Status.SATISFIABLE, Reason.TIMEOUT, False, FIVE, 5)


def test_without_a_solution_values_are_claims_alone(run: Run) -> None:
    answer = run(printing("o 5") + WAIT, LIMIT, grace=0.2)
    assert kept(answer) == (Status.UNKNOWN, Reason.TIMEOUT, False, (), None)
    assert run.listener.values == [(5, None)]


HALVES = {
    "in a line": "printf 'v 01'\n",
    "between lines": printing("v 0"),
    "of literals": printing("v -1 2"),
    "in a word": "printf 'v -1 2 -'\n",
}


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
def test_half_a_solution_loses_only_that_one(run: Run, half: str) -> None:
    answer = run(IGNORES + printing("o 5", "v 111", "o 2") + half + WAIT, LIMIT, grace=0.1)
    assert kept(answer) == (Status.SATISFIABLE, Reason.TIMEOUT, False, FIVE, 5)


def test_half_a_solution_alone_is_none_and_said_so(run: Run) -> None:
    for half in HALVES.values():
        answer = run(IGNORES + printing("o 2", "s OPTIMUM FOUND") + half + WAIT, 0.5, grace=0.1)
        assert kept(answer) == (Status.UNKNOWN, Reason.TIMEOUT, False, (), None)
        assert answer.note == "the program was ended while it printed a solution"
    answer = run(IGNORES + printing("o 2", "v 0 one 1") + WAIT, 0.5, grace=0.1)
    assert answer.note.endswith("while it printed a solution (a 'v' line holds 'one', which is no literal)")


def test_half_a_solution_at_the_end_of_a_grace_is_lost(run: Run) -> None:
    answer = run(ON_TERM.format('printf "v 01"; exit 0') + printing("o 5", "v 111", "o 2") + WAIT, LIMIT)
    assert (answer.solutions, answer.value) == (FIVE, 5)


def test_a_program_that_ends_in_its_grace_may_leave_out_variables(run: Run) -> None:
    answer = run(ON_TERM.format('echo "v 2 3"; exit 0') + printing("o 2") + WAIT, LIMIT)
    assert kept(answer) == (Status.SATISFIABLE, Reason.TIMEOUT, False, ((0, 1, 1),), 2)


def test_values_may_follow_their_solutions(run: Run) -> None:
    answer = run(printing("v 111", "o 5", "v 011", "o 2", "s OPTIMUM FOUND"))
    assert kept(answer) == BEST
    answer = run(IGNORES + printing("v 111", "o 5", "v 011") + WAIT, LIMIT, grace=0.1)
    assert (answer.solutions, answer.value) == (((0, 1, 1),), None), "the value of the last is not stated yet"
    answer = run(IGNORES + printing("v 111", "o 5") + "printf 'v 0'\n" + WAIT, LIMIT, grace=0.1)
    assert (answer.solutions, answer.value) == (FIVE, 5)


def test_a_false_value_is_passed_on_to_the_judge(run: Run) -> None:
    answer = run(printing("o 1", "s OPTIMUM FOUND", "v 011"))
    assert kept(answer) == (Status.SATISFIABLE, Reason.NONE, True, ((0, 1, 1),), 1)
    assert run(printing("o 7", "s OPTIMUM FOUND", "v 000")).solutions == ((0, 0, 0),), "which breaks a clause"


def test_only_better_values_are_reported_and_the_last_is_stated(run: Run) -> None:
    slowly = "".join(f"echo 'o {value}'; sleep 0.05\n" for value in (9, 5, 7, 5, 6))
    answer = run(slowly + printing("s SATISFIABLE", "v 111"))
    assert answer.value == 6
    assert run.reported[-1] == 5
    assert run.reported == sorted(run.reported, reverse=True)
    assert len(set(run.reported)) == len(run.reported)


def test_many_values_do_not_count_as_output(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backends.programs.process.BESIDE_ANSWER", 1000)
    script = "i=100000; while [ $i -ge 2 ]; do echo o $i; i=$((i-1)); done\n"
    assert kept(run(script + printing("s OPTIMUM FOUND", "v 011"))) == BEST
    assert run.reported[-1] == 2
    assert all(a > b for a, b in zip(run.reported, run.reported[1:], strict=False))


@pytest.mark.parametrize("endless", ["v 1", "v", "garbage"], ids=["a solution", "empty lines", "no line"])
def test_endless_solutions_and_lines_are_errors(run: Run, monkeypatch: pytest.MonkeyPatch, endless: str) -> None:
    monkeypatch.setattr("backends.programs.process.BESIDE_ANSWER", 1000)
    ending = "" if endless == "garbage" else "\\n"
    with pytest.raises(ProgramFailed, match="the program printed more than 0 MiB"):
        run(f"while :; do printf '{endless}{ending}'; done\n")


def test_nothing_at_all_is_stuck_with_a_note(run: Run) -> None:
    answer = run("")
    assert (answer.status, answer.reason, answer.note) == (Status.UNKNOWN, Reason.STUCK, "no 's' line in the output")
    answer = run(printing("o 5", "s TIRED"))
    assert (answer.status, answer.reason, answer.note) == (Status.UNKNOWN, Reason.STUCK, "the result is 'TIRED'")


@pytest.mark.parametrize("end", ["", "echo no rows >&2; exit 1\n"])
def test_a_program_that_states_unsupported_is_unsupported(run: Run, end: str) -> None:
    with pytest.raises(Unsupported, match=f"states 's UNSUPPORTED'{': no rows' if end else ''}$"):
        run(printing("s UNSUPPORTED") + end)


@pytest.mark.parametrize("end", ["kill -ABRT $$\n", "exit 3\n"], ids=["signal", "code"])
def test_a_crash_is_an_error_and_leaves_what_was_reported(run: Run, end: str) -> None:
    with pytest.raises(ProgramFailed, match=r"sh died of SIGABRT|sh exited with code 3"):
        run(printing("o 9", "o 5") + end)
    assert run.reported[-1] == 5
    with pytest.raises(ProgramFailed):
        run(printing("o 5", "v 111", "o 2", "v 0") + end)
    assert run.listener.values[-1] == (5, (1, 1, 1)), "half a solution is none"


WRONG = {
    "two results": (("s SATISFIABLE", "v 011", "s UNSATISFIABLE"), "two different results"),
    "a result and none": (("s UNKNOWN", "s OPTIMUM FOUND", "v 011"), "two different results"),
    "a solution of none": (("v 011", "s UNSATISFIABLE"), "shows a solution and states that there is none"),
    "no solution": (("o 2", "s OPTIMUM FOUND"), "'s OPTIMUM FOUND' but no 'v' lines"),
    "no value": (("o many",), "an 'o' line holds 'many', which is no integer"),
    "half a value": (("o 2.5",), "an 'o' line holds '2.5', which is no integer"),
    "an endless value": (("o " + "9" * 5000,), "which is no integer"),
    "no literals": (("s SATISFIABLE", "v 1 two"), "'two', which is no literal"),
    "too many digits": (("s SATISFIABLE", "v 0110"), "name variable 4, but the variables are 1 to 3"),
}


@pytest.mark.parametrize(("lines", "why"), WRONG.values(), ids=WRONG)
def test_output_that_contradicts_the_protocol_is_an_error_with_its_reason(
    run: Run, lines: tuple[str, ...], why: str
) -> None:
    with pytest.raises(ProgramFailed, match=why) as error:
        run(printing(*lines))
    assert len(str(error.value)) < 200


def test_a_result_may_be_stated_twice_and_become_a_proof(run: Run) -> None:
    assert kept(run(printing("s OPTIMUM FOUND", "s OPTIMUM FOUND", "o 2", "v 011"))) == BEST
    assert kept(run(printing("o 2", "s SATISFIABLE", "v 011", "s OPTIMUM FOUND"))) == BEST


def test_no_time_is_a_timeout_without_a_process(run: Run) -> None:
    answer = run('touch "$2"\n', seconds=0)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)
    assert not run.listener.told.exists()


def test_the_answer_may_be_in_a_file(run: Run) -> None:
    path = run.folder / "writes.sh"
    path.write_text('printf "o 2\\ns OPTIMUM FOUND\\nv 011" > "$2"\n')
    session = registry.find("wcnf:mine", {"mine": f"sh '{path}' {{wcnf}} {{out}}"}).open(FORMULA)
    assert kept(session.ask(Ask(PROBLEM.open))) == BEST
    session.close()
