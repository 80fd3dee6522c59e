"""Mutated files of every format are read, or refused in one line: a small version of benchmarks/reader_fuzzing.py."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks"))

import reader_fuzzing  # noqa: E402
from fuzz_seeds import seeds  # noqa: E402

FORMATS = sorted(form for form in reader_fuzzing.SHARES if form != "xcsp3" or find_spec("pycsp3") is not None)


@pytest.mark.parametrize("form", FORMATS)
def test_every_mutated_file_is_read_or_refused_in_one_line(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_fuzzing, "HANG_S", 200)  # the first XCSP3 file starts a parser
    monkeypatch.setattr(reader_fuzzing, "SLOW_S", 30.0)
    faults: list[str] = []
    done = reader_fuzzing.fuzz(60 if form == "xcsp3" else 150, 1, float("inf"), [form], faults.append)
    assert not faults
    assert min(done[f"{form}: {result}"] for result in reader_fuzzing.GOOD) > 0


@pytest.mark.parametrize("form", [form for form in FORMATS if form not in ("folder", "compressed", "minizinc")])
def test_the_files_that_are_mutated_are_valid(form: str, tmp_path: Path) -> None:
    for raw in seeds(ROOT)[form]:
        assert reader_fuzzing.classify(reader_fuzzing.written(tmp_path / "a.txt", raw), None) == ("read", "")
