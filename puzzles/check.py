"""The independent judge of a solution. It knows the puzzle and the solution, and nothing of any solver."""

from collections.abc import Sequence

from puzzles.layout import Domains, Layout


def violations(layout: Layout, domains: Domains, solution: Sequence[int]) -> list[str]:
    """Everything that is wrong with `solution`, a value index for each square, one line each; empty if it is right."""
    if len(solution) != len(layout.squares):
        return [f"has {len(solution)} squares, not {len(layout.squares)}"]
    wrong = []
    count = len(layout.values)
    for s, v in enumerate(solution):
        if not 0 <= v < count:
            wrong.append(f"{layout.squares[s]} holds no value of the layout ({v})")
        elif not domains[s] >> v & 1:
            wrong.append(f"{layout.squares[s]}={layout.values[v]} is not among its candidates")
    for unit in layout.units:
        if len({solution[s] for s in unit}) == len(unit):
            continue
        seen: dict[int, int] = {}
        for s in unit:
            v = solution[s]
            if v in seen and 0 <= v < count:
                wrong.append(f"{layout.squares[seen[v]]} and {layout.squares[s]} both hold {layout.values[v]}")
            seen.setdefault(v, s)
    return wrong
