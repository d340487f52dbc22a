"""Answers that libraries gave, with the version that gave them: each is judged as it was, whatever is installed."""

import math
import subprocess
import sys
from fractions import Fraction

import pytest

from auditor.accountant_audit.environments import accountant, libraries
from auditor.accountant_audit.issue import script
from auditor.accountant_audit.judge import Judge, Kind
from auditor.accountant_audit.log import Call, disorder
from auditor.accountant_audit.practical import range_of
from auditor.accountant_audit.solved import solved
from auditor.engine.registry import registry
from auditor.findings.evidence import AccountantPoint
from auditor.search.parameter_points import exact_values
from auditor.target.target import DECLINES, Infinite, Misbehaved, Returned, Several
from proofs_numeric.statements.verdict import Expectation

ANSWERS = {
    "autodp.gaussian.sigma": ("0.2.3.1", {"epsilon": 1.0, "delta": 1e-10, "k": 1}, 5.867728601502758, Kind.UNSAFE),
    "diffpriv_pure.gaussian.sigma": (
        "0.1.0", {"epsilon": 10.0, "delta": 2e-5, "k": 1}, 0.4699557816587533, Kind.UNSAFE,
    ),
    "diffpriv_pure.advanced_composition": (
        "0.1.0", {"epsilon_0": 1.0, "delta_0": 2e-7, "k": 40}, (35.12827746462769, 8e-6), Kind.UNSAFE,
    ),
    "diffprivlib.gaussian_analytic.sigma": (
        "0.6.6", {"epsilon": 3.0, "delta": 4e-11, "k": 1}, 2.1078036839394367, Kind.UNSAFE,
    ),
    "diffprivlib.gaussian_discrete.sigma": (
        "0.6.6", {"epsilon": 3.0, "sensitivity": 1, "delta": 1e-5}, 1.3518214225769043, Kind.UNSAFE,
    ),
    "dp_accelerator.rdp_curve": (
        "0.1.0", {"sigma": 1.0, "rate": 0.01, "delta": 1e-5}, 0.04807380795004389, Kind.UNSAFE,
    ),
    "dp_accounting.rdp.subsampled_gaussian": (
        "0.6.0", {"alpha": 1.1, "sigma": 0.6, "rate": 0.05}, math.inf, Kind.INVALID,
    ),
    "dp_accounting.gaussian.sigma.corner": ("0.6.0", {"epsilon": 0.0, "delta": 1e-30}, 3593352610716455.5, Kind.UNSAFE),
    "opake_accounting.subsampled.composition.delta": (
        "0.16.1", {"epsilon": 8.0, "sigma": 0.7, "rate": 0.01, "k": 100}, 8.330794838966355e-15, Kind.UNSAFE,
    ),
    "random_allocation.decomposition.delta": (
        "1.0.5", {"epsilon": 3.0, "sigma": 1.0, "steps": 1}, math.inf, Kind.INVALID,
    ),
    "random_allocation.recursive.delta": (
        "1.0.5", {"epsilon": 3.0, "sigma": 1.0, "steps": 1}, math.inf, Kind.INVALID,
    ),
    "opendp.gaussian_threshold.integer": (
        "0.16.0", {"sigma": 1.0, "threshold": 4, "c_u": 1, "per_key": 1}, 0.0013498987536877394, Kind.UNSAFE,
    ),
    "opendp.laplace_threshold.integer": (
        "0.16.0", {"scale": 1.0, "threshold": 4, "c_u": 1, "per_key": 1}, 0.01338980493269848, Kind.UNSAFE,
    ),
    "dp_accounting.pld.gaussian.composition": (
        "0.6.0", {"epsilon": 1.0, "sigma": 0.5, "k": 99}, 1.0000000358313772, Kind.INVALID,
    ),
    "dp_accounting.pld.subsampled_gaussian.composition": (
        "0.6.0", {"epsilon": 4.25, "sigma": 1.0, "rate": 0.01, "k": 1000}, 3.97824546711884e-14, Kind.UNSAFE,
    ),
    "fourier_accountant.subsampled.composition.delta": (
        "0.12.11", {"epsilon": 1.0, "sigma": 1.6, "rate": 0.01, "k": 100}, -2.2821246424378173e-15, Kind.INVALID,
    ),
    "fourier_accountant.gaussian.delta": (
        "0.12.11", {"epsilon": 3.0, "sigma": 1.0, "k": 1}, 8.580743748131158e-33, Kind.UNSAFE,
    ),
    "gdpnum.accountant.advantage": (
        "0.1.2", {"sigma": 1.0, "k": 1}, "NameError: name 'conversions' is not defined", Kind.INVALID,
    ),
    "opake_accounting.power": ("0.16.1", {"alpha": 1e-5, "sigma": 0.5, "k": 1}, 1 - 0.9882689335893475, Kind.UNSAFE),
    "opacus.gdp.poisson": ("1.6.0", {"sigma": 1.0, "rate": 0.09, "delta": 1e-9}, 0.6357852485234249, Kind.UNSAFE),
    "opacus.rdp.order": ("1.6.0", {"alpha": 183.8, "sigma": 20.0, "rate": 0.6}, -0.2838700746618659, Kind.INVALID),
    "pipeline_dp.pld_budget.sigma_of_two": (
        "0.3.1", {"epsilon": 1.0, "delta": 1e-5, "k": 1}, 1.8653564453125, Kind.UNSAFE,
    ),
    "pipeline_dp.pld_budget.pure_scale": ("0.3.1", {"epsilon": 1.0, "delta": 1e-5, "k": 10}, 1.0, Kind.UNSAFE),
    "riskcal.zcdp.approximate.power": (
        "1.5.1", {"alpha": 0.01, "sigma": 10.0, "k": 1}, 0.010000000000000009, Kind.UNSAFE,
    ),
    "dp_accounting.advanced.share": (
        "0.6.0", {"epsilon": 10.0, "delta": 1e-5, "delta_0": 1e-9, "k": 141}, "OverflowError: math range error",
        Kind.INVALID,
    ),
    "prv_accountant.pairs.epsilon": (
        "0.2.0", {"epsilon_0": 1.0, "delta_0": 1e-9, "k": 59, "delta": 1e-5},
        (48.95484028678606, 48.9648728411005, 48.97490539435519), Kind.UNSAFE,
    ),
    "prv_accountant.laplace.epsilon": (
        "0.2.0", {"scale": 9.0, "k": 50, "delta": 8e-5},
        "RuntimeError: Discrete mean differs from continuous mean significantly.", Kind.INVALID,
    ),
    "prv_accountant.subsampled_gaussian.epsilon": (
        "0.2.0", {"sigma": 1.0, "rate": 0.15, "k": 400, "delta": 1e-5},
        "RuntimeError: Discrete mean differs from continuous mean significantly.", Kind.INVALID,
    ),
    "riskcal.zcdp.power": ("1.5.1", {"alpha": 0.01, "sigma": 10.0, "k": 1}, 0.010000000000000009, Kind.UNSAFE),
    "smartnoise_sql.odometer": (
        "1.0.10", {"epsilon_0": 1.0, "delta_0": 1e-5, "k": 999}, (617.8207634410331, 0.00984650529134328), Kind.UNSAFE,
    ),
}  # fmt: skip
"""Version, arguments, answer, judgement."""

