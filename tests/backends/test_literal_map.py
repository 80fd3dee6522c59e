"""Models of Boolean variables are decoded in columns as they are one by one."""

from hypothesis import given
from hypothesis import strategies as st

from backends.pysat.handle import clauses_of, compact_clauses
from backends.shared.literal_map import LiteralMap
from encoders.cnf import Signs
from encoders.formula import Cnf
from puzzles.constraints import clauses
from puzzles.constraints.clauses import Clauses

SIZE = 5
literal = st.integers(1, SIZE + 2).flatmap(lambda x: st.sampled_from([x, -x]))
models = st.lists(literal, max_size=SIZE + 2, unique_by=abs)


@given(models, st.lists(st.integers(0, 3), min_size=SIZE, max_size=SIZE))
def test_decoding_in_columns_is_decoding_one_by_one(model: list[int], masks: list[int]) -> None:
    domains = tuple(masks)
    slow, fast = LiteralMap(tuple(Signs(SIZE))), LiteralMap(Signs(SIZE))
    assert fast.decode(model, domains) == slow.decode(model, domains)
    assert fast.true(domains) == slow.true(domains)


@given(st.lists(st.lists(literal, max_size=4), max_size=9), st.integers(1, 4))
def test_clauses_of_a_file_are_the_same_in_blocks(rows: list[list[int]], size: int) -> None:
    before, clauses.BLOCK_CLAUSES = clauses.BLOCK_CLAUSES, size
    try:
        flat = Clauses.of(rows).flat
        assert [row for block in clauses.clause_blocks(flat) for row in block] == rows
        found = clauses_of(Cnf(flat, SIZE + 2, Signs(SIZE + 2)))
        assert list(found) == list(found) == (rows or [[1, -1]])
    finally:
        clauses.BLOCK_CLAUSES = before


@given(st.lists(st.lists(literal, max_size=4), max_size=9))
def test_compact_clauses_are_the_same_and_share_their_literals(rows: list[list[int]]) -> None:
    scaled = [[x * 1000 for x in row] for row in rows]  # CPython shares small numbers anyway
    found = compact_clauses(Clauses.of(scaled).flat)
    assert found == [tuple(row) for row in scaled]
    literals = [x for clause in found for x in clause]
    assert len({id(x) for x in literals}) == len(set(literals))
