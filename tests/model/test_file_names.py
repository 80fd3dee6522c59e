"""Names told apart: no two are equal, and those that are the only ones of their kind stay as they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.file_names import distinct


@pytest.mark.parametrize("form", ["{} ({})", "{}-{}"])
@given(names=st.lists(st.sampled_from(["a", "b", "a-2", "a (2)", "a-2-2"]), max_size=8))
def test_no_two_names_are_equal_and_first_ones_stay(form: str, names: list[str]) -> None:
    found = list(distinct(names, form))
    assert len(set(found)) == len(names)
    assert names[:1] == found[:1]
    if len(set(names)) == len(names):
        assert found == names


def test_later_ones_are_numbered() -> None:
    assert list(distinct(["a", "b", "a", "a"])) == ["a", "b", "a (2)", "a (3)"]
    assert list(distinct(["a", "a", "a-2"], "{}-{}")) == ["a", "a-2", "a-2-2"]
