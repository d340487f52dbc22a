"""Mechanisms and faults of the catalogue as somebody's plain files: a claim brings its own neighbours."""

import math
import runpy
from fractions import Fraction

import pytest
from scipy import special

from auditor.accountant_audit import search
from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.request import AccountantRequest
from auditor.checks.check import Context
from auditor.checks.empirical import BLACK_BOX, Setting
from auditor.engine.registered import find_registered
from auditor.engine.registry import registry
from auditor.errors import UsageError
from auditor.mechanism_audit import stages
from auditor.mechanism_audit.audit import audit_mechanism
from auditor.mechanism_audit.promise import promise_of_claim
from auditor.mechanism_audit.request import MechanismRequest
from auditor.profile import profile
from mechanisms.mechanism import AccountantFault, Fault, Variant
from proofs_numeric.arithmetic import Float64, exact
from proofs_numeric.statements.verdict import Verdict

KNOWN = registry()
FILE = """from auditor.engine.registry import registry

spec = registry().mechanisms["{identifier}"]
mechanism = spec.build(**spec.parameters)
"""


def as_file(identifier, folder):
    """The audit of a file that holds the mechanism, against the claim by its id and parameters alone."""
    spec = KNOWN.mechanisms[identifier]
    claim = KNOWN.claim(spec.held_to)
    file = folder / "somebodys_mechanism.py"
    file.write_text(FILE.format(identifier=identifier), "utf-8")
    parameters = understood(claim, {"epsilon": "1", **spec.parameters})
    return MechanismRequest(target=in_file(file), claim=claim, parameters=parameters)


def in_file(file):
    """What a file calls `mechanism`: a fork of this process serves it, which imports nothing anew."""
    return runpy.run_path(str(file))["mechanism"]


def understood(claim, given):
    """What the claim and the placing of its neighbours read of the parameters."""
    own, placing = claim.privacy.reads(given)
    return {**{name: value for name, value in own.items() if name in claim.domain.names}, **placing}


@pytest.mark.slow
@pytest.mark.parametrize("identifier", sorted(KNOWN.mechanisms))
def test_a_file_is_audited_on_the_neighbours_of_the_registered_mechanism(identifier, tmp_path):
    """The same histograms under the same adjacency, whether the target is an id or a file with the claim's id."""
    spec = KNOWN.mechanisms[identifier]
    by_id = find_registered(identifier, {"epsilon": "1"}, KNOWN)
    by_file = as_file(identifier, tmp_path)
    promises = [request.promise() for request in (by_id, by_file)]
    assert promises[0].adjacency == promises[1].adjacency == spec.adjacency(spec.parameters)
    first, second = (
        [(pair.left, pair.right) for pair in request.pairs_to_try(promise)]
        for request, promise in zip((by_id, by_file), promises, strict=True)
    )
    assert first == second == [(pair.left, pair.right) for pair in spec.pairs(spec.parameters)]
    assert promises[0].levels == promises[1].levels
    for pair in promises[1].pairs:
        promises[1].adjacency.check(pair.left, pair.right)


@pytest.mark.slow
@pytest.mark.parametrize(
    "identifier", sorted(i for i, f in {**KNOWN.faults, **KNOWN.controls}.items() if isinstance(f, Variant))
)
def test_a_fault_or_control_is_a_target_by_its_id_alone(identifier):
    """At its own parameters and epsilon, those that its claim excludes among them; its own pair is looked at."""
    variant = {**KNOWN.faults, **KNOWN.controls}[identifier]
    request = find_registered(identifier, {}, KNOWN)
    promise = request.promise()
    assert [level.epsilon for level in promise.levels] == [float(exact(variant.epsilon))]
    pairs = [(pair.left, pair.right) for pair in request.pairs_to_try(promise)]
    assert (variant.pair.left, variant.pair.right) in pairs


@pytest.mark.usefixtures("verdict_alone")
@pytest.mark.slow
@pytest.mark.parametrize("identifier", sorted(KNOWN.mechanisms)[::3])
def test_a_right_mechanism_in_a_file_is_not_refuted(identifier, tmp_path):
    """Nor is it one that cannot be audited: what its keys are is told by the claim's neighbours.

    A third of them, of a few releases: the audit of the registered one draws many, on the same neighbours and level.
    """
    result = audit_mechanism(as_file(identifier, tmp_path).at(samples=200, detect="0.99", seed=11))
    assert result.verdict in {Verdict.CONSISTENT, Verdict.UNDECIDED}, result.detail
    assert result.result.samples == 200


# --- faults -----------------------------------------------------------------------------------------------------------

