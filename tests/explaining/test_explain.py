"""Explanations: every subset is minimal by brute force, and what others call minimal is checked."""

import json
import sys
from io import BytesIO
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

import harness as harness_interface
from harness.explaining.checking import CORRECT, NOT_MINIMAL, UNCHECKED, WRONG, checked_mcs, checked_mus
from harness.explaining.extractors import from_all, oracle_of
from harness.explaining.members import Divided, divided
from harness.explaining.oracles import ByClauses, ByCores, Judges
from harness.explaining.sources import divided_file, numbers_of, parts_of, statements
from harness.explaining.subsets import Decided, Subset, by_deletion, by_quickxplain, explored
from harness.judging.exhaustive import right_assignments
from harness.model.errors import BadUsage
from harness.model.reading import read_puzzle
from harness.model.settings import RunSettings
from puzzles.formats import ReaderOptions, parse_text
from puzzles.readers.cnf import read_cnf
from puzzles.readers.source import from_text
from tests.conftest import Harness
from tests.effort import slow_but

JUDGES = ["pysat:cadical195", "native", "native:lazy"]
FILES = {
    "a.cnf": ("p cnf 4 8\n1 2 0\n-1 2 0\nc no\n1 -2 0\n-1 -2 0 3 0\n3 4 0\n1 2 3 0\n-3 0\n", 8, [6, 9]),
    "a.opb": (
        "* #variable= 3 #constraint= 4\n* a ; b\nmin: +1 x1 ;\n+1 x1 +1 x2 >= 2 ;\n+2 x1\n +1 x3 <= 1 ; +1 x3 >= 0 ;\n",
        3,
        [4, 5],
    ),
    "a.fzn": (
        "var 0..5: x;\nvar 0..5: y;\nconstraint int_lin_le([1,1],[x,y],2);\nconstraint int_eq(x,y);\n"
        "constraint int_le(2,x);\nsolve minimize x;\n",
        3,
        [3, 4, 5],
    ),
    "a.xml": (
        '<instance format="XCSP3" type="CSP">\n<variables><array id="x" size="[4]"> 0..2 </array></variables>\n'
        "<constraints>\n<intension> eq(x[0],x[1]) </intension>\n<allDifferent> x[] </allDifferent>\n"
        "</constraints>\n</instance>\n",
        2,
        [5],
    ),
    "a.mzn": (
        '% constraint no;\nvar 0..5: x; var 0..5: y;\n/* constraint; */ constraint x + y > 8 :: "big;";\n'
        "constraint forall(i in 1..3)( % ; no\n  x <= y + i);\nconstraint x >= 0 /\\ y < 4;\nsolve minimize x;\n",
        6,
        [3, 6],
    ),
}


class Truth:
    """SubsetOracle by brute force on the members of an instance, with the question as its core."""

    has_cores = False

    def __init__(self, known: Divided) -> None:
        self.known = known

    def ask(self, kept: Subset) -> Decided:
        part = self.known.make(kept)
        right = right_assignments(part.problem, part.domains, 1 << 20)
        assert right is not None
        return Decided(len(right) > 0, kept)


def minimal_ones(truth: Truth, members: int) -> set[Subset]:
    """Return all minimal unsatisfiable subsets, by brute force."""
    bad = [frozenset(s) for n in range(members + 1) for s in combinations(range(members), n)]
    bad = [s for s in bad if not truth.ask(s).satisfiable]
    return {s for s in bad if not any(other < s for other in bad)}


def unsatisfiable(random: Random, clauses: int) -> Divided:
    """Return a random formula of three variables without a model."""
    while True:
        rows = [" ".join(str(random.choice([-x, x])) for x in random.sample((1, 2, 3), 2)) for _ in range(clauses)]
        text = "\n".join([f"p cnf 3 {clauses}", *(row + " 0" for row in rows), ""])
        known = divided(read_cnf(BytesIO(text.encode()), from_text("", "a.cnf")))
        if not Truth(known).ask(known.all).satisfiable:
            return known


