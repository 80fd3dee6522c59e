"""Hostile programs of the OPB and XCSP3 protocols: each is an outcome with its reason, others are not affected."""

from pathlib import Path

import pytest

from tests.conftest import Harness

pytestmark = pytest.mark.usefixtures("forked")

OPB = "+1 x1 +1 x2 +1 x3 = 2 ;\n"
LIST = "v <list> v1 v2 v3 </list> <values>"  # of a written file
HOSTILE = {  # by backend: what it prints, and what is told about it
    "opb:wrong": (b"s SATISFIABLE\nv x1 -x2 -x3", "sum 1 is 1"),
    "opb:refutes": (b"s UNSATISFIABLE", "says that no solution exists, but 1 was found and checked"),
    "opb:bytes": (b"s SATISFIABLE\nv \xff\0\x1b[2J", "which is no literal such as x1 or -x1"),
    "xcsp3:wrong": (f"s SATISFIABLE\n{LIST} 1 0 0 </values>".encode(), "sum 1 is 1"),
    "xcsp3:entities": (f"s SATISFIABLE\n{LIST} &a; &a; </values>".encode(), "'&a;', which is no integer"),
    "xcsp3:silent": (b"s UNSUPPORTED", "states 's UNSUPPORTED'"),
}


@pytest.mark.slow
def test_hostile_programs_are_outcomes_with_their_reasons(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "x.opb").write_text(OPB)
    options = []
    for number, (backend, (output, _)) in enumerate(HOSTILE.items()):
        (tmp_path / f"{number}.out").write_bytes(output)
        (tmp_path / f"{number}.sh").write_text(f"cat '{tmp_path}/{number}.out'\n")
        name = backend.partition(":")[2]
        options += ["-b", backend.replace(name, f"p{number}"), "--program", f"p{number}=sh {tmp_path}/{number}.sh"]
    done = harness("run", "x.opb", "-b", "pysat:cadical195", *options, "-w", "0", "-t", "5")
    assert done.code == 1
    (honest,) = [line for line in done.out.splitlines() if line.startswith("pysat:cadical195")]
    assert honest.split()[1] == "1/1"
    for number, (backend, (_, told)) in enumerate(HOSTILE.items()):
        shown = f"{backend.partition(':')[0]}:p{number}"
        lines = [line for line in (done.out + done.err).splitlines() if shown in line]
        assert any(told in line for line in lines), (backend, lines)
    assert not any(ord(c) < 32 and c != "\n" for c in done.out)


WCNF = "h 1 2 0\nh 1 3 0\nh 2 3 0\n3 -1 0\n4 -2 0\n5 -3 0\n"  # the best is 110, of value 7
LIARS = {
    "content": ("o 8\ns OPTIMUM FOUND\nv 101", "says that 8 is the optimum, but a solution of value 7"),
    "cheap": ("o 6\ns OPTIMUM FOUND\nv 110", "its solution has the value 7, not 6 as stated"),
    "broken": ("o 3\ns OPTIMUM FOUND\nv 100", "clause 3 is false"),
    "infeasible": ("s UNSATISFIABLE", "says that no solution exists, but a solution of value 7"),
    "undecided": ("o 7\ns OPTIMUM FOUND\nv 110\ns UNSATISFIABLE", "the output states two different results"),
}


@pytest.mark.slow
def test_programs_that_lie_about_the_best_solution_are_blamed_with_the_witness(
    harness: Harness, tmp_path: Path
) -> None:
    (tmp_path / "x.wcnf").write_text(WCNF)
    options = []
    for name, (output, _) in LIARS.items():
        (tmp_path / f"{name}.sh").write_text(f"cat <<'END'\n{output}\nEND\n")
        options += ["-b", f"wcnf:{name}", "--program", f"{name}=sh {tmp_path}/{name}.sh"]
    done = harness("run", "x.wcnf", "-b", "cpsat", *options, "-w", "0", "-t", "20", "--json", "-")
    assert done.code == 1
    told_of = done.summary["agreement"]["disagreements"]
    for name, (_, told) in LIARS.items():
        shown = f"wcnf:{name}/extended"
        blamed = [d["why"] for d in told_of if shown in d["contenders"]]
        trouble = [t["why"] for t in done.contender(shown)["trouble"]]
        assert any(told in why for why in (*blamed, *trouble)), (name, blamed, trouble)
    assert not any("cpsat" in d["contenders"] for d in told_of)


@pytest.mark.slow
def test_a_program_that_is_killed_at_its_limit_keeps_its_best(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "x.wcnf").write_text(WCNF)
    slow = "trap '' TERM\necho 'o 8'; echo 'v 101'; echo 'o 7'; printf 'v 11'\nwhile :; do sleep 0.05; done\n"
    (tmp_path / "slow.sh").write_text(slow)
    program = f"slow=sh {tmp_path}/slow.sh"
    options = ("-w", "0", "-t", "2", "--grace", "0.2", "--json", "-")
    done = harness("run", "x.wcnf", "-b", "wcnf:slow", "--program", program, *options)
    assert done.code == 4
    goal = done.contender("wcnf:slow/extended")["objective"]
    assert (goal["optimal"], goal["feasible"], goal["best"]) == (0, 1, 1)
