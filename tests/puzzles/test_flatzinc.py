"""FlatZinc: each constraint has the models of its definition, written out in plain Python, by brute force.

Long because each constraint that the reader takes stands here beside its definition.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puzzles.constraints.unsupported import unsupported_parts
from puzzles.formats import ReaderOptions, read
from puzzles.problem import Instance, Problem
from puzzles.problem.columns import pack, valid
from puzzles.problem.dumped import dump
from puzzles.problem.values import bits
from puzzles.stored import load
from tests.puzzles.flatzinc_files import VARIABLES, Args, as_json, as_text

NAMES = tuple(VARIABLES)
EVERY = list(product(*((0, 1) if domain is None else domain for domain in VARIABLES.values())))
Held = Callable[[int, int, int, int, int, int], Any]


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def power(a: int, b: int) -> int | None:
    if b >= 0:
        return int(a**b)
    return None if a == 0 else quotient(1, a**-b)


def item(items: Sequence[int], at: int) -> int | None:
    return items[at - 1] if 1 <= at <= len(items) else None


def accepted(word: Sequence[int], steps: dict[tuple[int, int], int], start: int, finals: Sequence[int]) -> bool:
    state: int | None = start
    for symbol in word:
        state = None if state is None else steps.get((state, symbol))
    return state in finals


INTEGERS: dict[str, tuple[Args, Held]] = {
    "int_eq": (["x", "y"], lambda x, y, z, b, c, d: x == y),
    "int_ne": (["x", "y"], lambda x, y, z, b, c, d: x != y),
    "int_le": (["x", "z"], lambda x, y, z, b, c, d: x <= z),
    "int_lt": (["z", 2], lambda x, y, z, b, c, d: z < 2),
    "int_ge": (["x", "z"], lambda x, y, z, b, c, d: x >= z),
    "int_gt": ([1, "x"], lambda x, y, z, b, c, d: x < 1),
    "int_lin_eq": ([[2, -1, 1], ["x", "y", "z"], 3], lambda x, y, z, b, c, d: 2 * x - y + z == 3),
    "int_lin_le": ([[2, -1], ["x", "y"], 0], lambda x, y, z, b, c, d: 2 * x - y <= 0),
    "int_lin_ne": ([[1, 1, 4], ["x", "x", 1], 4], lambda x, y, z, b, c, d: 2 * x != 0),
    "int_lin_lt": ([[1, 1], ["x", "y"], 1], lambda x, y, z, b, c, d: x + y < 1),
    "int_lin_ge": ([[-3], ["y"], -4], lambda x, y, z, b, c, d: -3 * y >= -4),
    "int_lin_gt": ([[1, -1], ["x", "z"], -2], lambda x, y, z, b, c, d: x - z > -2),
    "int_abs": (["x", "z"], lambda x, y, z, b, c, d: abs(x) == z),
    "int_plus": (["x", "y", "z"], lambda x, y, z, b, c, d: x + y == z),
    "int_minus": (["x", "y", "z"], lambda x, y, z, b, c, d: x - y == z),
    "int_negate": (["x", "y"], lambda x, y, z, b, c, d: -x == y),
    "int_times": (["x", "y", "z"], lambda x, y, z, b, c, d: x * y == z),
    "int_div": (["x", "y", "z"], lambda x, y, z, b, c, d: y != 0 and quotient(x, y) == z),
    "int_mod": (["x", "z", "y"], lambda x, y, z, b, c, d: z != 0 and x - z * quotient(x, z) == y),
    "int_pow": (["x", "y", "z"], lambda x, y, z, b, c, d: power(x, y) == z),
    "int_pow_fixed": (["x", 2, "z"], lambda x, y, z, b, c, d: x * x == z),
    "int_min": (["x", "y", "z"], lambda x, y, z, b, c, d: min(x, y) == z),
    "int_max": (["x", "y", "z"], lambda x, y, z, b, c, d: max(x, y) == z),
    "array_int_minimum": (["z", ["x", "y", 1]], lambda x, y, z, b, c, d: min(x, y, 1) == z),
    "array_int_maximum": (["z", ["x", "y"]], lambda x, y, z, b, c, d: max(x, y) == z),
    "array_int_element": (["y", [3, 0, 1], "z"], lambda x, y, z, b, c, d: item((3, 0, 1), y) == z),
    "array_var_int_element": (["y", ["x", "z", "y"], "z"], lambda x, y, z, b, c, d: item((x, z, y), y) == z),
    "array_bool_element": (["z", [True, False], "b"], lambda x, y, z, b, c, d: item((1, 0), z) == b),
    "array_var_bool_element": (["z", ["b", "c", True], "c"], lambda x, y, z, b, c, d: item((b, c, 1), z) == c),
    "set_in": (["x", {-1, 1, 2}], lambda x, y, z, b, c, d: x in (-1, 1, 2)),
}
BOOLEANS: dict[str, tuple[Args, Held]] = {
    "bool2int": (["b", "z"], lambda x, y, z, b, c, d: b == z),
    "bool_eq": (["b", "c"], lambda x, y, z, b, c, d: b == c),
    "bool_ne": (["b", "c"], lambda x, y, z, b, c, d: b != c),
    "bool_le": (["b", "c"], lambda x, y, z, b, c, d: b <= c),
    "bool_lt": (["b", "c"], lambda x, y, z, b, c, d: b < c),
    "bool_not": (["b", "c"], lambda x, y, z, b, c, d: b != c),
    "bool_clause": ([["b"], ["c", True]], lambda x, y, z, b, c, d: b or not c),
    "array_bool_xor": ([["b", "c", True]], lambda x, y, z, b, c, d: b == c),
    "bool_lin_eq": ([[2, 1], ["b", "c"], "z"], lambda x, y, z, b, c, d: 2 * b + c == z),
    "bool_lin_le": ([[2, -1], ["b", "c"], 0], lambda x, y, z, b, c, d: 2 * b - c <= 0),
}
WITH_RESULT: dict[str, tuple[Args, Held]] = {  # a Boolean of their own comes last
    "bool_and": (["b", "c"], lambda x, y, z, b, c, d: b and c),
    "bool_or": (["b", "c"], lambda x, y, z, b, c, d: b or c),
    "bool_xor": (["b", "c"], lambda x, y, z, b, c, d: b != c),
    "array_bool_and": ([["b", "c"]], lambda x, y, z, b, c, d: b and c),
    "array_bool_or": ([["b", "c"]], lambda x, y, z, b, c, d: b or c),
}
GLOBALS: dict[str, tuple[Args, Held]] = {
    "fzn_all_different_int": ([["x", "y", 1, "z"]], lambda x, y, z, b, c, d: len({x, y, 1, z}) == 4),
    "fzn_all_equal_int": ([["x", "y", "z"]], lambda x, y, z, b, c, d: x == y == z),
    "fzn_increasing_int": ([["x", "y", "z"]], lambda x, y, z, b, c, d: x <= y <= z),
    "fzn_increasing_bool": ([["c", "b"]], lambda x, y, z, b, c, d: c <= b),
    "fzn_strictly_increasing_int": ([["x", "y", "z"]], lambda x, y, z, b, c, d: x < y < z),
    "fzn_count_eq": ([["x", "y", 0], "z", 1], lambda x, y, z, b, c, d: (x, y, 0).count(z) == 1),
    "fzn_count_eq_par": ([["x", "y"], 1, "z"], lambda x, y, z, b, c, d: (x, y).count(1) == z),
    "fzn_count_neq_par": ([["x", "y"], 1, "z"], lambda x, y, z, b, c, d: (x, y).count(1) != z),
    "fzn_count_geq_par": ([["x", "y"], 1, "z"], lambda x, y, z, b, c, d: z >= (x, y).count(1)),
    "fzn_count_gt_par": ([["x", "y"], 1, "z"], lambda x, y, z, b, c, d: z > (x, y).count(1)),
    "fzn_count_leq_par": ([["x", "y"], 1, "z"], lambda x, y, z, b, c, d: z <= (x, y).count(1)),
    "fzn_count_lt_par": ([["x", "y"], 1, "z"], lambda x, y, z, b, c, d: z < (x, y).count(1)),
    "fzn_count_lt": ([["x", "y"], "z", 1], lambda x, y, z, b, c, d: (x, y).count(z) > 1),
    "fzn_at_most_int": ([1, ["x", "y", "z"], 3], lambda x, y, z, b, c, d: (x, y, z).count(3) <= 1),
    "fzn_at_least_int": ([2, ["x", "y", "z"], 3], lambda x, y, z, b, c, d: (x, y, z).count(3) >= 2),
    "fzn_exactly_int": ([1, ["x", "y", "z"], 3], lambda x, y, z, b, c, d: (x, y, z).count(3) == 1),
    "fzn_among": (["z", ["x", "y"], {0, 3}], lambda x, y, z, b, c, d: sum(n in (0, 3) for n in (x, y)) == z),
    "fzn_global_cardinality": (
        [["x", "y"], [0, 3], ["z", 1]],
        lambda x, y, z, b, c, d: (x, y).count(0) == z and (x, y).count(3) == 1,
    ),
    "fzn_global_cardinality_closed": (
        [["x", "y"], [0, 3], ["z", 1]],
        lambda x, y, z, b, c, d: (x, y).count(0) == z and (x, y).count(3) == 1 and {x, y} <= {0, 3},
    ),
    "fzn_global_cardinality_low_up": (
        [["x", "y", "z"], [0, 3], [1, 0], [2, 1]],
        lambda x, y, z, b, c, d: 1 <= (x, y, z).count(0) <= 2 and (x, y, z).count(3) <= 1,
    ),
    "fzn_global_cardinality_low_up_closed": (
        [["x", "y", "z"], [0, 3], [1, 0], [2, 3]],
        lambda x, y, z, b, c, d: 1 <= (x, y, z).count(0) <= 2 and {x, y, z} <= {0, 3},
    ),
    "crosscheck_table_int": ([["x", "z"], [3, 1, 0, 0, 1, 7]], lambda x, y, z, b, c, d: (x, z) in ((3, 1), (0, 0))),
    "crosscheck_table_bool": ([["b", "c"], [True, False]], lambda x, y, z, b, c, d: (b, c) == (1, 0)),
    "crosscheck_regular": (
        [["x", "z", "y"], 2, 3, [2, 0, 1, 2, 1, 1], 1, {1}],
        lambda x, y, z, b, c, d: accepted(
            (x, z, y), {(1, 1): 2, (1, 3): 1, (2, 1): 2, (2, 2): 1, (2, 3): 1}, start=1, finals=(1,)
        ),
    ),
    "fzn_lex_less_int": ([["x", "y"], ["z", 1]], lambda x, y, z, b, c, d: (x, y) < (z, 1)),
    "fzn_lex_lesseq_int": ([["x", "y"], ["z"]], lambda x, y, z, b, c, d: (x, y) <= (z,)),
    "fzn_lex_less_bool": ([["b"], ["c", True]], lambda x, y, z, b, c, d: (b,) < (c, 1)),
    "fzn_lex_lesseq_bool": ([["b", "c"], ["c", "b"]], lambda x, y, z, b, c, d: (b, c) <= (c, b)),
    "crosscheck_inverse": (
        [["x", "z"], ["y", 1], 1, 0],
        lambda x, y, z, b, c, d: (
            x in (0, 1)
            and z in (0, 1)
            and y in (1, 2)
            and (y, 1)[x] == 1
            and (y, 1)[z] == 2
            and (x, z)[y - 1] == 0
            and x == 1
        ),
    ),
    "fzn_cumulative": (
        [["x", "y"], [2, "z"], ["c", 1], 1],
        lambda x, y, z, b, c, d: not c or not z or x + 2 <= y or y + z <= x,
    ),
    "fzn_disjunctive": ([["x", "y"], ["z", 2]], lambda x, y, z, b, c, d: not z or x + z <= y or y + 2 <= x),
    "fzn_disjunctive_strict": ([["x", "y"], ["z", 2]], lambda x, y, z, b, c, d: x + z <= y or y + 2 <= x),
    "fzn_diffn": (
        [["x", "y"], ["z", 1], ["b", 2], [1, "c"]],
        lambda x, y, z, b, c, d: x + b <= y or y + 2 <= x or z + 1 <= 1 or 1 + c <= z,
    ),
    "fzn_diffn_nonstrict": (
        [["x", "y"], ["z", 1], ["b", 2], [1, "c"]],
        lambda x, y, z, b, c, d: not b or not c or x + b <= y or y + 2 <= x or z + 1 <= 1 or 1 + c <= z,
    ),
    "fzn_circuit": ([["x", "y", "z"]], lambda x, y, z, b, c, d: (x, y, z) in ((2, 3, 1), (3, 1, 2))),
    "crosscheck_circuit": ([["x", "y", "z"], 0], lambda x, y, z, b, c, d: (x, y, z) in ((1, 2, 0), (2, 0, 1))),
    "crosscheck_subcircuit": (
        [["x", "y", "z"], 0],
        lambda x, y, z, b, c, d: sorted((x, y, z)) == [0, 1, 2],
    ),
    "fzn_bin_packing": (
        [2, ["x", "y", 1], [2, 1, 1]],
        lambda x, y, z, b, c, d: all(2 * (x == k) + (y == k) + (k == 1) <= 2 for k in range(-1, 4)),
    ),
    "fzn_bin_packing_capa": (
        [[2, 3], ["x", "y"], [2, 1]],
        lambda x, y, z, b, c, d: {x, y} <= {1, 2} and 2 * (x == 1) + (y == 1) <= 2,
    ),
    "crosscheck_bin_packing_capa": (
        [[2, 1], ["x", "y"], [2, 1], 0],
        lambda x, y, z, b, c, d: {x, y} <= {0, 1} and x == 0 and y == 1,
    ),
    "fzn_bin_packing_load": (
        [["z", "d", 2], ["x", 3], [2, 2]],
        lambda x, y, z, b, c, d: x in (1, 2) and z == 2 * (x == 1) and d == 2 * (x == 2),
    ),
    "crosscheck_bin_packing_load": (
        [["z", "y"], ["x", "b"], [1, 2], 0],
        lambda x, y, z, b, c, d: x in (0, 1) and z == (x == 0) + 2 * (b == 0) and y == (x == 1) + 2 * (b == 1),
    ),
    "fzn_knapsack": (
        [[1, 2], [3, 1], ["x", "b"], "y", "z"],
        lambda x, y, z, b, c, d: x + 2 * b == y and 3 * x + b == z,
    ),
    "fzn_all_different_except": (
        [["x", "y", "z", 3], {1, 2}],
        lambda x, y, z, b, c, d: all((x, y, z, 3).count(n) < 2 for n in (-1, 0, 3)),
    ),
    "fzn_all_different_except_0": (
        [["x", "y", "z"]],
        lambda x, y, z, b, c, d: all((x, y, z).count(n) < 2 for n in (-1, 1, 2, 3)),
    ),
    "fzn_sliding_sum": (
        [2, 4, 2, ["x", "y", "z", 1]],
        lambda x, y, z, b, c, d: all(2 <= s <= 4 for s in (x + y, y + z, z + 1)),
    ),
    "fzn_decreasing_int": ([["x", "y", 1]], lambda x, y, z, b, c, d: x >= y >= 1),
    "fzn_decreasing_bool": ([["b", "c"]], lambda x, y, z, b, c, d: b >= c),
    "fzn_strictly_decreasing_int": ([["x", "y"]], lambda x, y, z, b, c, d: x > y),
    "fzn_nvalue": (["z", ["x", "y", 0]], lambda x, y, z, b, c, d: len({x, y, 0}) == z),
    "fzn_member_int": ([["x", "z"], "y"], lambda x, y, z, b, c, d: y in (x, z)),
    "gecode_maximum_int": (["z", ["x", "y"]], lambda x, y, z, b, c, d: max(x, y) == z),
}
REIFIED = ("fzn_all_different_int", "fzn_all_equal_int", "fzn_increasing_int", "fzn_strictly_increasing_int")


def cases() -> dict[str, tuple[str, Args, Held]]:
    """Return each constraint, and its reified and half reified forms, with its arguments and its definition."""
    found: dict[str, tuple[str, Args, Held]] = {}
    own = {
        name: ([*args, "d"], lambda x, y, z, b, c, d, held=held: bool(held(x, y, z, b, c, d)) == d)
        for name, (args, held) in WITH_RESULT.items()
    }
    plain = {**INTEGERS, **BOOLEANS, **own}
    for name, (args, held) in {**plain, **GLOBALS}.items():
        found[name] = name, args, held
        if name in GLOBALS and name not in REIFIED:
            continue
        found[f"{name}_reif"] = f"{name}_reif", [*args, "c"], lambda *at, held=held: bool(held(*at)) == at[4]
        found[f"{name}_imp"] = f"{name}_imp", [*args, "c"], lambda *at, held=held: not at[4] or held(*at)
        found[f"{name}_reif, true"] = f"{name}_reif", [*args, True], held
        found[f"{name}_reif, false"] = f"{name}_reif", [*args, False], lambda *at, held=held: not held(*at)
        found[f"{name}_imp, false"] = f"{name}_imp", [*args, False], lambda *at: True
    return found


CASES = cases()


def one(path: Path, text: str, notes: list[str] | None = None) -> Instance[Problem]:
    path.write_text(text)
    (instance,) = read(path, ReaderOptions(notify=notes.append if notes is not None else str))
    return instance


def models(instance: Instance[Problem]) -> list[dict[str, int]]:
    """Return the assignments, as numbers by name, that meet domains and constraints."""
    problem = instance.problem
    every = np.array(list(product(*(list(bits(mask)) for mask in instance.domains))), np.uint16)
    every = every.reshape(-1, len(problem.variables))
    ok = valid(problem, pack(problem, [instance.domains]).repeat(len(every), axis=0), every)
    numbers = list(map(int, problem.values))
    return [dict(zip(problem.variables, (numbers[v] for v in row), strict=True)) for row in every[ok].tolist()]


def assert_models(instance: Instance[Problem], wanted: list[dict[str, int]]) -> None:
    """Assert that an instance has as many models as wanted, which are the wanted ones where a name is left."""
    found = models(instance)
    assert len(found) == len(wanted)
    left = [name for name in NAMES if name in instance.problem.variables]
    assert {tuple(m[name] for name in left) for m in found} == {tuple(m[name] for name in left) for m in wanted}


@pytest.mark.parametrize("case", CASES)
def test_a_constraint_has_the_models_of_its_definition(case: str, tmp_path: Path) -> None:
    name, args, held = CASES[case]
    wanted = [dict(zip(NAMES, values, strict=True)) for values in EVERY if held(*values)]
    text = one(tmp_path / "a.fzn", as_text([(name, args)]))
    assert not unsupported_parts(text.problem)
    assert_models(text, wanted)
    data = one(tmp_path / "a.json", as_json([(name, args)]))
    assert (data.problem, data.domains) == (text.problem, text.domains)
    assert load(dump(text.problem)) == text.problem


def test_constraints_hold_together(tmp_path: Path) -> None:
    calls: list[tuple[str, Args]] = [
        ("int_lin_eq", [[1, 1, -1], ["x", "y", "z"], 0]),
        ("int_le_reif", ["x", "y", "b"]),
        ("bool2int", ["c", "z"]),
        ("bool_clause", [["b"], ["c"]]),
        ("int_ne", ["y", 2]),
    ]
    wanted = [
        dict(zip(NAMES, (x, y, z, b, c, d), strict=True))
        for x, y, z, b, c, d in EVERY
        if x + y == z and (x <= y) == b and c == z and (b or not c) and y != 2
    ]
    assert 0 < len(wanted) < len(EVERY)
    assert_models(one(tmp_path / "a.fzn", as_text(calls)), wanted)


def test_pairs_of_all_constraints(tmp_path: Path) -> None:
    names = sorted(CASES)
    for first, second in pairwise(names[:: max(1, len(names) // 60)]):
        (a, args, held), (b, others, also) = CASES[first], CASES[second]
        wanted = [dict(zip(NAMES, at, strict=True)) for at in EVERY if held(*at) and also(*at)]
        assert_models(one(tmp_path / "a.fzn", as_text([(a, args), (b, others)])), wanted)
