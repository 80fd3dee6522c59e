"""Compiled checkers are cached under the digest of their sources: after a change none that is stale is loaded."""

import re
import shutil
from pathlib import Path

import pytest

from puzzles.caches import kernel_directory, source_digest

numba = pytest.importorskip("numba")

from harness.judging import checking_process  # noqa: E402
from harness.judging.checkers import backward, clause_list, compiling, lrat  # noqa: E402
from harness.judging.checkers.pseudo_boolean import propagation  # noqa: E402

SOURCES = Path(compiling.__file__).parent


@pytest.mark.parametrize("kernel", [backward.run, lrat.run, clause_list.find_clause], ids=lambda k: k.__module__)
def test_a_checker_is_cached_under_the_digest_of_all_compiled_files(kernel: object) -> None:
    directory = compiling.cache_directory(numba.__version__)
    assert directory is not None
    assert directory.name == source_digest(SOURCES, f"checkers, numba {numba.__version__}", compiling.COMPILED)
    assert directory in Path(kernel.stats.cache_path).parents  # type: ignore[attr-defined]


@pytest.mark.parametrize(("sums", "module"), [(False, backward.__name__), (True, propagation.__name__)])
def test_the_first_checks_say_that_the_checkers_are_compiled(
    sums: bool, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(checking_process, "cache_directory", lambda version: tmp_path)
    checking_process.announce.__wrapped__(sums)
    assert capsys.readouterr().err.startswith("compiling the checkers of proofs (only once, ")
    (tmp_path / module).mkdir()
    checking_process.announce.__wrapped__(sums)
    assert not capsys.readouterr().err


@pytest.mark.parametrize("name", ["clause_list.py", "lrat.py"])
def test_a_change_in_any_file_is_another_directory(tmp_path: Path, name: str) -> None:
    shutil.copytree(SOURCES, tmp_path / "checkers")
    cache = str(tmp_path / "cache")
    before = kernel_directory(tmp_path / "checkers", "1", cache)
    assert kernel_directory(tmp_path / "checkers", "1", cache) == before
    with (tmp_path / "checkers" / name).open("a") as file:
        file.write("# changed\n")
    assert kernel_directory(tmp_path / "checkers", "1", cache) != before
    assert kernel_directory(tmp_path / "checkers", "2", cache) != before


def test_compiled_files_take_constants_of_compiled_files_alone_so_others_may_change(tmp_path: Path) -> None:
    files = {path: path.read_text() for path in SOURCES.rglob("*.py")}
    kernels = {path for path, text in files.items() if "\n@compile_" in text}
    assert len(kernels) > 10
    assert kernels <= {path for path, text in files.items() if compiling.COMPILED.decode() in text}
    named = {
        SOURCES.parents[2] / f"{name.replace('.', '/')}.py"
        for path in kernels
        for name in re.findall(r"^from (harness\.\S+) import", files[path], re.MULTILINE)
    }
    assert named - {Path(compiling.__file__)} <= kernels
    shutil.copytree(SOURCES, tmp_path / "checkers")
    before = source_digest(tmp_path / "checkers", "1", compiling.COMPILED)
    (tmp_path / "checkers" / "external.py").write_text("# changed\n")
    assert source_digest(tmp_path / "checkers", "1", compiling.COMPILED) == before


def test_without_a_writable_directory_nothing_is_cached(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert kernel_directory(SOURCES, "1", str(tmp_path / "file")) is None