SAFE = {
    "autodp.laplace.epsilon": (
        "0.2.3.1", {"delta_1": 1.0, "b": 1.0, "delta": 1e-12}, 0.9999999999979999, Kind.ROUNDING,
    ),
    "autodp.randomized_response.epsilon": (
        "0.2.3.1", {"epsilon_0": 1.0, "categories": 2, "delta": 1e-10}, 0.9999999998632119, Kind.ROUNDING,
    ),
    "opacus.noise_multiplier": (
        "1.6.0", {"epsilon": 0.1, "delta": 1e-5, "k": 1}, "ValueError: The privacy budget is too low.", Kind.DECLINES,
    ),
    "dp_accounting.pld.pairs.composition": (
        "0.6.0", {"epsilon": 1.0, "epsilon_0": 1.7, "delta_0": 1e-5, "k": 99}, 1.0000000000000036, Kind.ROUNDING,
    ),
    "riskcal.pure.power": (
        "1.5.1", {"alpha": 3e-12, "epsilon_0": 1.0, "categories": 2}, 8.1548101604767e-12, Kind.ROUNDING,
    ),
    "gdpnum.advantage": ("0.1.2", {"sigma": 0.5, "k": 50}, 1.000000018095119, Kind.ROUNDING),
    "opacus.rdp.epsilon": ("1.6.0", {"sigma": 100.0, "k": 1, "delta": 0.01}, -0.0053981565142386355, Kind.RIGHT),
    "pipeline_dp.gaussian.epsilon": (
        "0.3.1", {"sigma": 100.0, "k": 1, "delta": 0.004}, -2.1254614694043994e-05, Kind.UNDEFINED,
    ),
}  # fmt: skip
"""The same, of answers that are no violation: rounding, refusals, an epsilon below 0."""

