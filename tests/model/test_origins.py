"""Origins of contenders: the files of a command, what scripts name, and solvers inside others."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.model.contender import Contender, resolve
from harness.model.lineage import lineage, suggested
from harness.model.origins.command_files import command_files
from harness.model.origins.solver_families import DISTRIBUTIONS, HOLDS, KNOWN, SAME, canonical, with_contained
from tests.conftest import Harness


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A solver that scripts in other folders start, and a log beside it, which is no program."""
    (tmp_path / "core.log").touch()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    write(tmp_path / "bin" / "kissat", "\x7fELF kissat")
    return write(tmp_path / "core", "\x7fELF solver")


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("path", "#!/bin/sh\nexec {core} $1 >> {core}.log\n"),
        ("folder", '#!/bin/bash\n"$(dirname "$0")"/core "$1"\n'),
        ("variable", '#!/bin/sh\nHERE=$(cd "$(dirname "$0")" && pwd)\nexec "$HERE/core" "$1"\n'),
        ("python", "#!/usr/bin/env python3\nimport subprocess\nsubprocess.run(['{core}', '-v'])\n"),
        ("imports", "#!/usr/bin/env python3\nimport sys, helper\nfrom helper import solve\n"),
        ("twice", "#!/bin/sh\nexec $(dirname $0)/path\n"),
    ],
)
def test_what_a_script_names_is_a_file_of_its_command(core: Path, name: str, script: str) -> None:
    folder = core.parent
    write(folder / "path", f"#!/bin/sh\nexec {core}\n")
    helper = write(folder / "helper.py", "def solve(): pass\n")
    found = command_files([str(write(folder / name, script.replace("{core}", str(core))))])
    assert found[0] == folder / name
    assert (helper if name == "imports" else core) in found
    assert folder / "core.log" not in found


def test_a_known_solver_is_found_by_its_name_and_a_word_of_a_comment_is_none(core: Path) -> None:
    script = write(core.parent / "wrapper", "#!/bin/sh\n# more than a file: sort it\nexec kissat -q $1\n")
    assert command_files([str(script)]) == [script, core.parent / "bin" / "kissat"]
    launcher = Path(shutil.which("timeout") or "").resolve()
    assert command_files(["timeout", "9", "kissat"]) == [launcher, core.parent / "bin" / "kissat"]


def test_scripts_of_an_interpreter_differ_and_modules_share_it(core: Path) -> None:
    one, other = (write(core.parent / name, f"#!/bin/sh\n# {name}\n") for name in ("one.sh", "other.sh"))
    commands = {"a": f"sh {one}", "b": f"sh {other}", "c": "sh -c 'exit 3'", "d": f"sh -e -- -x={one}", "e": "sh -s"}
    of = {c.backend: lineage(c).parts for c in resolve([f"lines:{name}" for name in commands], programs=commands)[0]}
    shared = {x + y for x in commands for y in commands if x < y and of[f"lines:{x}"] & of[f"lines:{y}"]}
    assert shared == {"ad", "ce"}


def test_the_name_of_a_program_s_file_tells_a_known_solver(core: Path) -> None:
    commands = {"mine": str(write(core.parent / "kissat-4.0.1", "\x7fELF"))}
    mine, other = resolve(["lines:mine"], programs=commands)[0][0], resolve(["pysat:cadical195/extended"])[0][0]
    assert "solver:kissat" in mine.origins
    assert not lineage(mine).independent(lineage(other))  # a port of it


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("minizinc:cp-sat", "cpsat"),
        ("cpmpy:ortools", "cpsat"),
        ("cvc5:int", "pysat:cadical195"),
        ("cryptominisat", "cvc5:int"),
        ("opb:minisatp", "pysat:glucose4"),
        ("clingo", "lines:clasp"),
        ("exact", "lines:roundingsat"),
        ("pysat:maplechrono", "opb:minisatp"),
    ],
)
def test_solvers_that_hold_one_solver_are_not_independent(a: str, b: str) -> None:
    one, other = (lineage(Contender(name, name, "alldifferent", "pairwise", False, "", "1")) for name in (a, b))
    assert one.parts & other.parts


def test_a_plug_in_that_requires_a_distribution_holds_its_solvers() -> None:
    def contender(backend: str, origins: str = "") -> Contender:
        return Contender(backend, backend, "alldifferent", "pairwise", False, "", "1", origins=origins)

    mine = lineage(contender("mine", "distribution:mine module:mine requires:ortools"))
    assert not mine.independent(lineage(contender("cpsat")))
    assert mine.independent(lineage(contender("native")))


def test_the_table_of_solvers_has_canonical_names_alone() -> None:
    assert all(canonical(name) == name for name in KNOWN - SAME.keys())
    assert not SAME.keys() & HOLDS.keys()
    assert all(with_contained(row) >= set(row) for row in (*HOLDS.values(), *DISTRIBUTIONS.values()))


def test_suggested_kinds_are_independent_of_all_that_took_part() -> None:
    assert suggested([("pysat:minisat22", "extended")]) == ["cpsat", "native"]
    assert suggested([("native:dlx", "alldifferent"), ("cpsat", "booleans")]) == ["pysat", "clingo"]


def test_a_journal_of_before_without_origins_is_read_and_resumed(harness: Harness, tmp_path: Path) -> None:
    words = ("--program", f"mine={write(tmp_path / 'core', f'#!/bin/sh{chr(10)}echo unknown{chr(10)}')}")
    harness("run", "hardest", "-n", "1", "-b", "lines:mine", *words, "-o", "j.sqlite")
    with closing(sqlite3.connect("j.sqlite")) as db, db:
        db.execute("update contenders set fields = json_remove(fields, '$.origins')")
        db.execute("drop table outside")
    assert harness("report", "j.sqlite").code == 4  # it gave up
    done = harness("run", "--resume", "j.sqlite", *words)
    assert (done.code, "changed" in done.err) == (4, False), done.err


def test_a_changed_solver_behind_an_unchanged_wrapper_is_noticed_on_a_resume(harness: Harness, tmp_path: Path) -> None:
    core = write(tmp_path / "core", "#!/bin/sh\necho unknown\n")
    words = ("--program", f"mine={write(tmp_path / 'wrapper', f'#!/bin/sh{chr(10)}exec {core}{chr(10)}')}")
    harness("run", "hardest", "-n", "1", "-b", "lines:mine", *words, "-o", "j.sqlite")
    core.write_text("#!/bin/sh\necho unsatisfiable\n")
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db, db:
        for table in ("outcomes", "leases"):
            db.execute(f"delete from {table}")
    done = harness("run", "--resume", "j.sqlite", *words)
    assert (done.code, "core has changed" in done.err, "lines:mine has changed" in done.err) == (2, True, True)
