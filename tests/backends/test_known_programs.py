"""Programs that need no --program: found in their wheel or on the PATH, else named with what to install."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.answer import Ask
from backends.contract.description import Missing
from backends.programs.backend import PROGRAM_BASES, chosen_program, command, format_of
from backends.programs.known_programs import KNOWN, installed_file, owned
from encoders.direct import constraints
from puzzles.problem import Problem
from puzzles.problem.values import Integers
from tests.conftest import Harness

ONE = constraints(Problem("one", ("a",), Integers(range(2)), ()))


@pytest.fixture
def nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is all of the PATH, and wheels as if none of them were installed."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("backends.programs.known_programs.installed_file", lambda *where: None)
    registry.load_base.cache_clear()
    yield tmp_path / "bin"
    registry.load_base.cache_clear()


def install(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("name", KNOWN)
def test_a_known_program_on_the_path_needs_no_command(nothing_installed: Path, name: str) -> None:
    known = KNOWN[name]
    backend = f"{known.base}:{name}"
    assert command(backend) is None
    program = install(nothing_installed, known.command.split()[0].split("|")[0])
    found = command(backend)
    assert found
    assert found.words[0] == program.name
    assert f"{{{format_of(backend)}}}" in found.words
    assert registry.find(backend).name == backend


def test_a_missing_program_is_named_with_what_to_install(nothing_installed: Path) -> None:
    for base in PROGRAM_BASES:
        missing = {part.name: part.why for part in registry.load_base(base) if isinstance(part, Missing)}
        for name, known in KNOWN.items():
            if known.base == base:
                assert missing[f"{base}:{name}"] == f"not found: {known.install}"
    with pytest.raises(
        registry.NoBackend, match="no program 'cosoco' on the PATH: pip install cosoco, or define it with"
    ):
        registry.find("xcsp3:cosoco")


def test_list_shows_missing_programs_and_a_glob_notes_only_that_there_are_none(
    nothing_installed: Path, harness: Harness
) -> None:
    listed = harness("list", "--backends").out
    assert all(f"{known.base}:{name} " in listed and known.install in listed for name, known in KNOWN.items())
    done = harness("run", "hardest", "-b", "xcsp3:*")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "xcsp3 left out: none of its known programs is installed: define one with --program" in done.err


def test_a_program_is_found_in_its_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wheel's own program is taken, not its script on the PATH that starts it, but another's on the PATH is."""
    package, info = tmp_path / "cosoco_bin", tmp_path / "cosoco-2.6.1.dist-info"
    package.mkdir()
    info.mkdir()
    program = install(package, "cosoco")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cosoco\nVersion: 2.6.1\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "other").mkdir()
    install(tmp_path / "bin", "cosoco")
    other = install(tmp_path / "other", "cosoco")
    listed = ("cosoco_bin/__init__.py", "cosoco_bin/cosoco", "bin/cosoco", "cosoco-2.6.1.dist-info/RECORD")
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in listed))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv("CROSSCHECK_PROGRAMS", raising=False)
    for cached in (installed_file, owned):
        cached.cache_clear()
    options = ("{xcsp3}", "-model=2", "-nbcores={cores}")
    try:
        for path in ("", f"{tmp_path / 'bin'}"):
            monkeypatch.setenv("PATH", path)
            assert KNOWN["cosoco"].words() == (str(program), *options)
            assert chosen_program("xcsp3:cosoco") == ""
        monkeypatch.setenv("PATH", f"{tmp_path / 'other'}")
        assert KNOWN["cosoco"].words() == ("cosoco", *options)
        why = f"{other} is taken, which is first on the PATH, not that of cosoco, {program}"
        assert chosen_program("xcsp3:cosoco") == why
    finally:
        for cached in (installed_file, owned):
            cached.cache_clear()


def test_a_program_is_told_the_seconds_left_rounded_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"import sys; open({str(tmp_path / 'seen')!r}, 'w').write(sys.argv[1])\n")
    session = registry.find("opb:mine", {"mine": f"{sys.executable} {path} -t={{seconds}}s"}).open(ONE)
    session.ask(Ask((3,), seconds=99.5))
    session.close()
    assert (tmp_path / "seen").read_text() == "-t=100s"


def test_no_program_with_threads_is_given_a_limit_of_cpu_time() -> None:
    words = [word for known in KNOWN.values() if "{cores}" in known.command for word in known.command.split()]
    assert not [word for word in words if "cpu" in word and "{seconds}" in word]
