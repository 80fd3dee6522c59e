"""Programs get the file that an instance came as, untouched, unless it is gone, needs another clause, or says more."""

import gzip
import json
import sqlite3
import sys
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from puzzles.formats import read
from tests.conftest import Done, Harness

CNF = "c kept as it is\np cnf 3 2\n1  2 0\n-1 3 0\n"
OPB = "* #variable= 2 #constraint= 1\n* kept as it is\n+2 x1  +1 x2 = 2 ;\n"
# Keeps a copy of each file that it reads, and answers as the first model in lexicographic order does.
PROGRAM = """\
import itertools, json, pathlib, sys
path = pathlib.Path(sys.argv[1])
with open('SEEN', 'a') as seen: print(json.dumps([path.name, path.read_text()]), file=seen)
lines = [line.split() for line in path.read_text().splitlines() if line[0] not in 'c*']
cnf = lines[0][0] == 'p'
size = int(lines[0][2]) if cnf else int(path.read_text().split()[2])
for found in itertools.product((1, 0), repeat=size):
    true = {i if v else -i for i, v in enumerate(found, 1)}
    if cnf: good = all(true & set(map(int, line)) for line in lines[1:])
    else:
        sums = [(sum(int(a) * (int(x[1:]) in true) for a, x in zip(w[:-3:2], w[1:-3:2])), *w[-3:-1]) for w in lines]
        good = all(total == int(k) if sign == '=' else total >= int(k) for total, sign, k in sums)
    if good:
        print('s SATISFIABLE')
        print('v', *(x if cnf else 'x%d' % x if x > 0 else '-x%d' % -x for x in sorted(true, key=abs)))
        break
else: print('s UNSATISFIABLE')
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(PROGRAM.replace("SEEN", str(tmp_path / "seen")))
    (tmp_path / "x.cnf").write_text(CNF)
    (tmp_path / "x.opb").write_text(OPB)
    return f"mine={sys.executable} {tmp_path / 'mine.py'}"


def seen() -> list[tuple[str, str]]:
    """Return names and contents of the files that the program has read since the last call.

    A worker first solves a problem of one variable.
    """
    path = Path("seen")
    found = [tuple(json.loads(line)) for line in path.read_text().splitlines()]
    path.unlink()
    return [(name, text) for name, text in found if not text.startswith(("p cnf 1 ", "* #variable= 1 "))]


def run(harness: Harness, program: str, corpus: str, *options: str, backend: str = "dimacs:mine") -> Done:
    return harness("run", corpus, "-b", backend, "--program", program, "-w", "0", *options)


@pytest.mark.parametrize(("name", "backend"), [("x.cnf", "dimacs:mine"), ("x.opb", "opb:mine")])
def test_a_file_goes_to_a_program_of_its_format_untouched(
    harness: Harness, program: str, name: str, backend: str
) -> None:
    done = run(harness, program, name, backend=backend)
    assert done.code == 0, done.err
    assert seen() == [(name, Path(name).read_text())]
    assert ": the original files of 1 of 1 instance\n" in done.err


@pytest.mark.slow
def test_our_work_on_the_file_is_set_apart_from_the_time_of_the_program(harness: Harness, program: str) -> None:
    Path("board.txt").write_text("1..." + "." * 12 + "\n")
    done = run(harness, program, "x.cnf", "--count", "2", "-b", "pysat:minisat22", "-o", "j.sqlite", "--json", "-")
    with closing(sqlite3.connect("j.sqlite")) as db:
        phases = "select encode, decode, wall - load - solve from outcomes where contender = 0"
        assert db.execute(phases).fetchall() == [(0, 0, 0)]
        ((contender, *times),) = db.execute("select contender, prepare, interpret from outside")
    assert contender == 0
    assert min(times) > 0
    mine, other = done.summary["contenders"]
    assert mine["outside"] == {"prepare": times[0] / 1e9, "interpret": times[1] / 1e9}
    assert other["outside"] is None
    assert other["phases"]["encode"] > 0
    run(harness, program, "board.txt", "-o", "written.sqlite")
    with closing(sqlite3.connect("written.sqlite")) as db:  # a written file is part of the contender's own encoding
        assert db.execute("select count(*) from outside").fetchone() == (0,)


XCSP3 = """\
<instance format="XCSP3" type="CSP"><!-- kept as it is -->
  <variables> <array id="x" size="[2]"> 0..3 </array> <var id="y"> 2 5 </var> </variables>
  <constraints>
    <sum> <list> x[] </list> <condition> (eq,y) </condition> </sum>
    <element> <list> x[] </list> <index> x[0] </index> <value> 1 </value> </element>
  </constraints>
