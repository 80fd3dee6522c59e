"""The Problem of a model: variables in classes first, then each constraint, then sizes.

Constraints that are not read are named all at once, so a message lists every one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from puzzles.defined import free
from puzzles.errors import ParseError
from puzzles.problem import Instance, Problem
from puzzles.problem.declared import NUMBERS, OPTION, SET, DeclaredItem
from puzzles.readers.building import Ranges
from puzzles.readers.flatzinc.arguments import Arguments
from puzzles.readers.flatzinc.builtins import BOOLEAN, BUILTINS
from puzzles.readers.flatzinc.conditions import CONDITIONS
from puzzles.readers.flatzinc.document import Declared, DeclaredName, Document, FlatCall, Value, expected
from puzzles.readers.flatzinc.global_constraints import GLOBALS, global_name
from puzzles.readers.flatzinc.model import EVERYTHING, INTRODUCED, FlatModel
from puzzles.readers.flatzinc.replacing import GoalSum
from puzzles.readers.flatzinc.sizes import FlatInstance, Note, finished
from puzzles.readers.refusal import Refusal

MAX_VARIABLES = 1 << 20
EQUALITIES = ("bool2int", "int_eq", "bool_eq")  # of two variables, which become one
FORMS = {"_reif": "iff", "_imp": "imp"}
TYPES = {"float": "float variables", "set of int": "set variables"}


def build(name: str, document: Document, keeps_objective: bool, note: Note) -> Instance[Problem]:
    """Return the instance. Raises ParseError with the line at fault, Refusal."""
    if document.goal is None:
        raise ParseError("no solve statement: is the file truncated?", 0)
    refuse_unknown(document)
    model = FlatModel()
    at = Arguments(document, model)
    shown = {output.name for output in document.outputs}
    declare(at, document, shown)
    entry = 0
    try:
        calls = list[FlatCall]()
        for call in document.calls:
            entry = call.entry
            if not united(at, call, shown):
                calls.append(call)
        for call in calls:
            entry = call.entry
            post(at, call)
        entry = document.goal.entry
        goal = objective(at, document) if keeps_objective else None
    except ParseError as e:
        raise e if e.line is not None else ParseError(str(e), document.line_of(entry)) from None
    name_outputs(at, document)
    present = present_values(at, document) if goal is None else set()
    found = finished(name, model, goal, note)
    instance = with_free(found.instance, shown_names(at, document) | present)
    declared = items_of(at, document, found)
    return replace(instance, problem=replace(instance.problem, declared=declared)) if declared else instance


def items_of(at: Arguments, document: Document, found: FlatInstance) -> tuple[DeclaredItem, ...]:
    """Return what the source declares, and the variables with a name that sums have replaced."""
    model, items = at.model, list[DeclaredItem]()
    gone = {x for x in found.gone if not model.names[x].startswith(INTRODUCED)}
    for name, kind, texts, operands in document.stated or arrays_with_numbers(at, document):
        if all(isinstance(part, int) or part in at.index for part in operands):
            indices = [at.index[part] if isinstance(part, str) else None for part in operands]
            gone -= {model.find(x) for x in indices if x is not None}
            parts = [(part,) if isinstance(part, int) else found.part_of(at.index[part]) for part in operands]
            items.append(DeclaredItem(name, kind, texts, tuple(parts)))
    return *items, *(DeclaredItem(model.names[x], NUMBERS, (), (found.part_of(x),)) for x in sorted(gone))


def refuse_unknown(document: Document) -> None:
    """Raise Refusal with the names of all constraints and types of variables that are not read."""
    types = {variable.type for variable in document.variables}
    names = dict.fromkeys(call.name for call in document.calls)
    unknown = [TYPES[kind] for kind in TYPES if kind in types]
    unknown += [name for name in names if form_of(name) is None]
    if unknown:
        raise Refusal(unknown)
    if len(document.variables) > MAX_VARIABLES:
        raise Refusal([f"more than {MAX_VARIABLES} variables"])


def form_of(name: str) -> tuple[str, str] | None:
    """Return the builtin or global constraint of a name, and '', iff or imp; None for an unknown name."""
    if name in BUILTINS or name in CONDITIONS or global_name(name):
        return name, ""
    for ending, operator in FORMS.items():
        if name.endswith(ending):
            base = name.removesuffix(ending)
            base = base if base in CONDITIONS else global_name(base)
            return (base, operator) if base in CONDITIONS else None
    return None


def declare(at: Arguments, document: Document, shown: set[str]) -> None:
    """Add the variables; a variable whose value is another variable is an alias of it. Raises ParseError."""
    for variable in document.variables:
        domain = domain_of(variable)
        at.index[variable.name] = at.model.new(variable.name, domain)
    for variable in document.variables:
        if variable.value is None:
            continue
        try:
            value = at.resolved(variable.value)
            if type(value) is str:
                unite(at, at.index[value], at.index[variable.name], shown)
            elif isinstance(value, int):
                at.model.restrict(at.operand(variable.name), ((int(value), int(value)),))
            else:
                raise expected("a variable or a number", value)
        except ParseError as e:
            raise e if e.line is not None else ParseError(str(e), document.line_of(variable.entry)) from None


def domain_of(variable: Declared) -> Ranges:
    """Return the numbers that a variable may take."""
    if variable.type == "bool":
        return BOOLEAN
    return EVERYTHING if variable.domain is None else variable.domain.ranges


def united(at: Arguments, call: FlatCall, shown: set[str]) -> bool:
    """Make the variables of an equality one; return False for any other constraint. Raises ParseError."""
    if call.name not in EQUALITIES or len(call.arguments) != 2:
        return False
    left, right = map(at.operand, call.arguments)
    if left[0] != "var" or right[0] != "var":
        return False
    unite(at, left[1], right[1], shown)
    return True


def unite(at: Arguments, x: int, y: int, shown: set[str]) -> None:
    """Make two variables one, with the name that is shown, else with one that the compiler did not introduce."""
    names = at.model.names
    at.model.unite(x, y, lambda x: (names[x] in shown) + (names[x] in shown or not names[x].startswith(INTRODUCED)))


def post(at: Arguments, call: FlatCall) -> None:
    """Add a constraint. Raises ParseError, Refusal."""
    name, args = call.name, call.arguments
    if name in BUILTINS:
        base = name if name in CONDITIONS else name.removesuffix("_reif")
        check_count(call, CONDITIONS[base][0] + (base != name) if base in CONDITIONS else len(args))
        BUILTINS[name](at, args)
    elif name in CONDITIONS:
        wanted, condition = CONDITIONS[name]
        check_count(call, wanted)
        at.model.require(condition(at, args))
    elif key := global_name(name):
        check_count(call, GLOBALS[key][0])
        GLOBALS[key][1](at, args)
    else:
        post_reified(at, call)


def post_reified(at: Arguments, call: FlatCall) -> None:
    """Add a builtin whose last argument states whether it holds, or implies that it holds."""
    form = form_of(call.name)
    assert form is not None
    base, operator = form
    wanted, condition = CONDITIONS[base]
    check_count(call, wanted + 1)
    result = at.operand(call.arguments[-1])
    if result == ("number", 1):
        post(at, FlatCall(base, call.arguments[:-1], call.entry))
        return
    tree = condition(at, call.arguments[:-1])
    if result[0] == "number":
        if operator == "iff":
            at.model.require(("not", tree))
        return
    at.model.require((operator, result, tree))


def check_count(call: FlatCall, wanted: int) -> None:
    """Raise ParseError unless a constraint has as many arguments as it needs."""
    if len(call.arguments) != wanted:
        raise ParseError(f"{call.name} with {len(call.arguments)} arguments: it needs {wanted}")


def objective(at: Arguments, document: Document) -> GoalSum | None:
    """Return the objective. Raises ParseError."""
    assert document.goal is not None
    method, value, _ = document.goal
    if method == "satisfy":
        return None
    operand = at.operand(value)
    terms, offset = ({}, operand[1]) if operand[0] == "number" else ({operand[1]: 1}, 0)
    return GoalSum(terms, offset, method == "maximize")


def name_outputs(at: Arguments, document: Document) -> None:
    """Name the variables of arrays to show by their indices there, x[1,2], if they are not shown themselves.

    Those of what the source declares come first.
    """
    model = at.model
    shown, taken = {output.name for output in document.outputs}, set(document.named)
    for name, label in labels_of(document):
        x = model.find(at.index[name]) if name in at.index else None
        if x is not None and model.names[x].startswith(INTRODUCED) and label not in at.index:
            model.names[x] = label
            shown.add(label)
    for output in document.outputs:
        items = document.named.get(output.name)
        if not isinstance(items, list):
            continue
        for indices, item in zip(indices_of(output.dimensions, items), items, strict=False):
            name = f"{output.label or output.name}[{','.join(map(str, indices))}]"
            x = model.find(at.index[item]) if type(item) is str and item in at.index else None
            if x is not None and model.names[x] not in shown and name not in taken:
                model.names[x] = name
                shown.add(name)


def arrays_with_numbers(at: Arguments, document: Document) -> Iterator[DeclaredName]:
    """Yield the elements of the arrays to show of which some are numbers, and so no variables."""
    for output in document.outputs:
        items = document.named.get(output.name)
        if isinstance(items, list) and any(type(item) is not str for item in items):
            for indices, item in zip(indices_of(output.dimensions, items), items, strict=False):
                value = at.resolved(item)
                part = int(value) if isinstance(value, int) else str(value)
                yield DeclaredName(f"{output.name}[{','.join(map(str, indices))}]", NUMBERS, (), (part,))


def labels_of(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the names of variables with those that the source has for them: x[1], deopt(z[2]), occurs(z[2]), s[4]."""
    for name, kind, texts, parts in document.stated:
        if kind == OPTION:
            labels = [*zip(parts[::-1], (f"deopt({name})", f"occurs({name})"), strict=True)][: len({*parts})]
        else:
            labels = [*zip(parts, [f"{name}[{text}]" for text in texts] if kind == SET else [name], strict=True)]
        yield from ((part, label) for part, label in labels if isinstance(part, str))


