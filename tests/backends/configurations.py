"""Checks of a backend's options: each value is taken by the solver and leaves its answers right, others are refused."""

import re

import pytest

from backends.contract import conformance, registry
from backends.contract.answer import Ask, Backend, ConfigurableBackend
from backends.contract.cases import CASES
from backends.contract.options import BadOption, Option, Value, shown
from encoders.registry import default

(TWO,) = (case for case in CASES if case.name == "4x4 two")


def faults_of_options(name: str, left_out: frozenset[str] = frozenset()) -> list[str]:
    """Return what is wrong with the answers under each value of each option that is not left out."""
    found = []
    for option in options_of(name):
        for value in values(option) if option.name not in left_out else ():
            configured = f"{name}[{option.name}={shown(value)}]"
            found += [f"{configured}: {fault}" for fault in faults(registry.find(configured))]
    return found


def options_of(name: str) -> tuple[Option, ...]:
    backend = registry.find(name)
    assert isinstance(backend, ConfigurableBackend)
    return backend.options


def values(option: Option) -> tuple[Value, ...]:
    """Return all listed values, or the bounds."""
    number = int if option.type == "int" else float
    return option.listed() or tuple(number(bound) for bound in (option.least, option.most) if bound is not None)


def faults(backend: Backend) -> list[str]:
    """Return the faults on a board of two solutions."""
    ask = Ask(TWO.domains, 3)
    session = backend.open(default(backend.accepts).formula(TWO.problem, TWO.domains))
    return list(conformance.answer_faults(session.ask(ask), TWO, ask, backend))


def assert_refused(name: str, bad: str) -> None:
    """Assert that an unknown option is refused with those that are known, and a bad value of one by its name."""
    with pytest.raises(BadOption, match=rf"^{name} has no option 'nosuch': known are \S+, .*$"):
        registry.find(f"{name}[nosuch=1]")
    option, _, value = bad.partition("=")
    with pytest.raises(BadOption, match=rf"^{name}: option '{re.escape(option)}' can't be '{value}': expected .*$"):
        registry.find(f"{name}[{bad}]")