FAULTS = {i: fault for i, fault in KNOWN.faults.items() if isinstance(fault, Fault)}
OF_FORMULAS = {"numeric.pair_profile", "numeric.renyi"}
FAULT_FILE = """from auditor.engine.registry import registry

fault = registry().faults["{identifier}"]
mechanism = fault.build(**fault.parameters)
"""
RELEASES = 60_000
MORE_RELEASES = {"correlated_zero_counters_noised": 200_000}
"""Of a fault that a score over 64 numbers shows, which takes more of them to be learnt."""
TOLD_PARAMETERS = {"non_integer_tau": {"tau": 2}, "tau_zero": {"tau": 1}}
"""Where a fault's parameter is outside the claim's domain, which is the fault: what its users would say that it is."""
TOLD_KEYS = {
    "hadamard_matrix_too_small": ("k0", "k1", "k2", "k3"),
    "sample_and_threshold_no_budget_split": ("aaa", "aab"),
}
"""Keys that the users of a fault name, where the claim is one about any keys and the mechanism takes a few."""
ELSEWHERE = {
    "correlated_gaussian_zeros_exact": "worst",
    "correlated_misra_gries_space_saving": "all",
    "correlated_top_k_without_subtraction": "wide",
    "data_dependent_c_u": "wc3",
    "hadamard_matrix_too_small": "alone, last keys",
    "noise_scaled_by_count": "wc5.below",
    "sample_and_threshold_fixed_size": "lone",
    "sample_and_threshold_no_threshold": "lone",
    "sample_and_threshold_true_count_shown": "far",
    "sample_and_threshold_true_size": "lone",
    "sample_and_threshold_with_replacement": "lone",
    "unknown_domain_gumbel_half_noise": "c2",
    "unknown_domain_gumbel_noiseless_threshold": "c5",
    "unknown_domain_gumbel_scores_released": "c2",
    "unknown_domain_pay_bottom_free": "d3",
    "unknown_domain_top_next_count_ignored": "b4",
    "unknown_domain_top_noiseless_threshold": "b2",
    "unknown_domain_top_threshold_noise_per_item": "b2",
    "unknown_domain_top_true_counts_compared": "b2",
}
"""Which of the claim's neighbours show a fault, where they are not those that the fault names."""
BY_SEARCH = ("correlated_misra_gries_dead_slots", "unknown_domain_shared_noise")
"""Faults that none of the claim's neighbours show in so many releases: others are searched beside them."""
OTHER_NEIGHBOURS = ("correlated_misra_gries_two_elements", "unknown_domain_gumbel_replaced_user")
"""Right mechanisms offered to other users than the claim's: what refutes them are no neighbours under the claim."""
CONTEXT = Context(profile("quick"), 0, Fraction(1, 10**6), KNOWN)


def as_given(fault):
    """The fault's parameters and epsilon, as a user who believes the claim would give them."""
    return understood(
        KNOWN.claim(fault.violates), {"epsilon": fault.epsilon, **fault.parameters, **TOLD_PARAMETERS.get(fault.id, {})}
    )


def beyond_releases(fault):
    """Whether so many releases of the fault's pair cannot refute its claim at the claim's epsilon, whatever is bet on.

    There is no excess; or a rate below e^-epsilon is not told from one of none; or the excess from the claimed delta.
    """
    (level,) = promise_of_claim(KNOWN.claim(fault.violates), as_given(fault)).levels
    delta = float(fault.exact_delta(Float64(), fault.epsilon))
    if delta <= level.delta:
        return True
    told = special.rel_entr([delta, 1 - delta], [level.delta, 1 - level.delta]).sum()
    return RELEASES * min(math.exp(-level.epsilon), told) < math.log(1e6)


BY_FORMULAS = sorted(i for i, fault in FAULTS.items() if fault.caught_by in OF_FORMULAS and beyond_releases(fault))
"""Faults whose excess over the claim no releases show."""
BY_CLAIM = sorted({*FAULTS} - {*BY_SEARCH, *OTHER_NEIGHBOURS, *BY_FORMULAS})


def fault_as_file(identifier, folder):
    """The audit of what a file makes of a fault, against the claim that it violates by its id and parameters alone."""
    fault = FAULTS[identifier]
    claim = KNOWN.claim(fault.violates)
    file = folder / "somebodys_mechanism.py"
    file.write_text(FAULT_FILE.format(identifier=identifier), "utf-8")
    return MechanismRequest(
        target=in_file(file),
        claim=claim,
        parameters=as_given(fault),
        keys=TOLD_KEYS.get(identifier, ()),
        samples=MORE_RELEASES.get(identifier, RELEASES),
        detect="0.999",
        seed=3,
    )


def histograms(pair):
    """The two sides, as `--pair` takes them."""
    return {"left": dict(pair.left), "right": dict(pair.right)}


