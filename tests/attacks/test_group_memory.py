"""A memory limit holds for a worker with all that it starts, and `--peak` shows what these hold together."""

import sys
from pathlib import Path

import pytest

from backends.contract.answer import Reason
from harness.model.outcome import Verdict
from harness.running import control_groups
from tests.attacks.planting import BOARDS, SOLUTION, outcomes, plant_python
from tests.conftest import Harness

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

LIMIT = 256  # MiB; each way of holding memory takes more, and no process has that much of its own
HOLDERS = {
    "shared": "import mmap; m = mmap.mmap(-1, 400 << 20); m[::4096] = bytes(400 << 8); time.sleep(60)",
    "memfd": "fd = os.memfd_create('x')\nfor i in range(400): os.write(fd, bytes(1 << 20))\ntime.sleep(60)",
    "children": "for i in range(2): os.fork()\nb = bytearray(120 << 20); b[::4096] = b'x' * (120 << 8); time.sleep(60)",
    "announced": "print('std::bad_alloc', file=sys.stderr); os.abort()",
    "refused": "bytearray(1 << 30)",
}


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    (tmp_path / "one.txt").write_text(BOARDS.rsplit("\n", 2)[0])
    return tmp_path / "one.txt"


@pytest.mark.slow
@pytest.mark.parametrize("groups", [True, False])
def test_memory_beside_the_private_one_of_a_single_process_is_limited(
    groups: bool, harness: Harness, boards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not groups:
        monkeypatch.setattr(control_groups, "own_group", lambda: None)
    words = [word for name, script in HOLDERS.items() for word in plant_python(tmp_path, name, script)]
    harness("run", boards, *words, "-m", LIMIT, "-t", 30, "-o", "j.sqlite")
    found = {row[0]: row[1:] for row in outcomes(tmp_path / "j.sqlite", "verdict", "reason")}
    assert found == {f"lines:{name}": (Verdict.UNKNOWN, Reason.MEMORY) for name in HOLDERS}


@pytest.mark.slow
def test_peak_is_that_of_the_programs_and_of_shared_memory(harness: Harness, boards: Path, tmp_path: Path) -> None:
    private = f"b = bytearray(200 << 20); b[::4096] = b'x' * (200 << 8); print('{SOLUTION}')"
    shared = (
        f"import mmap; m = mmap.mmap(-1, 200 << 20); m[::4096] = bytes(200 << 8); time.sleep(3); print('{SOLUTION}')"
    )
    words = plant_python(tmp_path, "private", private) + plant_python(tmp_path, "shared", shared)
    harness("run", boards, *words, "--peak", "-o", "j.sqlite")
    found = outcomes(tmp_path / "j.sqlite", "verdict", "peak")
    assert [(name, verdict) for name, verdict, peak in found if peak > 200 << 20] == [
        (f"lines:{name}", Verdict.CORRECT) for name in ("private", "shared")
    ]
