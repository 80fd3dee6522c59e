"""`get`: environments of solvers by version, and how contenders find them."""

import hashlib
import json
import re
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from backends.contract import registry
from backends.counters import COUNTERS
from backends.queries.solvers import SOLVERS as QUERIES
from backends.shared.wheels import wheel_of
from harness.model import environments as harness_environments
from harness.model.contender import resolve
from harness.model.environments import elsewhere, interpreters
from harness.model.errors import BadUsage
from harness.runs import getting
from puzzles import packages
from puzzles.environments import Environment, Installed, environments, environments_root, write_record
from tests.conftest import Harness


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder of the user's data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    environments.cache_clear()
    yield environments_root()
    environments.cache_clear()


def made(root: Path, distribution: str, version: str) -> str:
    """Write the record of an environment; return its interpreter."""
    folder = root / f"{distribution}-{version}"
    folder.mkdir(parents=True)
    first = Installed(distribution, version, "ab" * 32)
    write_record(folder, Environment("", distribution, version, "3.11.7", "2026-11-28", (first,)))
    environments.cache_clear()
    return str(folder / "bin" / "python")


def test_a_version_in_a_name_is_that_of_an_environment(data: Path) -> None:
    old, newer, other = (
        made(data, "ortools", "9.11.4210"),
        made(data, "ortools", "9.12.1"),
        made(data, "z3-solver", "9.11"),
    )
    assert interpreters(["cpsat@9.11"], {}) == interpreters(["cpsat/booleans@9.11"], {}) == {"9.11": old}
    assert interpreters(["cpsat@9.12.1", "pysat:glucose4", "z3:*@9.11"], {}) == {"9.12.1": newer, "9.11": other}
    assert interpreters(["cpsat@9.1", "cpsat@", "cpsat@9.11"], {"9.11": "mine"}) == {"9.11": "mine"}


def test_a_version_of_several_environments_is_refused(data: Path) -> None:
    for distribution, version in (("ortools", "9.11"), ("ortools", "9.12"), ("z3-solver", "9.11")):
        made(data, distribution, version)
    with pytest.raises(
        BadUsage, match=re.escape("'cpsat@9': @9 may be any of ortools 9.11, ortools 9.12, z3-solver 9.11")
    ):
        interpreters(["cpsat@9"], {})
    with pytest.raises(BadUsage, match=re.escape("'z3@9.11': @9.11 may be any of ortools 9.11, z3-solver 9.11")):
        interpreters(["cpsat@9.11", "z3@9.11"], {})


def test_a_solver_that_an_environment_alone_has_needs_its_version(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(data, "pychoco", "0.2.1")
    right = metadata.version

    def version(name: str) -> str:
        if name == "pychoco":
            raise metadata.PackageNotFoundError(name)
        return right(name)

    monkeypatch.setattr(metadata, "version", version)
    for known in (packages.installed, registry.load_base):
        known.cache_clear()
    try:
        with pytest.raises(BadUsage, match=re.escape("not installed here, but in an environment: choco@0.2.1")):
            resolve(["choco"])
        (found,), _ = resolve(["choco@0.2.1"], envs=["0.2.1"])
        assert (found.name, found.version) == ("choco@0.2.1", "")
    finally:
        for known in (packages.installed, registry.load_base):
            known.cache_clear()


def test_counters_and_query_solvers_have_the_distributions_of_their_tables() -> None:
    for name, _, package, _ in COUNTERS:
        assert packages.solver_of(f"models:{name}") == (packages.distribution_of(package) if package else ""), name
    for name, solver in QUERIES.items():
        wanted = "" if name == "native" else packages.distribution_of(solver.package)
        assert packages.solver_of(f"queries:{name}") == wanted, name


def test_a_counter_of_an_environment_is_described_and_asked_there(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = made(data, "pyganak", "2.6.4")
    assert interpreters(["models:ganak@2.6"], {}) == {"2.6": python}
    known = wheel_of("models:ganak", "pyganak")
    assert isinstance(known, str)
    assert known.startswith("pyganak ")
    monkeypatch.setattr(harness_environments, "installed", lambda distribution: False)
    assert "models:ganak[seed=1]@2.6.4" in elsewhere("models:ganak[seed=1]")


def test_a_record_that_is_damaged_is_no_environment(data: Path) -> None:
    made(data, "ortools", "9.11")
    (data / "ortools-9.11" / "got.json").write_text('{"distribution": "ortools"}')
    environments.cache_clear()
    assert environments() == ()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((), "state a solver: get cpsat==9.11"),
        (("minisat",), "minisat is a program: apt install minisat; then -b dimacs:minisat"),
        (("glucos3",), "'glucos3' is no solver of a package"),
        (("--", "-r x"), "'-r x' is not NAME[==VERSION]"),
        (("cpsat==",), "'cpsat==' is not NAME[==VERSION]"),
    ],
)
def test_what_is_no_solver_is_refused_with_what_to_do(
    harness: Harness, data: Path, words: tuple[str, ...], text: str
) -> None:
    done = harness("get", *words)
    assert (done.code, text in done.err) == (2, True), done.err
    assert not data.exists()


@pytest.mark.slow
def test_a_wheel_is_installed_recorded_listed_and_kept(
    harness: Harness, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "index" / "pynaps-9.8.7-py3-none-any.whl"
    wheel.parent.mkdir()
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("naps.py", "")
        file.writestr("pynaps-9.8.7.dist-info/METADATA", "Metadata-Version: 2.1\nName: pynaps\nVersion: 9.8.7\n")
        file.writestr("pynaps-9.8.7.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr("pynaps-9.8.7.dist-info/RECORD", "")
    monkeypatch.setattr(getting, "NEEDED", ())
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    done = harness("get", "naps==9.8")
    assert (done.code, done.out) == (0, f"pynaps 9.8.7 is in {data / 'pynaps-9.8.7'}: name it -b naps@9.8.7\n"), (
        done.err
    )
    assert "installing pynaps==9.8.* " in done.err
    listed = json.loads(harness("get", "--list", "--json", "-").out)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert [(e["version"], e["packages"][0]["sha256"]) for e in listed["environments"]] == [("9.8.7", digest)]
    assert "installing" not in harness("get", "naps==9.8").err
    missing = harness("get", "naps==1.0")
    assert (missing.code, "pip install pynaps==1.0.*: " in missing.err) == (2, True)
    assert [path.name for path in data.iterdir()] == ["pynaps-9.8.7"]
