"""Answers of other forms and other roles: brackets, pairs, parameters for a delta, and bounds that are beaten."""

import math
from fractions import Fraction

import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.judge import Judge, Kind
from auditor.accountant_audit.solved import solved
from auditor.engine.registry import registry
from auditor.errors import TargetError, UsageError
from auditor.front.accountants import accountant_request
from auditor.target.target import Returned, Several
from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.gaussian_sparse_histogram import accountant as histogram
from proofs_numeric.statements.verdict import Verdict

GAUSSIAN, HISTOGRAM = "wilkins2024.thm2.2", "wilkins2024.thm5.4"


def audit(target, claim=GAUSSIAN, **options):
    """Audit a live accountant with a small search."""
    return audit_accountant(accountant_request(target, claim, **{"max_examples": 15, **options}))


def epsilon_of_zcdp(rho, delta, share=1.0):
    """Epsilon of the Gaussian mechanism that is rho-zCDP: below every conversion of rho, and a lower bound on it."""
    return share * gaussian.epsilon(delta, mu=math.sqrt(2 * rho))


def one_row_gap(epsilon, delta, sigma):
    """The exact gap for one key where the noise of the count alone keeps delta, which the claim only adds to."""
    from scipy.stats import norm

    return sigma * float(norm.isf(delta))


@pytest.mark.slow
def test_a_tighter_calibration_than_the_claims_differs_and_is_not_refuted():
    """An epsilon below a conversion that is only an upper bound, and an exact gap below the one of added deltas."""
    box = {"rho": ("0.01", "2"), "delta": ("1e-9", "1e-3")}
    tighter = audit(epsilon_of_zcdp, "rogers2024.thm3.cdp_to_dp", box=box, tolerance="1e-6")
    assert tighter.verdict is Verdict.CONSISTENT, tighter.detail
    assert tighter.differs is not None
    box = {"epsilon": ("1", "5"), "delta": ("5e-4", "0.01"), "sigma": ("3", "5")}
    exact = audit(one_row_gap, "wilkins2024.A.15", box=box, tolerance="1e-6")
    assert (exact.verdict, exact.differs is None) == (Verdict.CONSISTENT, False), exact.detail


@pytest.mark.slow
def test_below_the_lower_bound_on_what_is_achieved_is_unsafe():
    """A tenth less epsilon than the Gaussian mechanism itself has."""
    box = {"rho": ("0.01", "2"), "delta": ("1e-9", "1e-3")}
    result = audit(lambda rho, delta: epsilon_of_zcdp(rho, delta, 0.9), "rogers2024.thm3.cdp_to_dp", box=box)
    assert result.verdict is Verdict.REFUTED
    assert "achieves more than the delta asked for: the true epsilon is " in result.detail


@pytest.mark.slow
def test_noise_and_threshold_together_are_judged_by_the_delta_they_achieve():
    """A pair put back into the claim; a hundredth less of the gap is caught."""

    def pair(epsilon, delta, c_u, share=1.0):
        sigma = 1.5 * histogram.sigma(epsilon, delta, c_u=c_u)
        return sigma, share * histogram.gap(epsilon, delta, c_u=c_u, sigma=sigma)

    box = {"epsilon": ("0.1", "4"), "delta": ("1e-9", "1e-3"), "c_u": ("1", "20")}
    options = {"solves": ("sigma", "gap"), "box": box, "tolerance": "1e-6"}
    assert audit(pair, HISTOGRAM, **options).verdict is Verdict.CONSISTENT
    assert audit(lambda epsilon, delta, c_u: pair(epsilon, delta, c_u, 0.99), HISTOGRAM, **options).unsafe is not None


def judged(answer, returns=(), solves=()):
    """Return the kind of one answer at epsilon 1 and mu 1, or at delta 1/10 and what is left of them."""
    claim = registry().claim(GAUSSIAN)
    point = {"epsilon": 1.0, "mu": 1.0, "delta": 0.1}
    held_to = solved(claim, solves) if solves else claim
    judge = Judge(held_to, Fraction(1, 10**9), tuple(returns))
    return judge({name: point[name] for name in held_to.domain.names if name in point}, answer).kind


@pytest.mark.parametrize(
    ("factors", "kind"),
    [
        ((0.9, 1, 1.1), Kind.LOOSE),
        ((1, 1, 1), Kind.RIGHT),
        ((0.5, 0.8, 0.9), Kind.UNSAFE),
        ((1.05, 1.1, 1.2), Kind.INVALID),
        ((0.9, 1.2, 1.1), Kind.INVALID),
        ((0.9, 1.1), Kind.INVALID),
    ],
)
def test_a_bracket_is_judged_by_its_upper_end_and_must_hold_the_truth(factors, kind):
    """A lower end above the truth, ends out of order or missing are invalid; an estimate may lie anywhere between."""
    delta = gaussian.delta(1.0, mu=1.0)
    answer = Several(tuple(Returned(Fraction(delta * factor)) for factor in factors), "a bracket")
    assert judged(answer, ("lower", "estimate", "upper")) is kind


