"""XCSP3 files: each constraint has the models of its definition, by brute force.

Long because each form that the reader refuses stands here as XML beside the message.
"""

import bz2
import re
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from encoders.formula import Unsupported
from encoders.registry import spec
from puzzles.constraints.unsupported import unsupported_parts
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.plugins import processes
from puzzles.problem import Instance, Problem
from puzzles.problem.dumped import dump
from puzzles.problem.values import bits
from puzzles.readers import xcsp3
from puzzles.stored import load
from tests.xcsp3_forms import ALL, FORMS, VARIABLES, document

pytestmark = pytest.mark.skipif(find_spec("pycsp3") is None, reason="needs the extra xcsp3")


def one(path: Path, notes: list[str] | None = None) -> Instance[Problem]:
    (instance,) = read(path, ReaderOptions(notify=notes.append if notes is not None else str))
    return instance


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "a.xml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def models(instance: Instance[Problem]) -> set[tuple[int, ...]]:
    """Return the assignments, as numbers, that meet domains and constraints."""
    problem = instance.problem
    every = np.array(list(product(*(list(bits(mask)) for mask in instance.domains))), np.uint16)
    ok = np.all([constraint.satisfied(every, problem) for constraint in problem.constraints], axis=0)
    numbers = list(map(int, problem.values))
    return {tuple(numbers[v] for v in row) for row in every[ok].tolist()}


@pytest.mark.parametrize("kind", FORMS)
def test_a_constraint_has_the_models_of_its_definition(kind: str, tmp_path: Path) -> None:
    text, held = FORMS[kind]
    instance = one(written(tmp_path, document(text)))
    assert list(instance.problem.variables[:4]) == ["x[0]", "x[1]", "x[2]", "y[0][0]"]
    wanted = {(*x, *y[0], *y[1]) for x, y in ALL if held(x, y)}
    assert {model[:7] for model in models(instance)} == wanted
    assert load(dump(instance.problem)) == instance.problem


def test_variables_and_constants(tmp_path: Path) -> None:
    text = document(
        "<sum> <list> u x[] </list> <condition> (le,7) </condition> </sum>"
        "<element> <list> 7 x[] 9 </list> <index> u </index> <value> 9 </value> </element>",
        '<var id="u"> -5 0..2 40 </var> <array id="x" size="[2]" note="two"> 9 </array> <var id="v" as="u"/>',
    )
    instance = one(written(tmp_path, text))
    problem = instance.problem
    assert list(problem.variables) == ["u", "x[0]", "x[1]", "v", "7", "9"]
    values = list(map(int, problem.values))
    wide = [-5, 0, 1, 2, 40]
    assert [[values[v] for v in bits(mask)] for mask in instance.domains] == [wide, [9], [9], wide, [7], [9]]
    assert not problem.shared


def test_without_constraints_every_assignment_is_a_solution(tmp_path: Path) -> None:
    text = '<instance format="XCSP3"><variables> <var id="u"> 1 3 </var> </variables></instance>'
    instance = one(written(tmp_path, text))
    assert (instance.problem.constraints, instance.domains) == ((), (3,))


def test_clauses_of_boolean_variables_are_clauses(tmp_path: Path) -> None:
    clause = "<clause> x[0] not(x[1]) </clause>"
    boolean = one(written(tmp_path, document(clause, '<array id="x" size="[2]"> 0..1 </array>')))
    assert [c.kind for c in boolean.problem.constraints] == ["clauses"]
    wider = '<array id="x" size="[2]"> 0..1 </array> <var id="z"> -3 </var>'
    mixed = one(written(tmp_path, document(clause, wider)))
    assert [c.kind for c in mixed.problem.constraints] == ["linear"]
    assert models(boolean) == {model[:2] for model in models(mixed)} == {(0, 0), (1, 0), (1, 1)}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_content_and_declared_encoding_decide(encoding: str, tmp_path: Path) -> None:
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    text = f'<?xml version="1.0" encoding="{declared}"?>\n<!-- caf\xe9 -->\n' + document(
        "<allDifferent> x[] </allDifferent>"
    )
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode(encoding))
    assert len(one(path).problem.constraints) == 1


