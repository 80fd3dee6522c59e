"""GBD's hashes, digests that renaming does not change, renamings that are found, and duplicates."""

import gzip
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from puzzles.constraints.linear import Linear
from puzzles.generating.problems import KINDS, OBJECTIVES, random_problem
from puzzles.identity.digests import ids_of
from puzzles.identity.duplicates import CONTENT, RENAMED, Duplicates
from puzzles.identity.gbd import NoHash, gbdhash
from puzzles.identity.refinement import refined, renamed_digest
from puzzles.identity.renaming import is_renaming, renaming
from puzzles.identity.structure import first_colours, graph_of
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers
from tests.puzzles.identity.renamings import renamed

EASY = "1 -2 0\n2 3 0\n"
VECTORS = [  # of gbdc 0.4.3
    ("cnf", f"p cnf 3 2\n{EASY}", "5c199826eee734c6484e691f3c129214"),
    ("cnf", "c x\np cnf 9 2\r\n1 -2 0 \r\nc y\r\n 2\t3 0\r\n", "5c199826eee734c6484e691f3c129214"),
    ("cnf", "p cnf 3 2\n1 -2 0\n2 3", "5c199826eee734c6484e691f3c129214"),
    ("cnf", "p cnf 3 2\n2 3 0 1 -2 0", "623c3e2cd0165d5acac273f747f9d921"),
    ("cnf", "p cnf 3 2\n-2 1 0 2 3 0", "897022f91be21548f50d8f817677ea90"),
    ("cnf", "p cnf 3 2\n3 2 0 -1 -3 0", "9eb4cf5e820e64512703f497aa6b9333"),
    ("cnf", "p cnf 3 2\n+1 -2 0 +2 03 0", "2100172cea38beddb88842c3bc667dad"),
    ("cnf", "p cnf 0 1\n0\n", "cfcd208495d565ef66e7dff9f98764da"),
    ("cnf", "p cnf 0 0\n", "d41d8cd98f00b204e9800998ecf8427e"),
    ("wcnf", "h 1 2 0\nh -1 3 0\n5 -2 0\n7 -3 0\n", "c862074cc47ef620235d7cd991183e2c"),
    ("wcnf", "p wcnf 3 4 13\n13 1 2 0\n13 -1 3 0\n5 -2 0\n7 -3 0\n", "dc8495153ffb5ddb9eac1cc7aa6d08fc"),
    ("opb", "* a comment\nmin: +3 x1 -2 x2 ;\n+1 x1 +1 x2 >= 1;\n", "ad0fe0dfdd92958fb6e070c26938e6aa"),
]


@pytest.mark.parametrize(("form", "text", "wanted"), VECTORS)
def test_hashes_are_those_of_gbd(form: str, text: str, wanted: str, tmp_path: Path) -> None:
    plain, packed = tmp_path / f"a.{form}", tmp_path / f"a.{form}.gz"
    plain.write_text(text, newline="")
    packed.write_bytes(gzip.compress(text.encode()))
    assert (gbdhash(plain, form), gbdhash(packed, form)) == (wanted, wanted)


@pytest.mark.parametrize(
    ("form", "text"), [("cnf", f"p cnf 3 2\n{EASY}%\n0\n"), ("opb", "max: 1 x1 ;\n"), ("opb", "soft: 3 ;\n")]
)
def test_what_gbd_refuses_has_no_hash(form: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(text)
    with pytest.raises(NoHash):
        gbdhash(tmp_path / "a", form)


def test_blocks_do_not_matter_to_a_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzles.identity.gbd.BLOCK_BYTES", 7)
    for i, (form, text, wanted) in enumerate(VECTORS):
        (tmp_path / str(i)).write_text(text)
        assert gbdhash(tmp_path / str(i), form) == wanted


CASES = [*((kind, "") for kind in sorted(KINDS)), *(("linear", goal) for goal in sorted(OBJECTIVES))]


@pytest.mark.parametrize(("kind", "goal"), CASES)
def test_the_digest_is_the_same_under_renaming(kind: str, goal: str) -> None:
    random = Random(kind + goal)
    for _ in range(20):
        instance = random_problem((kind,), random, goal)
        other = renamed(instance, random)
        assert renamed_digest(instance) == renamed_digest(other)
        at = renaming(instance, other)
        assert at is not None
        assert is_renaming(instance, other, at)


def test_pairs_that_brute_force_tells_apart_have_different_digests() -> None:
    random, told = Random(6), 0
    while told < 12:
        kind = random.choice(sorted(KINDS))
        one, other = (random_problem((kind,), Random(random.randrange(99))) for _ in range(2))
        count = len(one.domains)
        same = count == len(other.domains) and one.problem.values == other.problem.values
        if same and not any(is_renaming(one, other, list(at)) for at in permutations(range(count))):
            assert renamed_digest(one) != renamed_digest(other)
            told += 1


def test_compiled_and_plain_refinement_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzles.formats import read
    from puzzles.identity import refinement

    random = Random(3)
    clauses = "".join(f"{random.randint(1, 50)} -{random.randint(1, 50)} 0\n" for _ in range(90))
    (tmp_path / "a.cnf").write_text(f"p cnf 50 91\n0\n{clauses}")
    (instance,) = read(tmp_path / "a.cnf")
    monkeypatch.setattr(refinement, "LITERAL_BYTES", 1 << 22)
    for edges in (1, 2000):  # half a round, some rounds
        monkeypatch.setattr(refinement, "EDGES", edges)
        (part,) = instance.problem.constraints
        found = refinement.refined_clauses(part, first_colours(instance))
        assert found is not None
        assert [*found[0], *found[1]] == refined(graph_of(instance)).tolist()


def test_duplicates_of_a_corpus_are_named() -> None:
    random, duplicates = Random(1), Duplicates()
    kinds = sorted(KINDS)
    originals = [random_problem((kinds[i % len(kinds)], "linear"), random).stated(name=f"i{i}") for i in range(160)]
    for instance in originals:
        assert duplicates.take(instance) is None
    for instance in originals[:20]:
        assert duplicates.take(instance.stated(name="copy")) == ("copy", instance.name, CONTENT)
    for instance in originals[20:40]:
        assert duplicates.take(renamed(instance, random)) == ("renamed", instance.name, RENAMED)


def test_numbers_of_any_length_have_a_digest() -> None:
    domain, long = (1 << 60_000) - 1, 10**4000
    row = Linear.of([([long, 1], [0, 1], ">=", long)])
    problem = Problem("long", ("x", "y"), Integers(range(60_000)), (row,))
    one, other = Instance("a", problem, (domain, 1)), Instance("b", problem, (domain, 3))
    assert len({renamed_digest(one), renamed_digest(other), *ids_of(one), *ids_of(other)} - {"-"}) == 4
    assert renaming(one, one) == [0, 1]
