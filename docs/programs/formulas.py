"""Formulas of python-sat, subclasses too: literals are keys of an answer, and its verdict says if it is confirmed."""

from pysat.examples.genhard import PHP
from pysat.formula import CNF

import harness

solved = harness.solve(CNF(from_clauses=[[1, 2], [-1, 3], [-2, -3]]), "cpsat")
print(solved.verdict, solved[1] or solved[2], solved[-3] == 1 - solved[3])
pigeons = harness.solve(PHP(nof_holes=4), "native")
print(pigeons.status, pigeons.verdict)  # one contender's claim: nobody has confirmed it
certified = harness.run(PHP(nof_holes=4), "pysat:cadical195", proof=True)
print(certified.frame(library="pandas")["verdict"].tolist())  # with a proof that was checked