</instance>
"""


@pytest.mark.skipif(find_spec("pycsp3") is None, reason="pycsp3 is not installed")
def test_an_answer_to_an_xcsp3_file_names_the_variables_of_the_file(harness: Harness, tmp_path: Path) -> None:
    Path("x.xml").write_text(XCSP3)
    answer = "s SATISFIABLE\\nv <instantiation> <list> x[] y </list> <values> 1x2\\nv 2 </values> </instantiation>"
    source = f"import sys; open('{tmp_path}/seen', 'a').write(open(sys.argv[1]).read()); print('{answer}')"
    Path("fixed.py").write_text(source)
    done = harness(
        "run", "x.xml", "-b", "xcsp3:mine", "--program", f"mine={sys.executable} {tmp_path}/fixed.py", "-w", "0"
    )
    assert done.code == 0, done.out
    assert "1 of 1 solution verified" in done.out
    assert Path("seen").read_text().endswith(XCSP3)


def test_a_compressed_file_is_unpacked_for_the_program(harness: Harness, program: str) -> None:
    Path("y.cnf.gz").write_bytes(gzip.compress(CNF.encode()))
    assert run(harness, program, "y.cnf.gz").code == 0
    assert seen() == [("instance.cnf", CNF)]


def test_a_file_of_another_format_is_written(harness: Harness, program: str) -> None:
    assert run(harness, program, "x.opb").code == 0
    ((name, text),) = seen()
    assert (name, text.startswith("p cnf ")) == ("written.cnf", True)
    assert run(harness, program, "x.cnf", backend="opb:mine").code == 0
    assert seen()[0][1].startswith("* #variable= 3 #constraint= 2\n")


def test_a_second_solution_needs_a_written_file(harness: Harness, program: str) -> None:
    assert run(harness, program, "x.cnf", "--count", "9").code == 0
    first, *others = seen()
    assert first == ("x.cnf", CNF)
    assert [(name, text.splitlines()[0]) for name, text in others] == [
        ("written.cnf", f"p cnf 3 {2 + i}") for i in range(1, 5)
    ], "four solutions, each forbidden by a clause"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.cnf", CNF + "%\n0\n"),
        ("a.cnf", CNF.replace("3 2", "3 5")),
        ("a.opb", OPB.replace("+2", "min: +1 x1 x2 ;\n+2")),
    ],
    ids=["SATLIB's tail", "another number of clauses", "a product"],
)
def test_a_file_that_its_reader_had_to_interpret_is_written(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (instance,) = read(tmp_path / name)
    assert instance.source is None


def test_boards_have_no_file(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("." * 81 + "\n")
    (instance,) = read(tmp_path / "x.txt")
    assert instance.source is None


def test_instances_of_a_folder_get_their_own_files(harness: Harness, program: str) -> None:
    for folder, comment in (("a", "one"), ("b", "two")):
        Path("all", folder).mkdir(parents=True)
        Path("all", folder, "x.cnf").write_text(CNF.replace("kept", comment))  # one problem, two files
    Path("all/x.opb").write_text(OPB)
    done = run(harness, program, "all")
    assert done.code == 0
    assert "dimacs:mine/extended: the original files of 2 of 3 instances, else written ones\n" in done.err
    assert [text.split()[1] for _, text in seen()] == ["one", "two", "cnf"]


def reopened(journal: str) -> None:
    """Make a journal look as if its run was interrupted before its first lease."""
    with closing(sqlite3.connect(journal)) as db:
        db.executescript(
            "delete from outcomes; delete from leases; update meta set value = '\"running\"' where key = 'state'"
        )


@pytest.mark.slow
def test_a_file_that_changed_meanwhile_is_an_error_named_as_such(harness: Harness, program: str) -> None:
    assert run(harness, program, "x.cnf", "-o", "j.sqlite").code == 0
    reopened("j.sqlite")
    Path("x.cnf").write_text(CNF.replace("-1", "-2"))
    done = harness("run", "--resume", "j.sqlite", "--program", program, "--force")
    assert done.code != 0
    assert f"{Path('x.cnf').resolve()} has changed since it was read: start a new run" in done.out + done.err


@pytest.mark.slow
def test_a_file_that_is_gone_is_replaced_by_a_written_one_and_the_outcome_says_so(
    harness: Harness, program: str
) -> None:
    assert run(harness, program, "x.cnf", "-o", "j.sqlite").code == 0
    seen()
    reopened("j.sqlite")
    Path("x.cnf").unlink()
    assert harness("run", "--resume", "j.sqlite", "--program", program).code == 0
    ((name, _),) = seen()
    assert name == "written.cnf"
    exported = harness("export", "j.sqlite", "--to", "csv").out
    assert "x.cnf can't be read here: the program got a written file instead" in exported


@pytest.mark.slow
@pytest.mark.parametrize("sources", ['{"1": 5}', '{"x": {}}', '{"1": {"path": "a", "format": "cnf"}}', "[]"])
def test_a_journal_with_other_sources_is_refused(harness: Harness, program: str, sources: str) -> None:
    assert run(harness, program, "x.cnf", "-o", "j.sqlite").code == 0
    with closing(sqlite3.connect("j.sqlite")) as db:
        db.execute("update meta set value = ? where key = 'sources'", (sources,))
        db.commit()
    done = harness("report", "j.sqlite")
    assert (done.code, len(done.err.splitlines())) == (2, 1)