UNSUPPORTED = {
    "one": ("<stretch> x[] </stretch>", VARIABLES, "stretch"),
    "several": (
        "<stretch> x[] </stretch> <allDifferent> x[] </allDifferent> <group> <flow/> <args> 1 </args> </group>"
        "<stretch> x[] </stretch>",
        VARIABLES,
        "stretch, flow",
    ),
    "a variant": (
        "<minimum> <list> x[] </list> <index> x[0] </index> <condition> (eq,1) </condition> </minimum>",
        VARIABLES,
        "minimum with index",
    ),
    "a reified circuit": ('<circuit reifiedBy="y[1][1]"> x[] </circuit>', VARIABLES, "reified circuit constraints"),
    "a reified template": (
        '<group> <intension reifiedBy="%0"> eq(%1,0) </intension> <args> y[1][1] x[0] </args> </group>',
        VARIABLES,
        "intension with reifiedBy of a parameter",
    ),
    "smart tuples": (
        "<extension> <list> x[] </list> <supports> (1,{0,3},*)(0,1..3,ne(%0)) </supports> </extension>",
        VARIABLES,
        "smart tuples, or symbols in tuples",
    ),
    "symbols in tuples": (
        "<extension> <list> x[0..1] </list> <conflicts> (red,green) </conflicts> </extension>",
        VARIABLES,
        "smart tuples, or symbols in tuples",
    ),
    "a load that is no bound": (
        "<cumulative> <origins> x[] </origins> <lengths> 1 1 1 </lengths> <heights> 1 1 1 </heights>"
        " <condition> (ge,1) </condition> </cumulative>",
        VARIABLES,
        "cumulative with condition ge",
    ),
    "tasks that are expressions": (
        "<noOverlap> <origins> add(x[0],1) x[1] </origins> <lengths> 1 1 </lengths> </noOverlap>",
        VARIABLES,
        "noOverlap of expressions",
    ),
    "hybrid tables": (
        '<extension type="hybrid-1"> <list> x[0] </list> <supports> 1 </supports> </extension>',
        VARIABLES,
        "extension with type",
    ),
    "a mixed template": (
        "<group> <allDifferent> <list> x[0] %0 </list> </allDifferent> <args> x[1] </args> </group>",
        VARIABLES,
        "templates that mix parameters and others",
    ),
    "symbols": ("<allEqual> c </allEqual>", '<var id="c" type="symbolic"> red green </var>', "symbolic variables"),
    "long numbers": (
        f"<sum> <list> x[] </list> <coeffs> 1 1 {10**30} </coeffs> <condition> (eq,1) </condition> </sum>",
        VARIABLES,
        "numbers beyond 64 bits",
    ),
    "a long value": ("<allEqual> x </allEqual>", f'<var id="x"> 0 {1 << 63} </var>', "numbers beyond 64 bits"),
    "a huge domain": (
        "<allEqual> x </allEqual>",
        f'<var id="x"> 1..{10**40} </var>',
        "numbers beyond 64 bits",
    ),
    "a huge array": (
        "<allEqual> x[] </allEqual>",
        '<array id="x" size="[99999][99999]"> 1 </array>',
        "more than 262144 variables",
    ),
    "a huge range": (
        "<count> <list> x[] </list> <values> 0..99999999 </values> <condition> (eq,1) </condition> </count>",
        VARIABLES,
        "constraints of more than 1048576 parts",
    ),
}


@pytest.mark.parametrize("kind", UNSUPPORTED)
def test_what_is_not_read_makes_its_instance_unsupported_by_name(kind: str, tmp_path: Path) -> None:
    constraints, variables, names = UNSUPPORTED[kind]
    path = written(tmp_path, document(constraints, variables))
    notes: list[str] = []
    instance = one(path, notes)
    assert unsupported_parts(instance.problem) == names
    assert notes == [f"{path}: not supported: {names}"]
    with pytest.raises(Unsupported, match=re.escape(names)):
        spec("extended").formula(load(dump(instance.problem)))


def constraint(text: str) -> str:
    return document(f"<allDifferent> x[] </allDifferent>\n{text}")


