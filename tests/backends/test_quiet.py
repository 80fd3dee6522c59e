"""Libraries that print a banner are silenced while they do."""

import os

import pytest

from backends.shared.quiet import C, quiet


def test_what_compiled_code_prints_in_the_block_is_dropped_and_no_more(capfd: pytest.CaptureFixture[str]) -> None:
    C.puts(b"before")
    with quiet():
        C.puts(b"banner")
    C.puts(b"after")
    C.fflush(None)
    assert capfd.readouterr().out.split() == ["before", "after"]


def test_standard_output_comes_back_after_an_error_too(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="made"), quiet():
        raise ValueError("made")
    os.write(1, b"heard\n")
    assert capfd.readouterr().out == "heard\n"
