"""A second opinion on XCSP3: the solution checker of pycsp3's ACE, where Java is, judges as our constraints do."""

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.puzzles.test_xcsp3 import KINDS, document, models, one, written

pytestmark = pytest.mark.skipif(
    find_spec("pycsp3") is None or shutil.which("java") is None, reason="needs Java and the extra xcsp3"
)

TOGETHER = (  # kinds that have common models
    "element, condition",
    "cardinality, ranges",
    "precedence",
    "minimum",
    "extension, short",
    "nValues",
    "sum, variable coefficients",
    "count",
    "allDifferentList",
    "allDifferent, except",
    "sum, range",
)
NAMES = "x[] y[][]"


def accepted(instance: Path, values: tuple[int, ...], folder: Path) -> bool:
    """Return the checker's verdict on a solution."""
    spec = find_spec("pycsp3")
    assert spec is not None
    assert spec.origin is not None
    (jar,) = (Path(spec.origin).parent / "solvers" / "ace").glob("ACE-*.jar")
    solution = folder / "solution.xml"
    text = f"<instantiation> <list> {NAMES} </list> <values> {' '.join(map(str, values))} </values> </instantiation>"
    solution.write_text(text)
    command = ["java", "-XX:TieredStopAtLevel=1", "-cp", str(jar), "org.xcsp.parser.callbacks.SolutionChecker"]
    done = subprocess.run([*command, str(instance), str(solution)], capture_output=True, text=True, timeout=120, check=True)
    assert ("INVALID" in done.stdout) != ("\nOK" in done.stdout)
    return "\nOK" in done.stdout


def test_the_checker_of_ace_judges_as_we_do(tmp_path: Path) -> None:
    path = written(tmp_path, document("\n".join(KINDS[kind][0] for kind in TOGETHER)))
    found = sorted(model[:7] for model in models(one(path)))
    assert found
    for model in (found[0], found[-1]):
        assert accepted(path, model, tmp_path)
    index, _, *rest = found[0]  # without the index of `element`: outside its list, the checker fails
    broken = next((index, v, *rest) for v in (-1, 0, 1, 3) if (index, v, *rest) not in found)
    assert not accepted(path, broken, tmp_path)
