"""CPMpy's tools for minimal unsatisfiable subsets, as a program: the tool, its solver, and a file of DIMACS or gcnf.

    python -m backends.cpmpy.extractors mus ortools FILE

It prints the numbers of the clauses, or groups, from 1.
"""

import sys
from collections import defaultdict
from pathlib import Path


def main(tool: str, solver: str, path: str) -> None:
    """Print the members that a tool names."""
    import cpmpy
    from cpmpy.tools import explain

    (_, kind, size, *_), *rows = (line.split() for line in Path(path).read_text().splitlines())
    x = cpmpy.boolvar(int(size) + 1)
    groups: dict[int, list[object]] = defaultdict(list)
    for number, (*named, end) in enumerate(rows, 1):
        assert end == "0"
        group, clause = (int(named[0].strip("{}")), named[1:]) if kind == "gcnf" else (number, named)
        literals = [x[int(word)] if int(word) > 0 else ~x[-int(word)] for word in clause]
        groups[group].append(cpmpy.any(literals))
    hard = groups.pop(0, [])
    soft = {group: cpmpy.all(clauses) for group, clauses in groups.items()}
    chosen = {id(part) for part in getattr(explain, tool)([*soft.values()], hard, solver=solver)}
    print("v", *(group for group, part in soft.items() if id(part) in chosen), 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
