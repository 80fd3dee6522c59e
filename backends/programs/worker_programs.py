"""Commands of --program on their way to a worker: JSON in an environment variable of that process alone.

A worker gets the command of its own program, and takes it out of its environment, so that no solver inherits it.
"""

import json
from collections.abc import Mapping, MutableMapping

VARIABLE = "CROSSCHECK_PROGRAMS"


def programs_variable(name: str, programs: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variable for a worker with the program of a name, '' if the contender is no program."""
    return {VARIABLE: json.dumps({name: programs[name]} if name in programs else {})}


def take_programs(environment: MutableMapping[str, str]) -> Mapping[str, str]:
    """Remove the commands from the environment of a worker, and return them by name."""
    found: dict[str, str] = json.loads(environment.pop(VARIABLE, "{}"))
    return found
