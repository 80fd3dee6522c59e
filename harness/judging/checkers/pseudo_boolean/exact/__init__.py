"""Check of a pseudo-Boolean proof with Python integers, of every version and every rule.

It shares nothing with the check in columns but the programme and the names of faults, so each tests the other.

    statements       the text as statements          rows, held   rules of cutting planes; rows held, propagation
    state            what a proof has built so far
    derivations, strengthening, orders, solutions, ending: a rule of the format is a function
"""

from functools import partial

from harness.judging.checkers.proof_text import ProofText
from harness.judging.checkers.pseudo_boolean.columns import BAD_STEP, OPEN, REFUTED, UNENDED
from harness.judging.checkers.pseudo_boolean.exact import derivations, ending, orders, solutions, strengthening
from harness.judging.checkers.pseudo_boolean.exact.state import Fault, Proof, goal_of, unread
from harness.judging.checkers.pseudo_boolean.exact.statements import ProofStatement, statements
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme
from harness.judging.checkers.pseudo_boolean.words import version_of

RULES = derivations.RULES | {
    "red": strengthening.red,
    "dom": strengthening.dom,
    "pbc": strengthening.pbc,
    "obju": strengthening.obju,
    **dict.fromkeys(("preserved_add", "preserved_rm"), strengthening.preserved),
    "epreserved": derivations.ignored,
    **dict.fromkeys(("def_order", "pre_order"), orders.def_order),
    "load_order": orders.load_order,
    "eord_def": orders.eord_def,
    "sol": solutions.sol,
    "ov": solutions.original,
    **dict.fromkeys(("soli", "o"), solutions.soli),
    "obji": solutions.obji,
    **dict.fromkeys(("solx", "v"), solutions.solx),
    **dict.fromkeys(("del", "d"), solutions.delete),
    "delc": partial(solutions.delete, core=True),
    "deld": partial(solutions.delete, core=False),
    "core": solutions.core,
    "strengthening_to_core": solutions.strict,
    **dict.fromkeys(("setlvl", "#"), solutions.set_level),
    **dict.fromkeys(("wiplvl", "w"), solutions.wipe_level),
    "output": ending.output,
    "conclusion": ending.conclusion,
    "end": ending.end,
}


def take(proof: Proof, statement: ProofStatement) -> None:
    """Take a statement."""
    if proof.stage and statement.words[0] not in ("conclusion", "end"):
        raise Fault(UNENDED)
    RULES.get(statement.words[0], unread)(proof, statement.words[1:])


def check(programme: SumProgramme, proof: ProofText) -> tuple[int, int]:
    """Check that a proof refutes a programme with its bound; return REFUTED or a fault, and its line.

    Raises BadProof.
    """
    version, text = version_of(proof), proof[:].decode("utf-8", "surrogateescape")
    state = Proof(programme, version, statements(text, version), take, labels=dict(programme.labels or {}))
    if programme.goal is not None:
        state.objective = goal_of(programme.goal, programme.offset)
    try:
        for row in programme.rows:
            state.held.add(row, core=True)
        state.hidden = len(programme.rows) if version == 1 else 0
        if state.hidden and state.held.broken:
            raise Fault(REFUTED)
        for statement in state.statements:
            state.begin(statement)
            take(state, statement)
    except Fault as e:
        return e.fault, state.at.line
    except IndexError:  # a rule lacks a word
        return BAD_STEP, state.at.line
    return UNENDED if version > 1 else OPEN, text.removesuffix("\n").count("\n") + 2