def test_a_bracket_of_epsilon_is_one_of_the_delta_it_achieves():
    """A lower end that achieves less than delta is above the true epsilon."""
    true = gaussian.epsilon(0.1, mu=1.0)
    for factors, kind in (((0.9, 1.1), Kind.LOOSE), ((1.01, 1.1), Kind.INVALID), ((0.8, 0.9), Kind.UNSAFE)):
        answer = Several(tuple(Returned(Fraction(true * factor)) for factor in factors), "a bracket")
        assert judged(answer, ("lower", "upper"), ("epsilon",)) is kind


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answers", "options", "words"),
    [
        (lambda delta: (0.9 * delta, delta, 1.1 * delta), {}, r"\(3 numbers\); allowed: 1 number; --returns names"),
        (lambda delta: [delta, delta], {}, "--solves the returned parameters of the claim"),
        (lambda delta: delta, {"returns": ("lower", "upper")}, r"\(1 number\); allowed: 2 numbers"),
    ],
)
def test_an_answer_of_another_form_than_declared_is_told_and_no_refutation(answers, options, words):
    """A right bracket without --returns is no violation; one number in a list is that number."""
    with pytest.raises(TargetError, match=words):
        audit(lambda epsilon, mu: answers(gaussian.delta(epsilon, mu=mu)), **options)
    box = {"epsilon": ("1", "2"), "mu": ("1", "2")}
    assert audit(lambda epsilon, mu: [gaussian.delta(epsilon, mu=mu)], box=box).verdict is Verdict.CONSISTENT


@pytest.mark.slow
def test_what_is_returned_for_a_delta_is_not_compared_with_a_delta():
    """A function of delta that lacks one parameter returns it; one that needs what the claim lacks is told so."""
    with pytest.raises(TargetError, match="what returns sigma for a delta is judged with --solves sigma"):
        audit(lambda epsilon, delta, k: 1.0, "standard.gaussian.composition")
    with pytest.raises(TargetError, match="needs order, which the claim"):
        audit(lambda epsilon, mu, order: 0.5)


@pytest.mark.slow
def test_a_parameter_of_one_value_need_not_be_taken():
    """Advantage is delta at epsilon 0: of every claim about delta, by --box epsilon=0."""
    box = {"epsilon": ("0", "0"), "mu": ("0.1", "3")}
    right = audit(lambda mu: math.erf(mu / math.sqrt(8)), box=box)
    assert (right.verdict, right.constants) == (Verdict.CONSISTENT, {"epsilon": "0.0"}), right.detail
    assert audit(lambda mu: 0.99 * math.erf(mu / math.sqrt(8)), box=box).unsafe is not None


@pytest.mark.parametrize("returns", [("lower",), ("low", "upper"), ("sigma",)])
def test_parts_without_a_judged_number_are_refused(returns):
    """One of them is an estimate or an upper bound."""
    with pytest.raises(UsageError, match="expected --returns of lower, estimate, upper, _"):
        audit(gaussian.delta, returns=returns)


@pytest.mark.parametrize(("claim", "names"), [("thresholds.gaussian.sigma", "epsilon"), (GAUSSIAN, "scale")])
def test_only_parameters_of_a_claim_about_delta_can_be_solved_for(claim, names):
    """What is no such claim or parameter is refused in one line."""
    with pytest.raises(UsageError, match="--solves"):
        audit(gaussian.delta, claim, solves=(names,))


@pytest.mark.slow
def test_a_box_of_which_little_is_judged_is_undecided():
    """Three integers are judged in full; a handful of reals is no search."""
    three = audit(
        histogram.delta,
        HISTOGRAM,
        box={n: (v, v) for n, v in {"epsilon": "1", "sigma": "3", "gap": "12", "mu_o": "0"}.items()}
        | {"c_u": ("1", "3")},
    )
    assert three.verdict is Verdict.CONSISTENT, three.detail
    few = audit(lambda epsilon, mu: gaussian.delta(epsilon, mu=mu), budget=1e-9)
    assert few.verdict is Verdict.UNDECIDED
    assert "could have revealed an unsafe answer, fewer than 20" in few.detail
    assert 0 < few.cut < 12
    assert f"--budget ended searches early: {few.cut}" in few.detail


CLAIM_FILE = """
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Source
from proofs_numeric.statements.kinds import DeltaBound
HALF = Claim(id="mine.half", source=Source("mine", "1"), title="half", statement="x/2", quantity=QuantityKind.DELTA,
             kind=DeltaBound(lambda A, x: x / 2), domain=Box((Parameter("x", "x", upper=1),)), rises=("x",))
"""


@pytest.mark.slow
def test_a_claim_of_the_users_own_file_is_a_truth(tmp_path):
    """FILE.py:CLAIM, also in the line that shows it again; what is no claim is refused."""
    file = tmp_path / "mine.py"
    file.write_text(CLAIM_FILE, encoding="utf-8")
    assert audit(lambda x: x / 2, f"{file}:HALF").verdict is Verdict.CONSISTENT
    wrong = audit(lambda x: x / 3, f"{file}:HALF")
    assert wrong.verdict is Verdict.REFUTED
    assert f"--against {file}:HALF" in wrong.reproduce
    for text, words in ((f"{file}:Box", "expected a Claim named Box"), ("absent.py:X", "expected --against ID or")):
        with pytest.raises(UsageError, match=words):
            audit(lambda x: x, text)
