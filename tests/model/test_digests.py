"""A file's digest is of its whole content, and nothing else than a regular file is opened for it."""

import hashlib
import os
from pathlib import Path

import pytest

from harness.model.digests import SMALL_BYTES, digest, digest_and_start


@pytest.mark.parametrize("size", [0, 1, SMALL_BYTES - 1, SMALL_BYTES, SMALL_BYTES + 1, 5 * SMALL_BYTES])
def test_a_digest_is_of_all_bytes_of_a_file(tmp_path: Path, size: int) -> None:
    content = bytes(range(251)) * (size // 251 + 1)
    (tmp_path / "a").write_bytes(content[:size])
    found, start = digest_and_start(tmp_path / "a")
    assert found == hashlib.sha256(content[:size]).hexdigest() == digest(tmp_path / "a")
    assert start == content[: min(size, SMALL_BYTES)]


def test_a_pipe_and_a_missing_file_have_no_digest(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert digest_and_start(tmp_path / "pipe") == digest_and_start(tmp_path / "none") == (None, b"")