@pytest.mark.parametrize("seed", range(3))
def test_subsets_and_corrections_are_those_of_brute_force(seed: int) -> None:
    known = unsatisfiable(Random(seed), 9)
    truth = Truth(known)
    every = minimal_ones(truth, 9)
    oracle = ByClauses("glucose4", known, 10.0)
    found = list(explored(oracle, 9))
    assert {s for kind, s in found if kind == "mus"} == every
    hitting = [frozenset(s) for n in range(10) for s in combinations(range(9), n) if all(set(s) & m for m in every)]
    assert {s for kind, s in found if kind == "mcs"} == {s for s in hitting if not any(o < s for o in hitting)}
    assert by_deletion(oracle, known.all) in every
    assert by_quickxplain(truth, known.all) in every
    oracle.close()


def test_what_is_not_minimal_or_has_a_solution_is_told_with_its_member() -> None:
    known = unsatisfiable(Random(5), 9)
    every = minimal_ones(Truth(known), 9)
    small = min(every, key=sorted)
    with Judges(JUDGES, known, RunSettings(60.0)) as judges:
        assert checked_mus(small, known.all, judges.opened).verdict == CORRECT
        larger = small | {min(known.all - small)}
        found = checked_mus(larger, known.all, judges.opened)
        assert found.verdict == NOT_MINIMAL
        assert found.member is not None
        assert not Truth(known).ask(larger - {found.member}).satisfiable
        assert checked_mus(small - {min(small)}, known.all, judges.opened).verdict == WRONG
        assert checked_mus({99}, known.all, judges.opened).verdict == WRONG
        assert checked_mcs(known.all, known.all, judges.opened).verdict == NOT_MINIMAL
        assert checked_mcs((), known.all, judges.opened).verdict == WRONG
        assert checked_mus(small, known.all, judges.opened[:1]).verdict == UNCHECKED


@pytest.mark.parametrize("name", slow_but(("a.cnf", "a.xml"), FILES))
def test_members_are_named_by_their_lines(name: str, tmp_path: Path, harness: Harness) -> None:
    text, members, lines = FILES[name]
    (tmp_path / name).write_text(text)
    done = harness("explain", tmp_path / name, "--json", "-")
    assert done.code == 0, done.out + done.err
    (found,) = json.loads(done.out)["subsets"]
    assert (json.loads(done.out)["members"], found["verdict"]) == (members, "correct")
    assert [int(word.split()[1].rstrip(":")) for word in found["words"]] in (lines, [2, 3, 5, 6])


def test_seven_givens_that_contradict_are_shown_on_the_board(harness: Harness) -> None:
    done = harness("explain", "123......467..........5..." + "." * 54 + "8")
    assert done.code == 0, done.out + done.err
    head, *parts = [line.strip() for line in done.out.partition("  1 2 3")[0].splitlines()]
    assert head == "puzzle:1: pysat:glucose4: 9 of 35 parts contradict each other: correct"
    givens = ["A1 is 1", "A2 is 2", "A3 is 3", "B1 is 4", "B2 is 6", "B3 is 7", "C5 is 5"]
    assert sorted(parts) == sorted([*givens, "row C", "box A1-C3"])
    assert "A 1 2 3 | . . . | . . .\nB 4 6 7 |" in done.out
    assert "I . . . | . . . | . . .\n" in done.out  # without the given that is not needed