def shown_names(at: Arguments, document: Document) -> set[str]:
    """Return the names of the variables that are output, alone or in arrays."""
    named = ((output.name, document.named.get(output.name)) for output in document.outputs)
    items = [item for name, array in named for item in (array if isinstance(array, list) else [name])]
    found = (at.index[i] for i in items if isinstance(i, str) and i in at.index and i not in document.untied)
    return {at.model.names[at.model.find(x)] for x in found}


def present_values(at: Arguments, document: Document) -> set[str]:
    """Add a variable for each optional Boolean that may be absent, 1 where it is there and true; return their names.

    Its own variable has no meaning where it is absent, and so does not tell solutions apart.
    """
    added = set[str]()
    for name, kind, _, parts in document.stated:
        if kind == OPTION and parts[1] in document.untied and parts[1] in at.index:
            if parts[0] in at.index:
                occurs, value = (("var", at.model.find(at.index[str(part)])) for part in parts)
                label = f"{name} = true"
                at.model.require(("iff", ("var", at.model.new(label, BOOLEAN)), ("and", occurs, value)))
                added.add(label)
            elif parts[0]:
                document.untied.discard(str(parts[1]))
    return added


def with_free(instance: Instance[Problem], shown: set[str]) -> Instance[Problem]:
    """Return an instance that has the free ones of the variables that are not shown; none if nothing is output.

    Variables that MiniZinc introduces are never shown. With an objective no solutions are counted.
    """
    problem = instance.problem
    if problem.objective is not None:
        return instance
    names = enumerate(problem.variables)
    hidden = [x for x, name in names if name not in shown and (shown or name.startswith(INTRODUCED))]
    found = free(problem, instance.domains, hidden)
    return replace(instance, problem=replace(problem, free=found)) if found else instance


def indices_of(dimensions: Sequence[tuple[int, int]], items: Sequence[Value]) -> Sequence[tuple[int, ...]]:
    """Return the indices of the items of an array."""
    sizes = [max(0, last - first + 1) for first, last in dimensions]
    total = 1
    for size in sizes:
        total *= size
    if not dimensions or total != len(items):
        return list(zip(range(1, len(items) + 1), strict=True))
    return list(product(*(range(first, last + 1) for first, last in dimensions)))
