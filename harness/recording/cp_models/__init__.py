"""Models of OR-Tools' CP-SAT as FlatZinc files: v0, v1, ... are their variables, X_INTRODUCED_1_, ... are ours.

Hints and search strategies are left out. What has no form here is refused by its name in the proto.
"""

from collections.abc import Sequence
from typing import Any

from harness.model.errors import BadUsage
from harness.recording.cp_models.constraints import add_constraint
from harness.recording.cp_models.statements import Affine, FlatZincModel, listed


def flatzinc_text(model: Any) -> tuple[str, dict[str, str]]:
    """Return a CpModel as a FlatZinc file, and names of its variables by their names in the file. Raises BadUsage."""
    proto = model.Proto()
    if not len(proto.variables):
        raise BadUsage("a CpModel of OR-Tools without variables")
    if proto.has_floating_point_objective():
        raise BadUsage("floating_point_objective of a CpModel is not taken")
    if len(proto.assumptions):
        raise BadUsage("assumptions of a CpModel are not taken")
    text = FlatZincModel(proto)
    for constraint in proto.constraints:
        add_constraint(text, constraint)
    goal = goal_of(text, proto.objective) if proto.has_objective() else "satisfy"
    lines = [*text.variables, *text.booleans.values(), *text.constraints, f"solve {goal}"]
    return "".join(f"{line};\n" for line in lines), names_of(proto.variables)


def names_of(variables: Sequence[Any]) -> dict[str, str]:
    """Return a name for each variable of the file; unnamed variables and equal names get the index too."""
    found, taken = dict[str, str](), set[str]()
    for i, variable in enumerate(variables):
        name = variable.name or f"v{i}"
        found[f"v{i}"] = name if name not in taken else f"{name} ({i})"
        taken.add(name)
    return found


def goal_of(text: FlatZincModel, objective: Any) -> str:
    """Return the goal with a variable that takes the objective's value, in the model's sign. Raises BadUsage."""
    scale, offset = objective.scaling_factor or 1, objective.offset
    if abs(scale) != 1 or offset != int(offset):
        raise BadUsage("an objective of a CpModel that is scaled, or not of integers, is not taken")
    terms, _ = text.terms(Affine(objective.vars, objective.coeffs))
    if len(objective.domain):
        text.within(terms, list(objective.domain), [])
    sign = int(scale)
    stated = {x: sign * a for x, a in terms.items()}
    low, high = text.span(stated)
    made = text.new(low + sign * int(offset), high + sign * int(offset))
    text.constraints.append(
        f"constraint int_lin_eq({listed([*stated.values(), -1])},{listed([*stated, made])},{-sign * int(offset)})"
        f" :: defines_var({made})"
    )
    return f"{'minimize' if sign > 0 else 'maximize'} {made}"
