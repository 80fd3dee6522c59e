"""A place that differs in what matters is refused, and the difference is one line."""

import re
import resource
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from harness.model.errors import BadUsage
from harness.model.release import installed
from harness.model.settings import RunSettings
from harness.running import fingerprint as at
from harness.running.environment import PACKAGES
from harness.running.fingerprint import difference, fingerprint
from tests.conftest import PLUGINS, ROOT


@pytest.fixture
def settings(tmp_path: Path) -> RunSettings:
    """Settings of a run with a program and a variable."""
    return with_program(tmp_path, "print('s UNKNOWN')\n")


def with_program(folder: Path, text: str) -> RunSettings:
    """Return settings with a program of this text in a folder."""
    folder.mkdir(exist_ok=True)
    (folder / "mine.py").write_text(text)
    return RunSettings(programs={"mine": f"{sys.executable} {folder / 'mine.py'}"}, pass_env=["LICENCE"])


def of(settings: RunSettings, monkeypatch: pytest.MonkeyPatch, **variables: str) -> Mapping[str, str]:
    """Return the fingerprint of this process with these variables."""
    with monkeypatch.context() as patch:
        for name, value in ({"LICENCE": "secret"} | variables).items():
            patch.setenv(name, value)
        installed.cache_clear()
        return fingerprint(["native:python", "lines:mine"], settings)


def test_where_files_and_caches_lie_makes_no_difference(
    settings: RunSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = of(settings, monkeypatch)
    other = with_program(tmp_path / "elsewhere", (tmp_path / "mine.py").read_text())
    there = of(other, monkeypatch, HOME="/nowhere", XDG_CACHE_HOME="/cache", SHELL_ONLY="x")
    assert difference(here, there) == ""
    assert not any("secret" in value for value in here.values())


def test_another_variable_is_named_and_a_secret_one_by_its_digest(
    settings: RunSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = of(settings, monkeypatch)
    there = of(settings, monkeypatch, LD_LIBRARY_PATH="/opt/lib\n", LICENCE="another")
    said = difference(here, there)
    assert "variable LD_LIBRARY_PATH: missing here, '/opt/lib\\n' there" in said
    assert "variable LICENCE: scrypt " in said
    assert "\n" not in said
    assert "another" not in said


def test_a_missing_variable_is_named(settings: RunSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LICENCE", raising=False)
    with pytest.raises(BadUsage, match=r"^--pass-env LICENCE: this variable is not set$"):
        fingerprint(["lines:mine"], settings)


def test_another_program_is_named(settings: RunSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = of(settings, monkeypatch)
    said = difference(here, of(with_program(tmp_path, "print('s UNKNOWN') \n"), monkeypatch))
    assert "--program mine mine.py: sha256 " in said
    (tmp_path / "mine.py").unlink()
    assert "missing there" in difference(here, of(settings, monkeypatch))


def test_another_package_version_is_named(
    settings: RunSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = of(settings, monkeypatch)
    other = tmp_path / "numpy-0.9.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 0.9\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert difference(here, of(settings, monkeypatch)) == f"numpy: {here['numpy']} here, 0.9 there"


def test_another_source_of_crosscheck_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in PACKAGES:
        (tmp_path / package).mkdir()
        shutil.copy(ROOT / package / "__init__.py", tmp_path / package)
    monkeypatch.setattr(at, "ROOT", tmp_path)
    before = at.code_digest()
    (tmp_path / "harness" / "notes.txt").write_text("no source")
    assert at.code_digest() == before
    (tmp_path / "harness" / "__init__.py").write_text("# changed\n")
    assert at.code_digest() != before


def test_another_source_of_a_plugin_is_named_and_its_folder_makes_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed_plugins: None
) -> None:
    here = fingerprint(["native:python", "tuned"], RunSettings())
    assert [name for name in here if name.startswith("plug-in")] == ["plug-in tuned"]
    copy = Path(shutil.copy(PLUGINS / "tuned.py", tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    assert difference(here, fingerprint(["native:python", "tuned"], RunSettings())) == ""
    copy.write_text(copy.read_text() + "# changed\n")
    said = difference(here, fingerprint(["native:python", "tuned"], RunSettings()))
    assert re.fullmatch(r"plug-in tuned: sha256 \w{12}\.\.\. here, sha256 \w{12}\.\.\. there", said)


def test_another_limit_of_the_process_is_named(settings: RunSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    here = of(settings, monkeypatch)
    really = resource.getrlimit
    small = (1 << 20, resource.RLIM_INFINITY)
    monkeypatch.setattr(resource, "getrlimit", lambda n: small if n == resource.RLIMIT_STACK else really(n))
    said = difference(here, of(settings, monkeypatch))
    assert said == f"limit of stack: {here['limit of stack']} here, 1048576 there"