LINE = 8  # of the second constraint in a document
BAD: dict[str, tuple[str, int, str]] = {
    "cut": (document("<allDifferent> x[] </allDifferent>")[:-30], 7, "not well-formed"),
    "not closed": (constraint("<sum> <list> x[] </sum>"), LINE, "not well-formed XML: mismatched tag"),
    "entities": (
        '<?xml version="1.0"?>\n<!DOCTYPE instance [ <!ENTITY a "ha"> ]>\n' + document("&a;"),
        2,
        "document type",
    ),
    "an unknown entity": (constraint("<intension> &a; </intension>"), LINE, "undefined entity"),
    "another root": ('<instance format="XCSP2">\n</instance>', 1, 'expected <instance format="XCSP3">'),
    "no variables": ('<instance format="XCSP3" type="CSP"><constraints/></instance>', 1, "one <variables>"),
    "no variable": ('<instance format="XCSP3" type="CSP">\n<variables/></instance>', 2, "declares none"),
    "constraints twice": (document("</constraints><constraints>"), 1, "<constraints> once at most"),
    "an unknown part": (document("", rest="<extra/>"), 8, "unknown element <extra>"),
    "an unknown constraint": (
        constraint("<alldifferent> x[] </alldifferent>"),
        LINE,
        "unknown constraint <alldifferent>",
    ),
    "an unknown argument": (constraint("<sum> <lists> x[] </lists> </sum>"), LINE, "unexpected <lists> in <sum>"),
    "an unknown variable": (constraint("<allDifferent> x[0] z </allDifferent>"), LINE, "unknown variable 'z'"),
    "an unknown variable in an expression": (constraint("<intension> eq(x[0],z) </intension>"), LINE, "variable 'z'"),
    "an unknown variable in a condition": (
        constraint("<sum> <list> x[] </list>\n<condition> (eq,z) </condition> </sum>"),
        LINE + 1,
        "unknown variable 'z'",
    ),
    "an index too large": (constraint("<allDifferent> x[0] x[3] </allDifferent>"), LINE, "'x[3]' is outside x"),
    "an index out of a row": (constraint("<intension> eq(y[0][3],1) </intension>"), LINE, "'y[0][3]' is outside y"),
    "an index too many": (constraint("<intension> eq(x[0][1],1) </intension>"), LINE, "'x[0][1]' needs 1 indices"),
    "an index missing": (constraint("<allEqual> y[0] </allEqual>"), LINE, "'y[0]' needs 2 indices"),
    "an unknown operator": (constraint("<intension> equal(x[0],1) </intension>"), LINE, "unknown operator 'equal'"),
    "operands missing": (constraint("<intension> eq(x[0]) </intension>"), LINE, "eq with 1 operands"),
    "text after an expression": (constraint("<intension> eq(x[0],1)x[2] </intension>"), LINE, "unexpected 'x[2]'"),
    "an expression cut": (
        constraint("<intension> eq(x[0],add(x[1],1) </intension>"),
        LINE,
        "not a complete expression",
    ),
    "deep nesting": (constraint(f"<intension> {'neg(' * 999}x[0]{')' * 999} </intension>"), LINE, "nested deeper than"),
    "a tuple not closed": (
        constraint("<extension> <list> x[0..1] </list>\n<supports> (1,1)(0,33 </supports> </extension>"),
        LINE + 1,
        "expected tuples such as (1,2)(3,*), not '(0,33'",
    ),
    "a tuple too long": (
        constraint("<extension> <list> x[0..1] </list> <supports> (1,1,1) </supports> </extension>"),
        LINE,
        "a tuple of 3 values for 2 variables",
    ),
    "tuples of two lengths": (
        constraint("<extension> <list> x[0..1] </list> <supports> (1,1)(1) </supports> </extension>"),
        LINE,
        "tuples of 1, 2 values",
    ),
    "a value that is no number": (
        constraint("<extension> <list> x[0] </list> <supports> 1 two </supports> </extension>"),
        LINE,
        "expected tuples",
    ),
    "underscores in numbers": (constraint("<intension> eq(x[0],1_0) </intension>"), LINE, "not an expression"),
    "a condition missing": (constraint("<sum> <list> x[] </list> </sum>"), LINE, "sum needs <condition>"),
    "a wrong condition": (
        constraint("<sum> <list> x[] </list> <condition> (lt,1 </condition> </sum>"),
        LINE,
        "condition",
    ),
    "coefficients missing": (
        constraint("<sum> <list> x[] </list> <coeffs> 1 2 </coeffs> <condition> (lt,1) </condition> </sum>"),
        LINE,
        "sum of 3 operands with 2 coefficients",
    ),
    "arguments missing": (
        constraint(
            "<group> <intension> eq(%0,%2) </intension> <args> x[0] x[1] x[2] </args>\n<args> 1 2 </args> </group>"
        ),
        LINE + 1,
        "2 arguments for a template that needs 3",
    ),
    "arguments too many": (
        constraint("<group> <intension> eq(%0,%1) </intension> <args> x[0] x[1] x[2] </args> </group>"),
        LINE,
        "3 arguments for a template that needs 2",
    ),
    "parameters outside a group": (constraint("<allDifferent> %0 %1 </allDifferent>"), LINE, "%"),
    "an empty list": (constraint("<allDifferent> <list> </list> </allDifferent>"), LINE, "<list> is empty"),
    "lists of two lengths": (
        constraint("<lex> <list> x[] </list> <list> y[0][] </list> <operator> lt </operator> </lex>"),
        LINE,
        "lists of 3, 2 items",
    ),
    "an mdd with two roots": (
        constraint("<mdd> <list> x[0..1] </list> <transitions> (r,0,a)(q,0,a)(a,0,t) </transitions> </mdd>"),
        LINE,
        "an mdd needs one state",
    ),
    "a domain the wrong way": (document("", '\n<var id="x"> 5..1 </var>'), 3, "'5..1' in a domain"),
    "a domain of letters": (document("", '\n<var id="x"> a b </var>'), 3, "'a' in a domain"),
    "an empty domain": (document("", '\n<var id="x"> </var>'), 3, "a domain without values"),
    "a name twice": (document("", '<var id="x"> 1 </var>\n<var id="x"> 1 </var>'), 3, "with id 'x'"),
    "a size of letters": (document("", '\n<array id="x" size="[n]"> 1 </array>'), 3, "size '[n]' of an array"),
    "as without origin": (document("", '\n<var id="x" as="u"/>'), 3, "as='u' names nothing"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_one_line_with_file_and_line(kind: str, tmp_path: Path) -> None:
    text, line, why = BAD[kind]
    path = written(tmp_path, text)
    with pytest.raises(BadInput) as raised:
        list(read(path))
    message = str(raised.value)
    assert re.match(rf"{re.escape(str(path))}:{line}(:\d+)?: ", message), message
    assert why in message
    assert "\n" not in message
    assert len(message) < 400


def test_without_pycsp3_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, document("<allDifferent> x[] </allDifferent>"))
    monkeypatch.setattr(xcsp3, "find_spec", lambda name: None)
    with pytest.raises(BadInput) as raised:
        list(read(path))
    assert str(raised.value) == (f"{path}: XCSP3 is read by pycsp3, which is not installed: pip install pycsp3")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import os; os.abort()", "its process died of SIGABRT"),
        ("exit(1)", "SystemExit: 1"),
        ("while True: pass", "it did not answer in time"),
        ("bytearray(1 << 40)", "MemoryError"),
    ],
)
def test_a_parser_that_fails_makes_its_instance_unsupported_and_the_next_is_read(
    code: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, document("<allDifferent> x[] </allDifferent>"))
    process = processes.pop(xcsp3.NAME, None)
    with monkeypatch.context() as patched:
        patched.setattr(xcsp3, "PARSE", "builtins:exec")
        patched.setattr(xcsp3, "SECONDS", 0.5 if code.startswith("while") else 100)
        patched.setattr(xcsp3, "xml_of", lambda root: code)
        assert why in unsupported_parts(one(path).problem)
    if process is not None:
        processes[xcsp3.NAME] = process
    assert unsupported_parts(one(path).problem) == ""


@pytest.mark.slow
def test_a_decompression_bomb_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "a.xml.bz2"
    path.write_bytes(bz2.compress(document("").encode() + b" " * (65 << 20)))
    with pytest.raises(BadInput, match="grows more than 100-fold when unpacked"):
        list(read(path))
