"""Every parameter of our accountants has a direction that is tested, or three certified values at which delta turns."""

from dataclasses import replace

import pytest

from auditor.checks.direction import CHECKS
from auditor.engine.directions import certify, decide, directions
from auditor.engine.registry import registry
from auditor.findings.card import WORDS
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Turn
from proofs_numeric.statements.derivation import Derivation
from proofs_numeric.statements.kinds import Monotonicity
from proofs_numeric.statements.tactics import Slope, Tactic, Within
from proofs_numeric.statements.verdict import Expectation, Verdict

TURNS = [(claim, turn) for claim in registry().claims.values() for turn in claim.turns]
ARGUED = [(claim, name) for claim in registry().claims.values() for name in claim.moves]
DECLARED = [
    (claim, name)
    for claim in registry().claims.values()
    for name in (*claim.rises, *claim.falls)
    if not isinstance(claim.moves.get(name), Derivation)
]
LEAST_PROVED = 150
"""Directions that the kernel proves, at least."""
(CHECK,) = CHECKS
GRANTED = {premise: Verdict.DERIVED for claim in registry().claims.values() for premise in CHECK.after(claim)}


@pytest.fixture(scope="module")
def every():
    """Directions of all accountants: each argument is checked once."""
    return directions(registry(), registry().accountants, GRANTED)


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "turn"), TURNS, ids=lambda one: getattr(one, "id", getattr(one, "parameter", "")))
def test_a_declared_turn_is_one(claim, turn):
    """Falls and rises, or the other way round, by enclosures: more noise at the same threshold shows more new keys."""
    assert certify(claim, turn)


def test_what_moves_one_way_is_no_turn():
    """Delta falls with epsilon at each three values, of which none is told."""
    turn = Turn("epsilon", {"c_u": 10, "sigma": 4, "gap": 10, "mu_o": 0}, (1, 2, 3))
    claim = replace(registry().claim("wilkins2024.thm5.4"), turns=(turn,))
    assert certify(claim, turn) == ""


@pytest.mark.slow
def test_nothing_is_left_open(every):
    """No parameter of an accountant of ours is without a direction, and none of a library's is told."""
    assert every.keys() == {name for name, one in registry().accountants.items() if not one.library}
    assert sum(map(len, every.values())) > 90
    assert [(name, one.parameter) for name, each in every.items() for one in each if one.way == "open"] == []


def test_no_parameter_has_two_directions():
    """A turn refutes what would be declared of the same parameter."""
    assert [claim.id for claim, turn in TURNS if turn.parameter in {*claim.rises, *claim.falls}] == []


@pytest.mark.slow
def test_claims_about_a_direction_say_what_is_declared(every):
    """Those that should hold go the declared way, those that should be refuted stand at a turn; some are of each."""
    stands = set()
    for each in every.values():
        for one in each:
            for name in one.claims:
                claim = registry().claim(name)
                assert isinstance(claim.kind, Monotonicity)
                holds = claim.expected is Expectation.HOLDS
                assert one.way == (("rises" if claim.kind.increasing else "falls") if holds else "turns")
                stands.add(holds)
    assert stands == {True, False}


@pytest.mark.slow
def test_no_direction_is_searched_alone(every):
    """Each is decided: by a claim of its own, by the kernel, or derived; or it turns."""
    open_ones = [
        (name, one.parameter)
        for name, each in every.items()
        for one in each
        if one.way != "turns" and not one.decided and not one.claims
    ]
    assert open_ones == []


CONSTANT = {
    ("bharadwaj2022.fix.delta", "epsilon"),
    ("rogers2024.thm7.laplace.new_item_mass", "epsilon"),
    ("wilkins2024.lem5.1", "epsilon"),
}
"""Values that do not depend on their parameter: they neither rise nor fall."""


@pytest.mark.slow
def test_the_kernel_proves_no_direction_that_is_turned_round(every):
    """Each argument for the kernel is one for its own direction alone."""
    told = {
        (registry().accountants[of].against, one.parameter): one.decided for of, each in every.items() for one in each
    }
    proved = set()
    for claim, name in DECLARED:
        own = told.get((claim.id, name))  # of a claim that an accountant is held to
        if (own or WORDS.get(decide(registry(), claim, name, {}))) != WORDS[Verdict.PROVED]:
            continue
        proved.add((claim.id, name))
        turned = replace(claim, rises=claim.falls, falls=claim.rises)
        both_ways = Verdict.PROVED if (claim.id, name) in CONSTANT else None
        assert decide(registry(), turned, name, {}) is both_ways, (claim.id, name)
    assert len(proved) >= LEAST_PROVED
    assert {(claim.id, name) for claim, name in ARGUED if isinstance(claim.moves[name], Tactic)} <= proved


def test_a_direction_on_a_part_of_the_domain_is_none():
    """The bound rises with the losses, shown up to 1 of 10."""
    claim = registry().claim("wilkins2024.composition.filter")
    part = Box(tuple(replace(p, upper=1) if p.name == "loss" else p for p in claim.domain.parameters))
    confined = replace(claim, moves={"loss": Within(part, Slope())})
    assert decide(registry(), claim, "loss", {}) is Verdict.PROVED
    assert decide(registry(), confined, "loss", {}) is None


def test_an_argument_is_as_good_as_what_it_rests_on():
    """A direction is not derived from a claim that the run did not decide, or refuted; arguments are for directions."""
    claim = registry().claim("wilkins2024.thm7.1")
    assert decide(registry(), claim, "gap", GRANTED) is Verdict.DERIVED
    assert decide(registry(), claim, "gap", {}) is None
    assert decide(registry(), claim, "gap", dict.fromkeys(GRANTED, Verdict.REFUTED)) is None
    assert [(one.id, name) for one, name in ARGUED if name not in {*one.rises, *one.falls}] == []
