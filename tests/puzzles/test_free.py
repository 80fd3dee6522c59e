"""Variables that a source neither shows nor defines are found by rules, and are outside the projection."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from puzzles.constraints.clauses import Clauses
from puzzles.defined import free
from puzzles.formats import ReaderOptions, read
from puzzles.generating.problems import KINDS, random_problem
from puzzles.problem import BOOLEAN, Instance, Problem
from puzzles.problem.dumped import dump
from puzzles.problem.values import Domains, Numbered
from puzzles.readers.flatzinc.build import labels_of
from puzzles.readers.flatzinc.document import Document
from puzzles.readers.minizinc.declared import OutputModel
from puzzles.stored import load
from tests.conftest import Harness
from tests.definitions import solutions

HALF_REIFIED = """\
predicate int_eq_imp(var int: x,var int: y,var bool: r);
var 1..3: x :: output_var;
var 1..3: y :: output_var;
var bool: X_INTRODUCED_0_ :: var_is_introduced;
var bool: X_INTRODUCED_1_ :: var_is_introduced;
constraint array_bool_or([X_INTRODUCED_0_,X_INTRODUCED_1_],true);
constraint int_eq_imp(x,1,X_INTRODUCED_0_);
constraint int_eq_imp(y,1,X_INTRODUCED_1_);
solve satisfy;
"""
REIFIED = HALF_REIFIED.replace("_imp(", "_reif(")
OUTPUT = """\
output ["x = ",show(x),";\\n","ss = ",show(ss),"z = ",show(z),"ob = ",show(ob),"y = ",show(y)];
array [1..2] of set of int: ss = [X_INTRODUCED_2_,X_INTRODUCED_3_];
set of int: E = 1..2;
array [E] of opt int: z = [X_INTRODUCED_0_,X_INTRODUCED_1_];
opt bool: ob = reverse_map_var_opt_bool(X_INTRODUCED_16_,X_INTRODUCED_17_);
opt int: X_INTRODUCED_0_ = reverse_map_var_opt_int(X_INTRODUCED_18_,X_INTRODUCED_19_);
bool: X_INTRODUCED_18_ = int_ne(X_INTRODUCED_19_,0);
opt int: X_INTRODUCED_1_ = reverse_map_var_opt(X_INTRODUCED_20_,X_INTRODUCED_21_);
bool: X_INTRODUCED_20_;
bool: X_INTRODUCED_16_;
set of int: X_INTRODUCED_2_ = reverse_map_ab2si(X_INTRODUCED_28_);
set of int: X_INTRODUCED_3_ = reverse_map_ab2si(X_INTRODUCED_28_);
array [4..5] of bool: X_INTRODUCED_28_ = array1d(4..5,[X_INTRODUCED_26_,X_INTRODUCED_27_]);
int: y;
"""
MODELS = {  # models, and the numbers of their solutions
    'var 1..3: x; var 1..3: y; constraint x = 1 \\/ y = 1; solve satisfy; output ["\\(x)"];': 5,
    "/* a comment\n * of lines */ var opt 1..3: x; solve satisfy;": 4,
    "var opt bool: x; solve satisfy;": 3,
    "var 1..3: x; constraint let {var 1..3: z} in z >= x; solve satisfy;": 3,
    "array[1..3] of var 1..3: a; var 0..4: i; constraint a[i] > 2 \\/ i = 0; solve satisfy;": 54,
    'var set of 1..3: s; constraint 2 in s -> 3 in s; solve satisfy; output ["-"];': 6,
    "var 0..3: x; var 0..3: y; var bool: b = x + y > 3; constraint b -> x = 3; solve satisfy;": 13,
}


def one(text: str, folder: Path) -> Instance[Problem]:
    path = folder / "a.fzn"
    path.write_text(text)
    (instance,) = read(path, ReaderOptions())
    return instance


def follow(problem: Problem, domains: Domains, hidden: Sequence[int]) -> bool:
    """Return True if the hidden variables that are not free have one value for all values of those that are shown."""
    left = free(problem, domains, hidden)
    shown = [x for x in range(len(domains)) if x not in hidden]
    known = [x for x in hidden if x not in left]
    seen: dict[tuple[int, ...], tuple[int, ...]] = {}
    return all(
        seen.setdefault(tuple(s[x] for x in shown), tuple(s[x] for x in known)) == tuple(s[x] for x in known)
        for s in solutions(problem, domains)
    )


def wrong_seeds(seeds: range) -> list[int]:
    """Return the seeds of random problems some of whose hidden variables are said to follow, and do not."""
    found = []
    for seed in seeds:
        random = Random(seed)
        instance = random_problem(random.sample(sorted(KINDS), random.randint(1, 3)), random)
        hidden = [x for x in range(len(instance.domains)) if random.random() < 0.5]
        if not follow(instance.problem, instance.domains, hidden):
            found.append(seed)
    return found


def test_variables_that_are_said_to_follow_from_others_do() -> None:
    assert wrong_seeds(range(300)) == []


@pytest.mark.slow
def test_variables_that_are_said_to_follow_from_others_do_in_many_problems() -> None:
    assert wrong_seeds(range(1000, 2500)) == []  # 20,000 were drawn when the test was written


GATES: dict[str, list[tuple[int, ...]]] = {
    "and": [(-3, 1), (-3, 2), (3, -1, -2)],
    "or": [(3, -1), (3, -2), (-3, 1, 2)],
    "exclusive or": [(1, 2, -3), (-1, -2, -3), (1, -2, 3), (-1, 2, 3)],
    "equal": [(3, -1), (-3, 1)],
    "wide and": [(-3, 1), (-3, 2), (-3, 4), (-3, 5), (3, -1, -2, -4, -5)],
}


@pytest.mark.parametrize("name", GATES)
def test_a_gate_of_clauses_defines_its_result_and_half_of_it_does_not(name: str) -> None:
    whole, half = (
        Problem("gate", Numbered("x", 5), BOOLEAN, (Clauses.of(rows),)) for rows in (GATES[name], GATES[name][:-1])
    )
    assert free(whole, whole.open, [2]) == ()
    assert free(half, half.open, [2]) == (2,)


def test_free_booleans_of_half_reified_constraints_are_not_counted(tmp_path: Path, harness: Harness) -> None:
    problem = one(HALF_REIFIED, tmp_path).problem
    assert [problem.variables[x] for x in problem.free] == ["X_INTRODUCED_0_", "X_INTRODUCED_1_"]
    assert load(dump(problem)).free == problem.free
    assert harness("count", tmp_path / "a.fzn").out == "a.fzn: native: 5 solutions, and no others\n"


def test_a_run_finds_as_many_solutions_as_the_source_has(tmp_path: Path, harness: Harness) -> None:
    one = HALF_REIFIED.replace("1..3: y", "1..1: y").replace("1..3: x", "1..1: x")
    for name, text in (("unique", one), ("several", HALF_REIFIED), ("best", REIFIED.replace("satisfy", "minimize x"))):
        (tmp_path / f"{name}.fzn").write_text(text)
    done = harness("run", tmp_path, "--count", "2", "-b", "native", "-b", "cpsat", "-o", tmp_path / "j.sqlite")
    assert "1 unique | 1 with several solutions" in done.out
    assert "best.fzn" not in done.err


def test_booleans_that_are_defined_are_counted_with_the_rest(tmp_path: Path) -> None:
    instance = one(REIFIED, tmp_path)
    assert instance.problem.free == ()
    assert len(solutions(instance.problem, instance.domains)) == 5


def test_options_and_sets_have_the_names_that_the_modeller_declared() -> None:
    output = OutputModel(OUTPUT, {})
    assert dict(labels_of(Document(stated=[*output.items()]))) == {
        "X_INTRODUCED_26_": "ss[2][4]",
        "X_INTRODUCED_27_": "ss[2][5]",
        "X_INTRODUCED_19_": "deopt(z[1])",
        "X_INTRODUCED_20_": "occurs(z[2])",
        "X_INTRODUCED_21_": "deopt(z[2])",
        "X_INTRODUCED_16_": "occurs(ob)",
        "X_INTRODUCED_17_": "deopt(ob)",
        "y": "y",
    }
    assert output.untied() == {"X_INTRODUCED_17_"}


def test_indices_of_arrays_may_be_parameters_of_the_model() -> None:
    output = OutputModel("int: m = 1;\nint: n = 2;\narray [0..n-1,1..m] of int: s;\n", {"s": ("a", "b")})
    assert [item.name for item in output.items() if item.name.startswith("s")] == ["s[0,1]", "s[1,1]"]


@pytest.mark.skipif(not shutil.which("minizinc"), reason="MiniZinc is not installed")
@pytest.mark.parametrize("text", MODELS)
def test_models_are_counted_as_their_modeller_counts(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.mzn"
    path.write_text(text)
    (instance,) = read(path, ReaderOptions())
    every = solutions(instance.problem, instance.domains)
    assert len({tuple(solution[x] for x in instance.problem.shown) for solution in every}) == MODELS[text]
