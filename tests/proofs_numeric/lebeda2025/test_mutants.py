"""Claims of the correlated mechanism broken on purpose: the checks refute each, and proofs fail past their margin."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.checks.check import Context
from auditor.checks.numeric import check_oracle, check_value
from auditor.checks.witness import points_of, search
from auditor.engine.plan import checks_for
from auditor.engine.registry import registry
from auditor.front.accountants import accountant_request
from auditor.profile import profile
from proofs_numeric.arithmetic.special import gaussian_profile, log_normal_cdf, normal_quantile_complement
from proofs_numeric.lebeda2025 import lemma_10
from proofs_numeric.lebeda2025.algorithm_3 import kept_largest
from proofs_numeric.lebeda2025.definition_9.sparse_monotone import neighbours
from proofs_numeric.lebeda2025.discrete import zcdp_delta
from proofs_numeric.lebeda2025.exact.cover import two_terms
from proofs_numeric.lebeda2025.exact.noise_maximum import shared_slope
from proofs_numeric.lebeda2025.exact.pair import new_released, pair_delta, shared_mu
from proofs_numeric.lebeda2025.lemma_8 import delta_gauss
from proofs_numeric.lebeda2025.lemma_19 import integer_steps, keeps_rho
from proofs_numeric.lebeda2025.theorem_11 import delta_infinite_bound
from proofs_numeric.lebeda2025.theorem_21 import enumeration
from proofs_numeric.lebeda2025.theorem_21.enumeration import theorem_21
from proofs_numeric.statements.statement import statement_of
from proofs_numeric.statements.verdict import Verdict

KNOWN = registry()


def _independent(A, *, k, sigma, gap):
    """Lemma 10 as if there were no shared noise: ``Phi(tau/sigma)^k``."""
    return A.exp(k * log_normal_cdf(A, gap / sigma))


def _without_root(A, *, epsilon, k, sigma):
    """Lemma 8 with ``sqrt(k)/(2 sigma)``."""
    return gaussian_profile(A, epsilon, A.sqrt(A.number(k)) / (2 * A.number(sigma)))


def _new_counters_only(A, *, epsilon, k, sigma, gap):
    return delta_infinite_bound(A, k=k, sigma=A.number(sigma), gap=A.number(gap))


_gauss_only = lambda A, *, epsilon, k, sigma, gap: delta_gauss(A, epsilon=epsilon, k=k, sigma=sigma)


def _k_factors(A, *, epsilon, delta, k, sigma):
    """Lemma 22 with ``1/k`` for ``1/(k + 1)``."""
    left = A.number(delta) - delta_gauss(A, epsilon=epsilon, k=k, sigma=sigma)
    tail = -A.expm1(A.log1p(-left) / k)
    return (1 + shared_slope(A, k=k)) * sigma * normal_quantile_complement(A, tail)


def _twice_the_rate(A, *, epsilon, rho):
    """Lemma 17 with ``exp(-(epsilon - rho)^2/(2 rho))``."""
    value = zcdp_delta(A, epsilon=epsilon, rho=rho)
    return value * value


def _shared_only(A, *, epsilon, k, sigma, gap, l, j):
    """The certificate without new counters."""
    return gaussian_profile(A, epsilon, shared_mu(A, k=k, sigma=sigma, d=k - l, j=j))


_one_new_counter_fewer = lambda A, *, l, **rest: pair_delta(A, l=max(0, l - 1), **rest)


def _integer_steps(case):
    """Lemma 19 for plain integer steps."""
    k, sigma, j, alpha = case
    return keeps_rho(integer_steps(k, sigma), sigma=sigma, j=j, alpha=alpha)


def _keeping_largest(case):
    """Lemma 13 without the subtraction."""
    left, right, k = case
    return neighbours(kept_largest(left, k), kept_largest(right, k), k)


MUTANTS = {
    "lem8": ("formula", _without_root),
    "lem10": ("formula", _independent),
    "lem10.proof": ("formula", lambda A, *, k, sigma, gap, share: _independent(A, k=k, sigma=sigma, gap=gap)),
    "lem10.slepian": ("formula", _independent),
    "lem17": ("formula", _twice_the_rate),
    "lem22": ("formula", _k_factors),
    "thm11": ("formula", _new_counters_only),
    "thm11.power": ("formula", _gauss_only),
    "csh.exact.pair": ("formula", _one_new_counter_fewer),
    "sec3.cert": ("formula", _shared_only),
    "lem19.renyi": ("holds", _integer_steps),
    "lem13": ("holds", _keeping_largest),
}


def _verdicts(claim):
    context = Context(profile("quick"), 1, Fraction(1, 10**6), KNOWN)
    checks = (check for check in checks_for(claim, KNOWN) if check.name != "lemma.proof")
    return (found.verdict for check in checks for found in check.run(claim, context))


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_claim_is_refuted(name):
    """One part of the claim replaced by a plausible mistake: a searching or enumerating check refutes it."""
    claim = KNOWN.claims[f"lebeda2025.{name}"]
    part, mistake = MUTANTS[name]
    rest = {"proof": None} if hasattr(claim.kind, "proof") else {}
    broken = replace(claim, kind=replace(claim.kind, **{part: mistake}, **rest))
    assert Verdict.REFUTED in _verdicts(broken)


def _unmixed_pairs_only(A, *, epsilon, k, sigma, gap):
    """The certificate applied where it does not decide: no mixed pair is ever looked at."""
    return two_terms(A, epsilon=A.number(epsilon), k=k, sigma=A.number(sigma), gap=A.number(gap))


def _reverse_only(A, *, epsilon, k, sigma, gap):
    """New counters judged by what silence about them tells: the forward direction of the all-new pair is missing."""
    at = {"epsilon": epsilon, "k": k, "sigma": sigma, "gap": gap}
    new = pair_delta(A, **at, l=k, j=0, direction="reverse")
    return A.maximum(new, delta_gauss(A, epsilon=epsilon, k=k, sigma=sigma))


def _one_changed_counter(A, *, epsilon, k, sigma, gap):
    """Only one shared counter changes in the mixed pairs and in the shared one."""
    shared = gaussian_profile(A, A.number(epsilon), shared_mu(A, k=k, sigma=A.number(sigma), d=k, j=1))
    return A.maximum(shared, _all_new(A, k=k, sigma=sigma, gap=gap))


_all_new = lambda A, *, k, sigma, gap: new_released(A, k=k, sigma=A.number(sigma), gap=A.number(gap), l=k)

EXACT_MUTANTS = {
    "certificate where it does not decide": (_unmixed_pairs_only, "differs from its definition"),
    "forward direction missing": (_reverse_only, "differs from its definition"),
    "one changed counter": (_one_changed_counter, "differs from its definition"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXACT_MUTANTS)
def test_a_broken_exact_delta_is_refuted(name):
    """Each mistake is refuted by the claim's own points: a definition that knows no certificate, a bracket's ends."""
    claim, (mistake, headline) = KNOWN.claims["lebeda2025.csh.exact"], EXACT_MUTANTS[name]
    broken = replace(claim, kind=replace(claim.kind, formula=mistake))
    context = Context(profile("quick"), 1, Fraction(1, 10**6), KNOWN)
    found = [*check_value(broken, context), *check_oracle(broken, context)]
    assert [f.headline for f in found if f.verdict is Verdict.REFUTED] == [headline]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "box", "examples"),
    [
        ("rounded_down", {"k": ("1", "1000")}, 5),
        ("unmixed", {"k": ("2", "5"), "epsilon": ("0", "1e-9"), "sigma": ("1e5", "1e6"), "gap": ("4e5", "7e6")}, 20),
    ],
)
def test_an_accountant_on_the_wrong_side_is_refuted(name, box, examples):
    """Rounding down, everywhere, and the maximum of two where mixed pairs exceed it, are unsafe."""
    target = f"{Path(__file__).parent / 'correlated_accountants.py'}:{name}"
    options = {"box": box, "tolerance": "1e-12", "max_examples": examples}
    audit = audit_accountant(accountant_request(target, "lebeda2025.csh.exact", **options))
    assert audit.verdict is Verdict.REFUTED
    assert audit.unsafe is not None
    assert float(audit.unsafe.returned) < float(audit.unsafe.truth.lower)


def test_theorem_21_with_a_threshold_one_higher_is_refuted_by_enumeration():
    """At large epsilon the bound is that of new counters: read one count too high it falls below the exact delta."""
    higher = lambda A, *, epsilon, k, sigma, gap: theorem_21(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap + 4)

    case = (Fraction(3), 3, 2, Fraction(2), 3, 0, "forward")
    assert enumeration.share(case) <= 1
    assert enumeration.share(case, higher) > 1


@pytest.mark.slow
def test_a_formula_broken_elsewhere_gets_another_witness():
    """The search starts from the domain alone: breaking the Slepian order at tau >= 0 moves the witness there."""
    claim = KNOWN.claims["lebeda2025.lem10.slepian.order"]

    halved = lambda A, *, k, sigma, gap: lemma_10.slepian_probability(A, k=k, sigma=sigma, gap=gap) / 2

    positive = replace(claim.domain, parameters=(*claim.domain.parameters[:2], replace(claim.domain["gap"], lower=0)))
    witnesses = []
    for kind, box in ((claim.kind, claim.domain), (replace(claim.kind, right=halved), positive)):
        statement = statement_of(replace(claim, kind=kind, domain=box))
        witnesses.append(search(statement, points_of(box, (), 1, 16), 60, 1).witness)
    assert witnesses[0].parameters["gap"] < 0 <= witnesses[1].parameters["gap"]
