"""Pseudo-Boolean proofs about clauses, as CaDiCaL 2.2 writes them with `--veripb`."""

from pathlib import Path

import pytest

from harness.judging.checking import Checks
from harness.model.outcome import CERTIFIED, REFUSED
from puzzles.formats import read
from puzzles.problem.dumped import dump

CNF = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"
PROOF = """pseudo-Boolean proof version 3.0
f 4 ;
pol 1 2 + s ;
rup 1 ~x1 >= 1 : 3 4 ;
rup >= 1 : 5 6 ;
output NONE ;
conclusion UNSAT : 7 ;
end pseudo-Boolean proof ;
"""


@pytest.mark.parametrize(
    ("proof", "outcome"),
    [(PROOF, CERTIFIED), (PROOF.replace("rup >= 1 : 5 6 ;\n", ""), REFUSED), (PROOF.replace("f 4", "f 5"), REFUSED)],
)
def test_a_proof_of_rows_is_checked_against_clauses(tmp_path: Path, proof: str, outcome: int) -> None:
    (tmp_path / "a.cnf").write_text(CNF)
    (instance,) = read(tmp_path / "a.cnf")
    (tmp_path / "problem").write_bytes(dump(instance.problem))
    (tmp_path / "proof").write_text(proof)
    checks = Checks([])
    order = {"encoding": "extended", "domains": list(instance.domains), "solutions": [], "source": "rows"}
    formula = {"do": "formula", "problem": str(tmp_path / "problem"), "write": None, **order}
    assert checks.result(formula)[0] == CERTIFIED
    assert checks.result({"do": "proof", "proof": str(tmp_path / "proof")})[0] == outcome
    assert checks.result({"do": "second", "proof": str(tmp_path / "proof")})[0] == outcome
