"""Hostile programs of the OPB and XCSP3 protocols: each is an outcome with its reason, others are not affected."""

from pathlib import Path

from tests.conftest import Harness

OPB = "+1 x1 +1 x2 +1 x3 = 2 ;\n"
LIST = "v <list> v1 v2 v3 </list> <values>"  # of a written file
HOSTILE = {  # by backend: what it prints, and what is told about it
    "opb:wrong": (b"s SATISFIABLE\nv x1 -x2 -x3", "sum 1 is 1"),
    "opb:refutes": (b"s UNSATISFIABLE", "says that no solution exists, but 1 was found and checked"),
    "opb:bytes": (b"s SATISFIABLE\nv \xff\0\x1b[2J", "which is no literal such as x1 or -x1"),
    "xcsp3:wrong": (f"s SATISFIABLE\n{LIST} 1 0 0 </values>".encode(), "sum 1 is 1"),
    "xcsp3:entities": (f"s SATISFIABLE\n{LIST} &a; &a; </values>".encode(), "'&a;', which is no integer"),
    "xcsp3:silent": (b"s UNSUPPORTED", "the result is 'UNSUPPORTED'"),
}


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
