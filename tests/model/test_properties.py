"""Property of contender patterns: any text is resolved or bad usage."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.model.contender import resolve
from harness.model.errors import BadUsage
from tests.effort import examples

parts = st.sampled_from(["native", "pysat", "cpsat", "minisat22", "extended", "*", "ladder", "warm", "x", "[", "é", ""])


@given(st.lists(st.tuples(parts, st.sampled_from([":", "/", "+", "@", ""])), min_size=1, max_size=5), st.integers(1, 2))
@settings(max_examples=examples(200))
def test_any_pattern_gives_contenders_with_resolvable_names_or_bad_usage(
    words: list[tuple[str, str]], count: int
) -> None:
    text = "".join(a + b for a, b in words)
    try:
        found, _ = resolve([text], count)
    except BadUsage as e:
        refused = str(e)
    else:
        refused = ""
        for one in Random(1).sample(found, min(len(found), 3)):
            assert resolve([one.name], count)[0] == (one,)
    assert "\n" not in refused
