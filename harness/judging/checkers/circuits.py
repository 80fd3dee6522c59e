"""Circuits that come with a number of models: d-DNNF as D4, Ganak and c2d write it, and the operations of CPOG.

    literal   of a variable 1..variables, or of a gate: numbers beyond `variables`; -g is the negation of gate g
    gate      a conjunction or a disjunction of literals, stated after those that it names
    mask      a set of variables, as the bits of an integer

A circuit gives the number only if it is *decomposable* (inputs of a conjunction share no variable), *deterministic* (no
two inputs of a disjunction hold together) and equivalent to the clauses. The first is seen in the masks. The rest are
two formulas without a model: the circuit with a false clause or two inputs that hold, and the clauses with a false
circuit. Each is refuted by native:cdcl, whose proof is checked as any. Hints and added clauses of CPOG are not needed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import numpy as np

from backends.native.cdcl.models import CdclModels
from backends.native.cdcl.rules import ClausesAndRules
from harness.judging.checkers.backward import REFUTED, check
from harness.judging.checkers.clause_list import clause_list
from harness.judging.checkers.proof_text import BadProof, parse_proof
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED

D4_START = re.compile(rb"\s*(?:c[^\n]*\n\s*)*[oatf] [0-9]+ 0\s")
C2D_START = re.compile(rb"\s*(?:c[^\n]*\n\s*)*nnf [0-9]+ [0-9]+ [0-9]+\s")
CPOG_START = re.compile(rb"\s*(?:c[^\n]*\n\s*)*(?:[0-9]+ [aps] |r -?[0-9]+\s)")
SECONDS = 1e6  # the checking process has a limit of its own
KINDS = {"a": True, "t": True, "o": False, "f": False}  # of D4's nodes: True for conjunctions


@dataclass(frozen=True)
class CountClaim:
    """Clauses over variables 1..variables, weights by literal, and the number of models that an answer states."""

    clauses: Sequence[Sequence[int]]
    variables: int
    weights: Mapping[int, Fraction]
    number: Fraction


@dataclass
class GateCircuit:
    """Gates over variables 1..variables: of each, True for a conjunction, and its inputs; `root` is a literal."""

    variables: int
    conjunction: list[bool] = field(default_factory=list)
    inputs: list[list[int]] = field(default_factory=list)
    root: int = 0

    def add(self, conjunction: bool, inputs: list[int]) -> int:
        """Add a gate and return its number. Raises BadProof if it names what is not there."""
        if any(not 0 < abs(p) <= self.variables + len(self.inputs) for p in inputs):
            raise BadProof(f"a gate of the circuit has the input {max(inputs, key=abs)}, which is not there")
        self.conjunction.append(conjunction)
        self.inputs.append(inputs)
        return self.variables + len(self.inputs)


def is_circuit(start: bytes) -> bool:
    """Return True if a file with this beginning is a circuit."""
    return any(form.match(start) for form in (D4_START, C2D_START, CPOG_START))


def read_circuit(text: bytes, variables: int) -> GateCircuit:
    """Return the circuit of a file. Raises BadProof."""
    lines = [line.split() for line in text.decode(errors="replace").splitlines()]
    lines = [words for words in lines if words and words[0] != "c"]
    try:
        if D4_START.match(text):
            return read_d4(lines, variables)
        return read_c2d(lines, variables) if C2D_START.match(text) else read_cpog(lines, variables)
    except (ValueError, IndexError, KeyError) as e:
        if isinstance(e, BadProof):
            raise
        raise BadProof(f"the circuit is not read: {type(e).__name__} {e}") from None


def read_d4(lines: Sequence[Sequence[str]], variables: int) -> GateCircuit:
    """Read nodes `KIND NUMBER 0` and arcs `FROM TO LITERALS 0`; node 1 is the root, or the one that no arc leads to."""
    kind, arcs = dict[int, bool](), dict[int, list[tuple[int, list[int]]]]()
    for words in lines:
        if words[0] in KINDS:
            kind[int(words[1])] = KINDS[words[0]]
        else:
            node, below, *literals, end = map(int, words)
            if end or below not in kind or node not in kind:
                raise BadProof(f"an arc of the circuit is not read: {' '.join(words)[:60]}")
            arcs.setdefault(node, []).append((below, literals))
    circuit, gates = GateCircuit(variables), dict[int, int]()
    led_to = {below for some in arcs.values() for below, _ in some}
    root = 1 if 1 in kind and 1 not in led_to else next((node for node in kind if node not in led_to), 0)
    for node in postorder(root, {node: [below for below, _ in some] for node, some in arcs.items()}):
        inputs = [circuit.add(True, [gates[below], *ps]) if ps else gates[below] for below, ps in arcs.get(node, [])]
        gates[node] = circuit.add(kind[node], inputs)
    circuit.root = gates[root]
    return circuit


def postorder(root: int, below: Mapping[int, Sequence[int]]) -> Iterator[int]:
    """Yield the nodes under a root, each after those below it. Raises BadProof for a cycle."""
    stack, open_, done = [root], set[int](), set[int]()
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
        elif node in open_:
            open_.remove(node)
            done.add(stack.pop())
            yield node
        else:
            open_.add(node)
            for other in below.get(node, ()):
                if other in open_:
                    raise BadProof("the circuit has a cycle")
                stack.append(other)


def read_c2d(lines: Sequence[Sequence[str]], variables: int) -> GateCircuit:
    """Read nodes `L LITERAL`, `A N NODES` and `O VARIABLE N NODES`, numbered from 0; the last is the root."""
    circuit, gates = GateCircuit(variables), list[int]()
    for kind, *words in lines[1:]:
        numbers = [*map(int, words)]
        if kind == "L":
            gates.append(circuit.add(True, numbers[:1]))
        else:
            below = [gates[i] for i in numbers[1 if kind == "A" else 2 :]]
            gates.append(circuit.add({"A": True, "O": False}[kind], below))
    circuit.root = gates[-1]
    return circuit


def read_cpog(lines: Sequence[Sequence[str]], variables: int) -> GateCircuit:
    """Read operations `ID p GATE LITERALS 0` and `ID s GATE LITERAL LITERAL HINTS 0`, and the root, `r LITERAL`."""
    root = [words[1] for words in lines if words[0] == "r"]
    circuit, gates = GateCircuit(variables), {x: x for x in range(1, variables + 1)}

    def literal(word: str) -> int:
        return gates[abs(int(word))] * (1 if int(word) > 0 else -1)

    for words in lines:
        if words[1:2] in (["p"], ["s"]):
            inputs = words[3 : words.index("0", 3)] if words[1] == "p" else words[3:5]
            gates[int(words[2])] = circuit.add(words[1] == "p", [*map(literal, inputs)])
    if len(root) != 1:
        raise BadProof("the circuit has no root" if not root else "the circuit has several roots")
    circuit.root = literal(root[0])
    return circuit


def masks_of(circuit: GateCircuit) -> list[int]:
    """Return the variables of each variable and gate, by number; those of nothing for 0."""
    masks = [0, *(1 << x for x in range(1, circuit.variables + 1))]
    for inputs in circuit.inputs:
        mask = 0
        for p in inputs:
            mask |= masks[abs(p)]
        masks.append(mask)
    return masks


def overlapping(circuit: GateCircuit, masks: Sequence[int]) -> int:
    """Return the number of a conjunction of which two inputs share a variable, 0 if there is none."""
    for i, inputs in enumerate(circuit.inputs):
        if circuit.conjunction[i]:
            seen = 0
            for p in inputs:
                if seen & masks[abs(p)]:
                    return circuit.variables + 1 + i
                seen |= masks[abs(p)]
    return 0


def definitions(circuit: GateCircuit) -> Iterator[list[int]]:
    """Yield clauses that say what each gate is."""
    for i, inputs in enumerate(circuit.inputs):
        gate = circuit.variables + 1 + i
        gate = gate if circuit.conjunction[i] else -gate
        sign = 1 if circuit.conjunction[i] else -1
        yield [gate, *(-sign * p for p in inputs)]
        yield from ([-gate, sign * p] for p in inputs)


def one_of(
    cases: Sequence[Sequence[int]], clauses: Sequence[Sequence[int]], variables: int
) -> tuple[list[Sequence[int]], int]:
    """Return clauses with a case of which all literals hold, and the number of their variables."""
    chosen = range(variables + 1, variables + 1 + len(cases))
    hold = ([-x, p] for x, case in zip(chosen, cases, strict=True) for p in case)
    return [*clauses, *hold, chosen], variables + len(cases)


def refutes(clauses: Sequence[Sequence[int]], variables: int) -> bool:
    """Return True if clauses have no model, which a checked proof shows."""
    flat = np.array([p for clause in clauses for p in (*clause, 0)], np.int32)
    solver = CdclModels(ClausesAndRules(flat, variables), [], SECONDS, True)
    if solver.solve() is not False:
        return False
    steps = parse_proof(solver.proof())
    result, _ = check(clause_list(flat, steps, variables))
    return bool(result == REFUTED)


def number_of(circuit: GateCircuit, masks: Sequence[int], weights: Mapping[int, Fraction]) -> Fraction:
    """Return the sum of the weights of the models of a circuit, over all variables."""
    one, sums = Fraction(1), dict[int, Fraction]()
    pair = {x: weights.get(x, one) + weights.get(-x, one) for x in range(1, circuit.variables + 1)}
    weighted = sum(1 << abs(x) for x in weights if x > 0)

    def free(mask: int) -> Fraction:
        """Return the sum of the weights of all values of some variables."""
        if mask not in sums:
            total = Fraction(1 << (mask & ~weighted).bit_count())
            for x in set_bits(mask & weighted):
                total *= pair[x]
            sums[mask] = total
        return sums[mask]

    def of(p: int) -> Fraction:
        """Return the number of a literal, over its own variables."""
        if abs(p) <= circuit.variables:
            return weights.get(p, one)
        return numbers[p] if p > 0 else free(masks[-p]) - numbers[-p]

    numbers = dict[int, Fraction]()
    for i, inputs in enumerate(circuit.inputs):
        gate = circuit.variables + 1 + i
        total = Fraction(circuit.conjunction[i])
        for p in inputs:
            total = total * of(p) if circuit.conjunction[i] else total + of(p) * free(masks[gate] & ~masks[abs(p)])
        numbers[gate] = total
    every = (1 << (circuit.variables + 1)) - 2
    return of(circuit.root) * free(every & ~masks[abs(circuit.root)])


def set_bits(mask: int) -> Iterator[int]:
    """Yield the positions of the bits of an integer."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def exclusive(inputs: Sequence[int], circuit: GateCircuit) -> Iterator[tuple[int, int]]:
    """Yield the pairs of inputs of a disjunction that no two contradictory literals keep apart."""
    own = [literals_of(p, circuit) for p in inputs]
    for (p, mine), (q, others) in combinations(zip(inputs, own, strict=True), 2):
        if mine.isdisjoint(-r for r in others):
            yield p, q