DISORDERED = {
    "autodp.exponential.composition": (
        "0.2.3.1", {"eta": 1.0, "k": 3}, "delta", {1e-9: 2.9999999974405682, 1e-4: 3.529684458618876},
    ),
}  # fmt: skip
"""Version, arguments, a parameter, and answers that contradict each other at two values of it."""

IN_CORNERS = {
    "dp_accounting.pld.delta": (
        "0.6.0", {"epsilon": 1.0}, "mu", {0.1: 9.179230563032624e-25, 0.102: 9.092779010791262e-25},
    ),
}  # fmt: skip
"""The same, of answers in corners: safe, and out of order where both are the floor of a pessimistic estimate."""


def answered(returned):
    """The answer of a number, of several, or of what was raised."""
    if isinstance(returned, str):
        return Misbehaved(DECLINES if returned.startswith("ValueError") else "raises", f"raises {returned}")
    if returned == math.inf:
        return Infinite(positive=True)
    if isinstance(returned, tuple):
        return Several(tuple(Returned(Fraction(number)) for number in returned), str(returned))
    return Returned(Fraction(returned))


@pytest.mark.slow
@pytest.mark.parametrize("identifier", [*ANSWERS, *SAFE])
def test_an_answer_is_judged_as_it_was(identifier):
    """At the claim and the tolerance of the adapter, which says that it expects as much of what is installed."""
    one = accountant(identifier)
    version, point, returned, kind = {**ANSWERS, **SAFE}[identifier]
    claim = registry().claim(one.against)
    held_to, tolerance, floor = solved(claim, one.solves) if one.solves else claim, one.tolerance, one.floor
    judge = Judge(held_to, Fraction(tolerance), one.returns, Fraction(floor))
    judgement = judge(point, answered(returned))
    assert judgement.kind is kind, judgement
    assert one.expected is (Expectation.REFUTED if identifier in ANSWERS else Expectation.HOLDS)
    assert f"{one.library}=={version}" in one.environment.lock.read_text("utf-8").lower().replace("_", "-").split()


@pytest.mark.parametrize("identifier", [*DISORDERED, *IN_CORNERS])
def test_two_answers_contradict_each_other_as_they_did(identifier):
    """Each alone is safe; together they are out of the order that the claim declares, which corners do not decide."""
    one = accountant(identifier)
    version, point, name, answers = {**DISORDERED, **IN_CORNERS}[identifier]
    claim = registry().claim(one.against)
    judge = Judge(solved(claim, one.solves) if one.solves else claim, Fraction(one.tolerance), one.returns)
    calls = []
    for value, returned in answers.items():
        at = {**point, name: value}
        judgement = judge(at, answered(returned))
        practical, corner = range_of(judge, exact_values(at), judgement)
        calls.append(Call(at, answered(returned), judgement, practical, corner=corner))
    assert {call.kind for call in calls} <= {Kind.RIGHT, Kind.LOOSE}
    assert disorder(judge.claim, name, *calls, judge.rounding) is not None
    assert any(call.corner for call in calls) == (identifier in IN_CORNERS)
    assert one.expected is (Expectation.REFUTED if identifier in DISORDERED else Expectation.HOLDS)
    assert f"{one.library}=={version}" in one.environment.lock.read_text("utf-8").lower().replace("_", "-").split()


@pytest.mark.slow
def test_a_script_prints_the_frozen_answer():
    """Run by the interpreter that has the library, and nothing of this project."""
    one = accountant("opendp.laplace_threshold.integer")
    if one.installed_version is None:
        pytest.skip("opendp is not installed")
    version, point, returned, _ = ANSWERS[one.id]
    arguments = {name: repr(value) for name, value in point.items()}
    text = script(one, [AccountantPoint(parameters=arguments, returned=repr(returned))])
    command = [one.environment.python or sys.executable, "-I", "-c", text]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - the script that we wrote
    assert one.installed_version != version or ran.stdout.strip() == repr(returned)


def test_every_accountant_that_is_expected_to_be_refuted_has_a_frozen_answer():
    """A defect that upstream mends is known here still."""
    wrong = {one.id for library in libraries().values() for one in library.accountants if one.expected != "HOLDS"}
    assert wrong == {*ANSWERS, *DISORDERED}
