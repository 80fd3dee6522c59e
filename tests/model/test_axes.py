"""Axes of encodings in names of contenders: parsed, printed without defaults, matched by globs, refused by name."""

import pytest

from encoders.linear import LINEAR, PINDAKAAS
from encoders.linear.pindakaas import missing
from encoders.registry import NoEncoding, spec
from harness.model.contender import resolve
from harness.model.errors import BadUsage
from harness.model.patterns import parse


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pysat:glucose4/order", "pysat:glucose4/order"),
        ("pysat:glucose4/order+table=mdd+linear=totalizer", "pysat:glucose4/order+linear=totalizer+table=mdd"),
        ("pysat:glucose4/log+linear=mixed+table=support+pairwise", "pysat:glucose4/log"),
        ("pysat:glucose4/direct+product+linear=swc", "pysat:glucose4/direct+product+linear=swc"),
        ("pysat:glucose4/minimal+linear=adder", "pysat:glucose4/minimal+linear=adder"),
        ("pysat:glucose4+table=conflict", "pysat:glucose4/extended+table=conflict"),
        ("pysat:glucose4/order+linear=mdd+warm", "pysat:glucose4/order+linear=mdd+warm"),
    ],
)
def test_a_canonical_name_leaves_out_the_defaults_of_the_axes(text: str, name: str) -> None:
    (contender,), _ = resolve([text])
    assert contender.name == name
    assert resolve([name])[0] == (contender,)
    assert spec(contender.encoded).name == contender.encoded


def test_the_choices_of_a_contender_reach_its_encoding() -> None:
    (contender,), _ = resolve(["pysat:glucose4/order+ladder+linear=totalizer+table=mdd"])
    chosen = spec(contender.encoded)
    assert (chosen.axes.variables, chosen.axes.at_most_one) == ("order", "ladder")
    assert (chosen.axes.linear, chosen.axes.table) == ("totalizer", "mdd")
    assert spec("minimal").axes.variables == "direct"


def test_a_glob_matches_axis_by_axis() -> None:
    found, _ = resolve(["pysat:glucose4/[dlo]*+linear=*+table=[cm]*"])
    assert len(found) == 3 * (len(LINEAR) + len(PINDAKAAS) * (missing() == "")) * 2
    assert {c.encoding for c in found} == {"direct", "order", "log"}
    assert len({c.name for c in found}) == len(found)
    found, notes = resolve(["pysat:glucose4/order+linear=[mt]*"])
    assert {c.linear for c in found} == {"mixed", "mdd", "totalizer"}
    assert notes == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "pysat:glucose4/order+linear=bdd",
            "unknown linear encoding 'bdd': known are mixed, totalizer, mdd, swc, adder",
        ),
        ("pysat:glucose4/order+table=bacchus", "unknown table encoding 'bacchus': known are support, conflict, mdd"),
        ("pysat:glucose4/order+order=mdd", "unknown axis 'order': known are linear, table"),
        ("pysat:glucose4/order+=mdd", "unknown axis '': known are linear, table"),
        ("pysat:glucose4/order+linear=mdd+linear=swc", "two linear encodings are named: mdd and swc"),
        ("pysat:glucose4/order+ladder+product", "two at-most-one encodings are named: ladder and product"),
        ("cpsat/alldifferent+linear=mdd", "alldifferent does not combine with a linear encoding"),
        ("cpsat/booleans+table=mdd", "booleans does not combine with a table encoding"),
        ("cpsat/order", "cpsat takes no order encoding"),
        ("pysat:glucose4/log+cardinality", "pysat:glucose4 takes no native cardinality constraints"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(text: str, why: str) -> None:
    with pytest.raises(BadUsage) as raised:
        resolve([text])
    assert why in str(raised.value)


def test_an_encoding_without_an_axis_is_refused_by_its_spec_too() -> None:
    with pytest.raises(NoEncoding, match="encoding 'text' takes no linear encoding"):
        spec("text+linear=mdd")
    with pytest.raises(NoEncoding, match="two table encodings are named"):
        spec("order+table=mdd+table=support")
    assert parse("a/b+linear=c+table=d+warm@e") == parse("a/b+table=d+warm+linear=c@e")