def literals_of(p: int, circuit: GateCircuit) -> set[int]:
    """Return literals that hold where p does: p and, of a conjunction, its inputs."""
    at = p - circuit.variables - 1
    return {p, *(circuit.inputs[at] if at >= 0 and circuit.conjunction[at] else ())}


def check_circuit(claim: CountClaim, text: bytes) -> tuple[int, str]:
    """Check a circuit against a claim; return CERTIFIED, REFUSED or UNCHECKED, and the reason."""
    try:
        circuit = read_circuit(text, claim.variables)
    except BadProof as e:
        return UNCHECKED, f"format: {e}"
    masks = masks_of(circuit)
    if gate := overlapping(circuit, masks):
        return REFUSED, f"the circuit is not decomposable: inputs of its gate {gate - claim.variables} share a variable"
    defined, size = [*definitions(circuit)], len(masks) - 1
    disjunctions = (inputs for i, inputs in enumerate(circuit.inputs) if not circuit.conjunction[i])
    pairs = [pair for inputs in disjunctions for pair in exclusive(inputs, circuit)]
    if not refutes(*one_of(pairs, defined, size)):
        return REFUSED, "the circuit is not deterministic: two inputs of a disjunction hold together"
    false = [[-p for p in clause] for clause in claim.clauses]
    if not refutes(*one_of(false, [*defined, [circuit.root]], size)):
        return REFUSED, "the circuit has a model that the clauses have not"
    if not refutes([*defined, [-circuit.root], *claim.clauses], size):
        return REFUSED, "the clauses have a model that the circuit has not"
    number = number_of(circuit, masks, claim.weights)
    return (CERTIFIED, "") if number == claim.number else (REFUSED, f"the circuit gives {number}, not {claim.number}")
