"""Names of those who have shown the best solution known of an instance."""

from harness.judging.referee import Referee
from harness.storing.journal import Journal


def witness_of(journal: Journal, referee: Referee, puzzle: int, value: int) -> str:
    """Return who has shown a checked solution of this value: a contender, a prover, or else the corpus."""
    number = journal.witness(puzzle, value)
    if number is not None:
        return referee.contenders[number].name
    provers = (row.prover for row in journal.certifications(puzzle) if len(row.solutions))
    return next((f"{prover}, which was asked for a proof," for prover in provers), "the corpus")
