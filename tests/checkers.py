"""Proof checkers for `--checker`, as Python sources that import nothing of ours: an honest one, and others."""

import sys
from pathlib import Path

# Checks RUP of every clause of a DRUP proof from scratch.
HONEST = """\
import sys
def clauses(path):
    lines = [line.split() for line in open(path) if line[:1] not in 'pcd']
    return [{int(x) for x in line if x != '0'} for line in lines if line]
def conflict(known, true):
    while True:
        for clause in known:
            rest = {x for x in clause if -x not in true}
            if not rest: return True
            if len(rest) == 1 and not rest & true:
                true = true | rest
                break
        else: return False
def verified(known, proof):
    for clause in proof:
        if conflict(known, set()): return True
        if not conflict(known, {-x for x in clause}): return False
        known.append(clause)
    return conflict(known, set())
formula, proof = sys.argv[-2:]
print('c a comment\\ns', 'VERIFIED' if verified(clauses(formula), clauses(proof)) else 'NOT VERIFIED')
"""
SMALL = "import os, sys\nsmall = os.path.getsize(sys.argv[-2]) < 60\n"  # the formula of the trial


def honest_on_trial(then: str) -> str:
    """Return a checker that is honest when it is tried, and then does this."""
    return f"{SMALL}if not small:\n    {then}\n    sys.exit()\n{HONEST}"


def command(folder: Path, source: str) -> str:
    """Write a checker to a file of the folder; return its command."""
    path = folder / f"checker{len(list(folder.glob('checker*')))}.py"
    path.write_text(source)
    return f"{sys.executable} -I -S {path}"
