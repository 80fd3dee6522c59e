"""Planted faults that the conformance suite detects: all of them, two by one board alone."""

import json
import subprocess
import sys

import pytest

SCRIPT = """
import json, resource
resource.setrlimit(resource.RLIMIT_DATA, (1 << 29, 1 << 29))
from backends.contract import registry
from backends.contract.conformance import check
print(json.dumps({name: check(registry.find("planted:" + name)) for name in NAMES}))
"""
# Each fault, with the case that detects it if there is only one.
SEEN = {
    **dict.fromkeys(
        ("clauses", "decoding", "early", "hoard", "lanes", "marks", "one_value", "second", "unfinished", "unit")
    ),
    "hidden": "short unit, restricted",
    "rare": "4x4 chained candidates",
}


def conformance(
    names: list[str], environment: dict[str, str], timeout: float = 250
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SCRIPT.replace("NAMES", repr(names))]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout)


@pytest.mark.slow
def test_suite_reports_every_planted_fault_that_lets_it_finish(environment: dict[str, str]) -> None:
    done = conformance(list(SEEN), environment)
    failures = json.loads(done.stdout)
    for name, only in SEEN.items():
        assert failures[name], name
        if only is not None:
            assert {line.partition(":")[0] for line in failures[name]} == {only}
    assert all("raises ZeroDivisionError" in line for line in failures["one_value"])
    assert all("raises MemoryError" in line for line in failures["hoard"])


def test_crashing_backend_ends_the_suite(environment: dict[str, str]) -> None:
    assert conformance(["empty_unit"], environment).returncode < 0


def test_hanging_backend_runs_until_the_callers_timeout(environment: dict[str, str]) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        conformance(["hang"], environment, timeout=3)
