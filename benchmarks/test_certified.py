"""Speed of certified evaluation: one theorem by its collapse, branch and bound, its literal maximum; answers judged."""

import statistics
import time
from fractions import Fraction
from random import Random

import pytest

import auditor
from auditor.accountant_audit.judge import Judge, Kind
from auditor.engine.registry import registry
from auditor.target.target import Returned
from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.wilkins2024.theorem_5_4 import exact_delta as theorem_5_4
from proofs_numeric.wilkins2024.theorem_5_4 import rows_maximum

CASE_STUDY = {"epsilon": Fraction("0.349"), "sigma": Fraction(2228), "gap": Fraction(13947), "mu_o": Fraction(0)}
C_U = 51914


def _in_balls(formula, bits=160):
    with Ball(bits) as ball:
        numbers = {name: ball.number(value) for name, value in CASE_STUDY.items()}
        return formula(ball, c_u=C_U, **numbers)


def test_thirty_digits_by_the_collapse(benchmark):
    """A certified 30-digit enclosure at the case study's parameters: microseconds."""
    value = benchmark(enclose, theorem_5_4.delta_exact, {**CASE_STUDY, "c_u": C_U}, 30)
    assert value.decimal(12)[0].startswith("0.000010031038")


@pytest.mark.parametrize("formula", [rows_maximum.branch_and_bound_maximum, theorem_5_4.literal_maximum])
def test_the_maximum_over_all_terms(benchmark, formula):
    """The literal maximum and the integer branch and bound agree with the collapse; seconds against microseconds."""
    value = benchmark.pedantic(_in_balls, args=(formula,), rounds=3)
    assert value.overlaps(_in_balls(theorem_5_4.delta_exact))
    collapse = statistics.median(_timed(theorem_5_4.delta_exact) for _ in range(21))
    benchmark.extra_info["times slower than the collapse"] = round(_timed(formula) / collapse)


def _timed(formula):
    start = time.perf_counter()
    _in_balls(formula)
    return time.perf_counter() - start


def test_a_thousand_judged_answers(benchmark):
    """Holding an answer against a closed form costs at most five certified 15-digit enclosures of it."""
    claim = registry().claim("wilkins2024.thm2.2")
    judge, random = Judge(claim, Fraction(1, 10**9)), Random(1)  # noqa: S311 - points, no secret
    points = [{"epsilon": random.uniform(0.01, 10), "mu": random.uniform(0.1, 3)} for _ in range(1000)]
    answers = [Returned(Fraction(gaussian.delta(**point))) for point in points]
    exact = [{name: Fraction(value) for name, value in point.items()} for point in points]

    def seconds(work):
        start = time.process_time()
        work()
        return time.process_time() - start

    def judge_all():
        return [judge(point, answer).kind for point, answer in zip(points, answers, strict=True)]

    assert {*benchmark.pedantic(judge_all, rounds=3)} == {Kind.RIGHT}
    enclosed = statistics.median(seconds(lambda: [enclose(claim.formula, point, 15) for point in exact]) for _ in "123")
    ratio = statistics.median(seconds(judge_all) for _ in "123") / enclosed
    benchmark.extra_info["judged answers, in certified enclosures"] = round(ratio, 2)
    assert ratio <= 5


def test_ten_thousand_calls_of_an_accountant(benchmark):
    """A call of a search of ten thousand costs at most 1.5 times what one of a quarter of them does."""

    def each(examples):
        start = time.process_time()
        audit = auditor.audit_accountant(gaussian.delta, against="wilkins2024.thm2.2", max_examples=examples)
        return (time.process_time() - start) / len(audit.calls), len(audit.calls)

    each(10)  # what is loaded once
    few, calls = each(750)
    many, most = benchmark.pedantic(each, args=(3000,), rounds=1)
    benchmark.extra_info.update({"calls": most, "milliseconds": round(1000 * many, 2), "ratio": round(many / few, 2)})
    assert most >= max(10_000, 3 * calls)
    assert many <= 1.5 * few
