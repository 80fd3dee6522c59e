"""Configurations are contenders: named, stored, matched, compared and refused."""

import pytest

from harness.model.contender import Contender, resolve
from harness.model.errors import BadUsage
from harness.model.lineage import family, lineage
from harness.model.patterns import is_glob, meant, parse
from tests.conftest import Harness


def names(*patterns: str) -> list[str]:
    return [c.name for c in resolve(patterns)[0]]


def test_options_are_part_of_the_name_in_one_order() -> None:
    assert names("cpsat[symmetry_level=0,num_workers=4]/booleans") == ["cpsat[num_workers=4,symmetry_level=0]/booleans"]
    assert names("pysat[seed=3]+ladder") == ["pysat:cadical195[seed=3]/extended+ladder"]
    assert resolve(["pysat:cadical195[elim=0]"])[0][0].backend == "pysat:cadical195[elim=0]"


def test_globs_match_backends_and_values() -> None:
    assert names("cpsat[linearization_level=*]") == [f"cpsat[linearization_level={n}]" for n in range(3)]
    assert "cpsat[search_branching=LP_SEARCH]" in names("cpsat[*]")
    found, notes = resolve(["pysat:cadical1*[elim=0]"])
    matched = ("cadical153", "cadical195", "cadical195-linear")
    assert {c.backend for c in found} == {f"pysat:{name}[elim=0]" for name in matched}
    assert "left out: pysat:cadical103 has no option 'elim': it has none" in notes


def test_a_list_as_a_value_makes_contenders() -> None:
    assert names("cpsat[cores=1|2|4]") == [f"cpsat[cores={n}]" for n in (1, 2, 4)]
    assert len(names("cpsat[cores=1|2,linearization_level=0|1]")) == 4
    assert names("cpsat[linearization_level=2|*]") == [f"cpsat[linearization_level={n}]" for n in (2, 0, 1)]
    with pytest.raises(BadUsage, match="option 'cores' can't be '': expected a whole number from 1 up to 1,024"):
        names("cpsat[cores=1|]")


@pytest.mark.parametrize(
    ("pattern", "glob"),
    [
        ("cpsat[num_workers=4]", False),
        ("cpsat[num_workers=4]/*", True),
        ("cpsat[symmetry_level=*]", True),
        ("pysat:glucose[34]", True),
        ("dimacs:kissat[--sat]/minimal+ladder@old", False),
    ],
)
def test_options_alone_make_no_glob(pattern: str, glob: bool) -> None:
    assert is_glob(pattern) is glob


def test_values_may_have_the_characters_that_separate_fields() -> None:
    wanted = parse("dimacs:mine[--conf=/a/b+c@d]/minimal+warm@old")
    assert (wanted.backend, wanted.options) == ("dimacs:mine", ("--conf=/a/b+c@d",))
    assert (wanted.encoding, wanted.warm, wanted.env) == ("minimal", True, "old")


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("cpsat[nosuch=1]", "cpsat has no option 'nosuch': known are "),
        ("cpsat[num_workers=many]", "cpsat: option 'num_workers' can't be 'many': expected a whole number from 1"),
        ("native[level=1]", "native has no option 'level': it has none"),
        ("cpsat[num_workers]", "options are written as [NAME=VALUE,...]"),
        ("pysat:*[nosuch=1]", "pysat:cadical195 has no option 'nosuch'"),
        ("tuned[level=3]", "tuned: option 'level' can't be '3': expected 1 or 2 or 7"),
        ("tuned[level=7,fast=true]", "tuned: level 7 is not fast"),
    ],
)
def test_what_a_backend_does_not_take_is_bad_usage(harness: Harness, pattern: str, why: str) -> None:
    done = harness("run", "hardest", "-n", 1, "-b", pattern)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert why in done.err


def test_a_capability_may_depend_on_options(harness: Harness) -> None:
    assert resolve(["tuned"], count=2)[0]
    with pytest.raises(BadUsage, match=r"tuned\[fast=false\] finds one solution only"):
        resolve(["tuned[fast=false]"], count=2)


def test_a_configuration_reaches_the_worker_and_the_journal_and_is_compared(harness: Harness) -> None:
    done = harness("run", "hardest", "-n", 2, "-b", "tuned[level=*]", "-b", "tuned", "-o", "j.sqlite", "--json", "-")
    decisions = {c["name"]: c["counters"]["decisions"] for c in done.summary["contenders"]}
    assert decisions == {"tuned[level=1]": 2, "tuned[level=2]": 4, "tuned[level=7]": 14, "tuned": 0}
    done = harness("compare", "j.sqlite", "--contenders", "tuned[level=2]", "tuned", "--json", "-")
    assert done.summary["comparisons"][0]["before"]["contender"] == "tuned[level=2]"


def test_a_name_means_the_contender_of_a_journal_with_the_same_options() -> None:
    found = [
        Contender("cpsat", "cpsat", "alldifferent", "pairwise", False, "", "1"),
        Contender("cpsat[a=1,b=2]", "cpsat[a=1,b=2]", "alldifferent", "pairwise", False, "", "1"),
        Contender("pysat:x[s=1]/extended", "pysat:x[s=1]", "extended", "pairwise", False, "", "1"),
    ]
    assert [c.name for c in meant("cpsat[b=2,a=1]", found)] == ["cpsat[a=1,b=2]"]
    assert [c.name for c in meant("cpsat/alldifferent", found)] == ["cpsat"]
    assert [c.name for c in meant("pysat[s=1]", found)] == ["pysat:x[s=1]/extended"]


def test_configurations_of_a_solver_are_no_independent_groups() -> None:
    assert family("pysat:cadical195[seed=3]") == family("dimacs:cadical[--sat]") == "cadical"
    one, other = (resolve([name])[0][0] for name in ("cpsat[symmetry_level=0]", "cpsat/booleans"))
    assert not lineage(one).independent(lineage(other))
    assert lineage(one).decoder == lineage(other).decoder == "cpsat"


def test_options_are_listed_with_their_values(harness: Harness) -> None:
    done = harness("list", "--options", "cpsat")
    assert ["linearization_level", "0", "or", "1", "or", "2"] in [line.split() for line in done.out.splitlines()]
    assert harness("list", "--options", "nosuch").code == 2
