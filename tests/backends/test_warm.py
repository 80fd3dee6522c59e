"""Warm sessions answer as cold ones do, in any order, and are renewed."""

from collections.abc import Iterator
from random import Random

import pytest

from backends.contract import registry
from backends.contract.answer import ONLY_OPTIMISE, Ask, Unsupported, WarmBackend
from backends.contract.cases import NINE, NONE, TWO, UNIQUE, board
from backends.pysat import WarmCapable, warm
from encoders.cnf import extended
from encoders.registry import AT_MOST_ONE, spec
from puzzles.problem.values import Domains


def mixed(random: Random, count: int) -> Iterator[Domains]:
    """Yield boards with none, one and several solutions, in random order."""
    for _ in range(count):
        domains = list(board(NINE, random.choice((UNIQUE, TWO, NONE))))
        for _ in range(random.randrange(3)):
            s = random.randrange(81)
            domains[s] = random.choice((NINE.full, 1 << random.randrange(9), random.randrange(512)))
        yield tuple(domains)


def warm_capable(name: str) -> WarmCapable:
    backend = registry.find(f"pysat:{name}")
    assert isinstance(backend, WarmCapable)
    return backend


@pytest.mark.parametrize("solver", ["cadical195", "glucose4", "lingeling", "minisat22", "mergesat3"])
def test_warm_and_cold_agree(solver: str) -> None:
    formula = extended(NINE)
    backend = warm_capable(solver)
    fresh, session, seen = backend.open(formula), backend.open_warm(formula), set()
    for domains in mixed(Random(solver), 80):
        cold, same = fresh.ask(Ask(domains, 2)), session.ask(Ask(domains, 2))
        assert (same.status, same.complete, len(same.solutions)) == (cold.status, cold.complete, len(cold.solutions))
        assert len(cold.solutions) != 1 or same.solutions == cold.solutions
        seen.add(len(cold.solutions))
    assert seen == {0, 1, 2}
    session.close()


def test_warm_solver_is_renewed_after_max_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "MAX_ASKS", 5)
    session = warm_capable("minisat22").open_warm(extended(NINE))
    assert isinstance(session, warm.WarmSession)
    solvers = []
    for _ in range(11):
        session.ask(Ask(board(NINE, TWO), 3))
        solvers.append(session.handle)
    assert len({id(s) for s in solvers}) == 3
    assert session.asks == 1
    session.close()


def test_warm_session_recovers_from_a_timeout() -> None:
    session = warm_capable("glucose4").open_warm(extended(NINE))
    assert session.ask(Ask(board(NINE, UNIQUE), seconds=0.0)).solutions == ()
    assert session.ask(Ask(board(NINE, UNIQUE), 2)).complete
    session.close()


def test_counters_are_per_ask() -> None:
    session = warm_capable("minisat22").open_warm(extended(NINE))
    for _ in range(20):
        counters = session.ask(Ask(board(NINE, UNIQUE))).counters
        assert 0 <= counters["conflicts"] < 100
    session.close()


def test_kissat_cannot_be_warm() -> None:
    assert not isinstance(registry.find("pysat:kissat404"), WarmBackend)
    assert "warm" not in registry.find("pysat:kissat404").can


@pytest.mark.slow
def test_sampled_solvers_and_encodings_find_the_solutions() -> None:
    random = Random(8)
    variants = registry.variants("pysat")
    assert not isinstance(variants, registry.Missing)
    solvers = [variant for variant in variants if ONLY_OPTIMISE not in variant.can]
    for _ in range(25):
        backend = random.choice(solvers)
        name = f"{random.choice(('minimal', 'efficient', 'extended', 'reduced'))}+{random.choice(list(AT_MOST_ONE))}"
        for text, total in ((UNIQUE, 1), (TWO, 2), (NONE, 0)):
            formula = spec(name).formula(NINE, board(NINE, text))
            if name.endswith("cardinality") and "at_most" not in backend.can:
                with pytest.raises(Unsupported, match="cardinality"):
                    backend.open(formula)
                continue
            answer = backend.open(formula).ask(Ask(board(NINE, text), 3))
            assert (len(answer.solutions), answer.complete) == (total, True), (backend.name, name, text)