@pytest.mark.slow
def test_other_peoples_extractors_are_contenders(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.cnf").write_text(FILES["a.cnf"][0])
    lying = tmp_path / "lying.py"
    lying.write_text("print('c no'); print('v 1 2 3 4 5 0')")
    words = ["--program", f"long={sys.executable} {lying}", "--json", "-"]
    done = harness("explain", tmp_path / "a.cnf", "-b", "mus:musx,mus:optux,mus:long", *words)
    assert done.code == 1, done.out + done.err
    found = json.loads(done.out)["subsets"]
    assert [entry["verdict"] for entry in found] == ["correct", "correct", "not minimal"]
    assert found[2]["superfluous"] == 5


def test_an_instance_with_a_solution_is_bad_input(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.cnf").write_text("p cnf 1 1\n1 0\n")
    done = harness("explain", tmp_path / "a.cnf")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "a.cnf has a solution" in done.err


def test_domains_of_integers_are_no_parts_and_the_output_says_so(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.fzn").write_text(
        "var 0..9: x;\nvar 0..9: y;\nconstraint int_lin_le([1,-1],[x,y],-12);\nsolve satisfy;\n"
    )
    done = harness("explain", tmp_path / "a.fzn")
    assert "1 of 1 part contradict each other, in the domains of the variables, which are no parts: " in done.out


def test_statements_of_a_model_end_outside_brackets_texts_and_comments() -> None:
    text = FILES["a.mzn"][0]
    found = [text[a:b] for a, b in statements(text)]
    assert [part.split()[0] for part in found] == ["var", "var", "constraint", "constraint", "constraint", "solve"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (r"a /\ (b \/ c) /\ d", ["a ", r" (b \/ c) ", " d"]),
        (r"a -> b /\ c", None),
        (r"if a then b /\ c else d endif", None),
        (r"let { var bool: b } in b /\ c", None),
        ('x != "a /\\ b"', None),
        ("forall(i in S)(x[i] > 1)", None),
        ("forall([x[i] | i in 1..2])", None),
        (r"forall(i in 1..2)(x[i] > 1) \/ b", None),
        ("forall(i in 1..2000)(x[i] > 1)", None),
        ("forall(i in 2..n)(x[i] > 1)", ["forall(i in {2})(x[i] > 1)", "forall(i in {3})(x[i] > 1)"]),
        (
            r"forall(i,j in 1..2, k in N where i<j)(p /\ q(i))",
            [
                f"forall(i in {{{i}}}, j in {{{j}}}, k in {{3}} where i<j)({p})"
                for i in "12"
                for j in "12"
                for p in ("p ", " q(i)")
            ],
        ),
    ],
)
def test_a_constraint_of_minizinc_has_conjuncts_and_rounds_as_parts(text: str, parts: list[str] | None) -> None:
    known = numbers_of("int: n = 3;\nset of int: N = 3..n;\n")
    assert parts_of(text, known) == (parts or [text])


@pytest.mark.slow
def test_a_model_is_the_conjunction_of_its_parts(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.mzn").write_text(
        "int: n; array[1..n] of var 1..n: x;\n"
        "constraint forall(i in 1..n, j in 1..n where i < j)(x[i] < x[j] /\\ x[i] > 0);\n"
        "constraint x[2] = 3 \\/ x[2] = 4;\nsolve satisfy;\n"
    )
    (tmp_path / "a.dzn").write_text("n = 4;\n")
    done = harness("explain", tmp_path / "a.dzn", "--json", "-")
    assert done.code == 0, done.out + done.err
    (found,) = json.loads(done.out)["subsets"]
    parts = {
        "x[2] = 3 \\/ x[2] = 4",
        *(f"forall(i in {{{i}}}, j in {{{i + 1}}} where i < j)(x[i] < x[j] )" for i in (2, 3)),
    }
    assert {word.partition(": ")[2] for word in found["words"]} == parts


@pytest.mark.parametrize("name", ["cpsat", "exact"])
def test_a_solver_names_cores_of_constraints(name: str) -> None:
    pytest.importorskip("exact" if name == "exact" else "ortools")
    (found,) = parse_text(FILES["a.opb"][0], "a.opb")
    oracle = oracle_of(name, divided(found), RunSettings(60.0))
    assert isinstance(oracle, ByCores)
    assert len(oracle.ask(frozenset(range(3))).core) < 3
    assert from_all(oracle, divided(found)) in minimal_ones(Truth(divided(found)), 3)
    oracle.close()


XCSP3_WITH_NUMBERS = """<instance format="XCSP3" type="CSP"> <variables> <array id="x" size="[6]"> 0..5 </array>
</variables> <constraints> <allDifferent> x[] </allDifferent>
<element> <list> 3 x[1] 9 </list> <index> x[0] </index> <value> x[2] </value> </element>
<sum> <list> x[0] x[1] </list> <condition> (ge,9) </condition> </sum>
<minimum> <list> x[2] x[3] 8 </list> <condition> (ge,4) </condition> </minimum>
<intension> lt(x[4],x[5]) </intension> </constraints> </instance>
"""


@pytest.mark.parametrize("name", ["cpsat", "exact"])
def test_a_solver_names_cores_of_an_instance_with_numbers_among_its_operands(name: str, tmp_path: Path) -> None:
    pytest.importorskip("exact" if name == "exact" else "ortools")
    (tmp_path / "a.xml").write_text(XCSP3_WITH_NUMBERS)
    known = divided_file(read_puzzle(str(tmp_path / "a.xml"), ReaderOptions()), tmp_path / "a.xml")
    oracle = oracle_of(name, known, RunSettings(60.0))
    assert isinstance(oracle, ByCores)
    truth, members = Truth(known), len(known.words)
    for size in range(members + 1):
        for kept in map(frozenset, combinations(range(members), size)):
            assert oracle.decided(kept).satisfiable == truth.ask(kept).satisfiable, kept
    assert from_all(oracle, known) in minimal_ones(truth, members)
    oracle.close()


@pytest.mark.slow
def test_cp_sat_names_cores_of_a_model_that_is_compiled_once(tmp_path: Path) -> None:
    (tmp_path / "a.mzn").write_text(
        "array[1..4] of var 1..4: x;\nconstraint forall(i in 1..3)(x[i] < x[i+1]);\n"
        "constraint x[2] = 3 \\/ x[2] = 4;\nconstraint sum(x) <= 9;\nconstraint x[4] != 2;\nsolve satisfy;\n"
    )
    known = divided_file(read_puzzle(str(tmp_path / "a.mzn"), ReaderOptions()), tmp_path / "a.mzn")
    oracle = oracle_of("cpsat", known, RunSettings(60.0))
    assert isinstance(oracle, ByCores)
    core = oracle.ask(known.all).core
    assert len(core) < len(known.words)
    found = from_all(oracle, known)
    oracle.close()
    with Judges(["cpsat", "native"], known, RunSettings(60.0)) as judges:
        assert checked_mus(found, known.all, judges.opened).verdict == CORRECT


@pytest.mark.parametrize("name", ["cpmpy", "quickxplain", "smus", "exact"])
def test_the_tools_of_cpmpy_are_extractors(name: str, harness: Harness, tmp_path: Path) -> None:
    pytest.importorskip("cpmpy")
    pytest.importorskip("exact" if name == "exact" else "cpmpy")
    (tmp_path / "a.cnf").write_text(FILES["a.cnf"][0])
    done = harness("explain", tmp_path / "a.cnf", "-b", f"mus:{name}", "-t", "60")
    assert (done.code, "parts contradict each other: correct" in done.out) == (0, True), done.out + done.err


def test_a_checked_proof_stands_for_a_second_lineage() -> None:
    known = unsatisfiable(Random(5), 9)
    with Judges(["pysat:glucose4"], known, RunSettings(60.0, proof=True)) as judges:
        assert checked_mus(min(minimal_ones(Truth(known), 9), key=sorted), known.all, judges.opened).verdict == CORRECT


def test_constraints_of_a_model_of_cpmpy_are_named_as_it_prints_them() -> None:
    cpmpy = pytest.importorskip("cpmpy")
    x = cpmpy.intvar(0, 5, shape=3, name="x")
    rows = [x[0] + x[1] > 8, cpmpy.AllDifferent(x), x[0] < 3, x[2] != 1]
    (found,) = harness_interface.explain(cpmpy.Model(rows), timeout=60.0)
    assert found == (("(x[0]) + (x[1]) > 8", "x[0] < 3"), "correct", "")
    (fixed,) = harness_interface.explain(cpmpy.Model(rows), fix=True, timeout=60.0)
    assert fixed.verdict == "correct"
    assert len(fixed.parts) == 1
    with pytest.raises(BadUsage, match="has a solution"):
        harness_interface.explain([[1, 2], [-1]])