def own_pair(fault, brought):
    """Those of the pairs that its claim brings which are the fault's own."""
    return [pair for pair in brought if histograms(pair) == histograms(fault.pair)]


@pytest.mark.slow
@pytest.mark.parametrize("identifier", BY_CLAIM)
def test_a_file_is_held_to_the_level_of_the_registered_fault_on_the_neighbours_that_its_claim_brings(
    identifier, tmp_path
):
    """Its own pair among them unless others show it: what the audit of the catalogue refutes is what a file does."""
    fault, request = FAULTS[identifier], fault_as_file(identifier, tmp_path)
    promise, setting = request.promise(), Setting(fault, CONTEXT)
    assert bool(own_pair(fault, request.pairs_to_try(promise))) == (identifier not in ELSEWHERE)
    (level,), (epsilon,) = promise.levels, setting.epsilons
    assert (level.epsilon, level.delta) == (
        float(epsilon),
        pytest.approx(setting.delta(epsilon), rel=1e-12, abs=1e-300),
    )


AS_REGISTERED = [i for i in BY_CLAIM if i not in ELSEWHERE and FAULTS[i].caught_by == BLACK_BOX]
"""Faults whose audit as a file would bet on the same pair at the same level as the audit of the catalogue does."""


@pytest.mark.usefixtures("verdict_alone")
@pytest.mark.slow
@pytest.mark.parametrize("identifier", [*AS_REGISTERED[::10], *sorted({*BY_CLAIM} - {*AS_REGISTERED})])
def test_a_fault_in_a_file_is_refuted_on_neighbours_that_its_claim_brings(identifier, tmp_path):
    """On the pair that shows it, told, to be quick; a tenth of those that the catalogue's audit refutes just so."""
    request = fault_as_file(identifier, tmp_path)
    brought = request.pairs_to_try(request.promise())
    output = own_pair(FAULTS[identifier], brought) or [pair for pair in brought if pair.id == ELSEWHERE[identifier]]
    result = audit_mechanism(request.at(pair=histograms(output[0])))
    assert result.verdict is Verdict.REFUTED, result.detail


@pytest.mark.usefixtures("verdict_alone")
@pytest.mark.slow
@pytest.mark.parametrize("identifier", BY_SEARCH)
def test_a_fault_in_a_file_is_refuted_on_neighbours_that_are_searched(identifier, tmp_path, monkeypatch):
    """Beside those of the claim; smaller ones are not looked for."""
    monkeypatch.setattr(stages, "MOST_TRIED", 0)
    request = fault_as_file(identifier, tmp_path)
    result = audit_mechanism(request)
    assert result.verdict is Verdict.REFUTED, result.detail
    assert result.pair not in request.pairs_to_try(request.promise())


@pytest.mark.usefixtures("verdict_alone")
@pytest.mark.slow
@pytest.mark.parametrize("identifier", OTHER_NEIGHBOURS)
def test_a_mechanism_offered_to_other_users_is_refuted_by_its_numbers_alone(identifier, tmp_path):
    """The claim's adjacency refuses the users that it is offered to; its epsilon and delta on them are refuted."""
    pair, request = FAULTS[identifier].pair, fault_as_file(identifier, tmp_path)
    promise = request.promise()
    pair.check()
    with pytest.raises(ValueError, match="expected"):
        promise.adjacency.check(pair.left, pair.right)
    with pytest.raises(UsageError, match="--pair: expected"):
        audit_mechanism(request.at(pair=histograms(pair)))
    (level,) = promise.levels
    numbers = request.at(claim=None, parameters={}, epsilon=repr(level.epsilon), delta=repr(level.delta))
    result = audit_mechanism(numbers.at(pair=histograms(pair)))
    assert result.verdict is Verdict.REFUTED, result.detail


RARE = {
    "correlated_gaussian_sparse_users_all_changed_accountant": 60,
    "correlated_stability_histogram_releases_sums_once_accountant": 20,
}
"""Examples that a fault takes to be found, where those are not the usual ones."""


@pytest.mark.slow
@pytest.mark.parametrize("identifier", sorted(i for i, f in KNOWN.faults.items() if isinstance(f, AccountantFault)))
def test_a_faulty_accountant_of_somebody_is_refuted_by_the_search_alone(identifier, monkeypatch):
    """Nobody says where: the point that the fault itself names is not given. What is found need not be simplified."""
    monkeypatch.setattr(search, "BAD", ())
    fault = KNOWN.faults[identifier]
    examples = RARE.get(identifier, 10)
    claim = KNOWN.claim(fault.violates)  # some faults are in corners of its domain, which count under `strict`
    request = AccountantRequest(target=fault.accountant, claim=claim, max_examples=examples, strict=True)
    assert audit_accountant(request).verdict is Verdict.REFUTED
