"""Scope of certificates: a CNF file and a board are certified themselves, a lowered instance only its formula."""

import sys
from pathlib import Path

import pytest

from tests.conftest import Harness

SIGNS = (1, -1)
ALL = [(a, 2 * b, 3 * c) for a in SIGNS for b in SIGNS for c in SIGNS]
CNF = "p cnf 3 8\n" + "".join(" ".join(map(str, clause)) + " 0\n" for clause in ALL)
OPB = "* #variable= 4 #constraint= 3\n+1 x1 +1 x2 >= 1 ;\n+1 x3 +1 x4 >= 1 ;\n-1 x1 -1 x2 -1 x3 -1 x4 >= -1 ;\n"
PROOFS = {  # of CNF: x1 x2, x1, and the contradiction, with the clauses that each follows from
    "drat": "1 2 0\n1 0\n-1 2 0\n0\n",
    "lrat": "9 1 2 0 1 2 0\n10 1 0 9 3 4 0\n11 -1 2 0 5 6 0\n12 0 10 11 7 8 0\n",
}
PROVER = """\
#!{python} -IS
import sys
if sys.argv[1] == '--help':
    sys.exit(print('options: {options}') or 0)
*options, cnf, proof = sys.argv[1:]
open(proof, 'w').write({proofs!r}['lrat' if '--lrat' in options else 'drat'])
print('s UNSATISFIABLE')
"""


def test_a_cnf_file_is_certified_and_of_an_opb_file_only_the_formula(harness: Harness, tmp_path: Path) -> None:
    files = tmp_path / "all.cnf", tmp_path / "holes.opb"
    for path, text in zip(files, (CNF, OPB), strict=True):
        path.write_text(text)
    done = harness("run", *files, "-b", "pysat:glucose4", "--proof", "--json", "-")
    assert done.code == 0, done.err
    (entry,), agreement = done.summary["contenders"], done.summary["agreement"]
    assert (entry["certified"], entry["certified_formula"], entry["uncertified"]) == (1, 1, 1)
    assert (agreement["certified"], agreement["certified_formula"], agreement["none"]) == (1, 1, 1)
    shown = harness("report", *Path("results").glob("*.sqlite")).out
    assert "formula certified" in shown.splitlines()[2]
    assert "1 certified by a checked proof | 1 of which only the formula is certified" in shown


@pytest.mark.parametrize("options", ["--lrat=bool", "--drat=bool"])
def test_a_program_that_has_the_option_is_made_to_write_lrat(harness: Harness, tmp_path: Path, options: str) -> None:
    program, file, kept = tmp_path / "prover", tmp_path / "all.cnf", tmp_path / "kept"
    program.write_text(PROVER.format(python=sys.executable, options=options, proofs=PROOFS))
    program.chmod(0o755)
    file.write_text(CNF)
    command = f"p={program} {{lrat}} {{cnf}} {{proof}}"
    done = harness("run", file, "-b", "dimacs:p", "--program", command, "--proof", "--keep-proofs", kept, "--json", "-")
    assert done.code == 0, done.err
    (entry,) = done.summary["contenders"]
    assert (entry["certified"], entry["trouble"]) == (1, [])
    form = "lrat" if "lrat" in options else "drat"
    (proof,), (formula,) = kept.glob(f"*.{form}"), kept.glob("*.cnf")
    assert (proof.read_text(), proof.stem) == (PROOFS[form], formula.stem)
    assert sorted(formula.read_text().split()) == sorted(CNF.split())


FRAT = b"o 1  1 0\no 2  -1 0\na 3  0  l 1 2 0\nf 3  0\n"
BINARY_FRAT = b"o\x01\x02\0o\x02\x03\0a\x03\0l\x02\x04\0f\x03\0"


@pytest.mark.parametrize("proof", [FRAT, BINARY_FRAT], ids=["text", "binary"])
def test_a_proof_in_frat_is_certified_and_kept(harness: Harness, tmp_path: Path, proof: bytes) -> None:
    program, cnf = tmp_path / "mine.py", tmp_path / "two.cnf"
    program.write_text(f"import sys; open(sys.argv[1], 'wb').write({proof!r}); print('s UNSATISFIABLE'); sys.exit(20)")
    cnf.write_text("p cnf 1 2\n1 0\n-1 0\n")
    named = f"mine={sys.executable} -I -S {program} {{proof}} {{cnf}}"
    kept = ("--keep-proofs", tmp_path / "kept")
    done = harness("run", cnf, "-b", "dimacs:mine", "--program", named, "--proof", *kept, "--json", "-")
    assert done.code == 0, done.err
    (entry,) = done.summary["contenders"]
    assert (entry["refused"], entry["unchecked"], entry["certified"]) == (0, 0, 1)
    assert [path.read_bytes() for path in (tmp_path / "kept").glob("*.frat")] == [proof]
