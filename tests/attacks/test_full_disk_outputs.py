"""A disk that fills while an output is written leaves the content that was there, and no part of the new one."""

import subprocess
import sys
from pathlib import Path

import pytest

from puzzles.files import replacing, write_file
from tests.journals import make, noisy

BOARD = "#: sudoku 2x2\n1.34341221434321\n"
FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
"""
GOOD = "good content\n" * 20

VERBS = {
    "golden": "from harness.reporting.formats import golden; golden.write(PATH, [dict(puzzle='p' * 99)])",
    "page": "from harness.storing.schema import write_text; write_text(str(PATH), 'x' * 999)",
    "csv": "from harness.reporting.formats import export; from harness.storing.journal import open_journal\n"
    "with open_journal('j.sqlite') as j: export(j, 'csv', sys.stdout, str(PATH))",
    "generate": "from harness.commands.generate import write_lines; write_lines(PATH, iter(['x' * 999]))",
    "encode": "from harness.cli import main; main(['encode', 'one.txt', '-o', str(PATH)])",
}


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS)
def test_a_full_disk_leaves_the_file_as_it_was(verb: str, tmp_path: Path, environment: dict[str, str]) -> None:
    make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 3)})
    (tmp_path / "one.txt").write_text(BOARD)
    path = tmp_path / "out.txt"
    path.write_text(GOOD)
    script = f"from pathlib import Path; PATH = Path({str(path)!r})\n{FULL}\n{VERBS[verb]}"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert "File too large" in done.stderr, done.stderr
    assert path.read_text() == GOOD
    assert sorted(file.name for file in tmp_path.iterdir()) == ["j.sqlite", "one.txt", "out.txt"]


def test_links_permissions_and_devices_are_kept(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_file(link, "new")
    assert (file.read_text(), file.stat().st_mode & 0o777, link.is_symlink()) == ("new", 0o640, True)
    write_file("/dev/null", "x")
    with replacing("/dev/null") as part:
        assert part == Path("/dev/null")
    write_file(tmp_path / ("n" * 250), b"x")
    assert (tmp_path / ("n" * 250)).read_bytes() == b"x"
