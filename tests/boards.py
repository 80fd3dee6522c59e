"""Random boards for property tests: small layouts of every shape, boards on them, and all solutions of a board."""

from itertools import product

from hypothesis import strategies as st

from puzzles.layout import Domains, Layout, Solution, bits


@st.composite
def layouts(draw: st.DrawFn, values: int = 4) -> Layout:
    """Up to five squares; units that are empty, single, short, long, doubled, in any order."""
    squares, held = draw(st.integers(1, 5)), draw(st.integers(1, values))
    unit = st.lists(st.integers(0, squares - 1), max_size=squares, unique=True).map(tuple)
    units = tuple(draw(st.lists(unit, max_size=5)))
    return Layout("random", tuple(f"s{s}" for s in range(squares)), tuple(str(v + 1) for v in range(held)), units)


@st.composite
def boards(draw: st.DrawFn, values: int = 4, most: int = 3) -> tuple[Layout, list[Domains]]:
    """A layout, and up to `most` boards on it, to be asked one after another."""
    layout = draw(layouts(values))
    mask = st.one_of(st.just(layout.full), st.integers(0, layout.full))
    board = st.tuples(*[mask] * len(layout.squares))
    return layout, draw(st.lists(board, min_size=1, max_size=most))


def solutions(layout: Layout, domains: Domains) -> set[Solution]:
    """Every solution: all assignments, of which those stay that repeat no value in a unit."""
    every = product(*(list(bits(mask)) for mask in domains))
    return {s for s in every if all(len({s[q] for q in unit}) == len(unit) for unit in layout.units)}
