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
# Prints what VeriPB of 2022 does: it reads no `soli`, and warns where it does not fail.
VERIPB = """\
import sys
formula, proof = (open(path).read() for path in sys.argv[-2:])
if 'soli' in proof or formula[0] != '*':
    sys.exit("Unsupported rule")
if len(formula) > 90:
    {then}
    pass
if '>= 0' in formula:
    print('Verification failed.')
    sys.exit(1)
if '\\nc ' not in proof:
    print('WARNING:root:The provided proof did not claim contradiction.', file=sys.stderr)
print('Verification succeeded.')
"""
SMALL = "import os, sys\nsmall = os.path.getsize(sys.argv[-2]) < 66\n"  # the formula of the trial


def honest_on_trial(then: str) -> str:
    """Return a checker that is honest when it is tried, and then does this."""
    return f"{SMALL}if not small:\n    {then}\n    sys.exit()\n{HONEST}"


def command(folder: Path, source: str) -> str:
    """Write a checker to a file of the folder; return its command."""
    path = folder / f"checker{len(list(folder.glob('checker*')))}.py"
    path.write_text(source)
    return f"{sys.executable} -I -S {path}"
