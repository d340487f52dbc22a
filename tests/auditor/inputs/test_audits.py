"""Audits find the data that show a fault, say what they could not reach, and keep last bits apart from noise."""

import numpy as np
import pytest

from auditor.inputs.constants import compared_texts
from auditor.inputs.data import Rows
from auditor.mechanism_audit.sampler import has_last_bits
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.inputs import targets
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

FILE = targets.__file__
ONE_ROW = {"rows": True, "c_u": 1, "per_key": 1}
SMALL = Rows([(f"u{i}", "shop", 0.2 + i / 10) for i in range(6)])


def audit(name, **options):
    """Audit one of the targets at epsilon 1."""
    return audit_mechanism(f"{FILE}:{name}", epsilon="1", **options)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "right", "options"),
    [
        ("first_rows", "all_rows", {**ONE_ROW, "values": (1.0, 1.0)}),
        ("wraps", "adds", {}),
        ("in_single_precision", "total", {}),
        ("names_of_ten_letters", "names_of_any_length", {"delta": "1e-3"}),
        ("unbounded", "bounded", {**ONE_ROW, "values": (-100.0, 100.0)}),
        ("mean_in_tenths", "mean", {"adjacency": "replace", "values": (0.0, 100.0)}),
        ("full", "all_rows", {**ONE_ROW, "keys": targets.SHOPS}),
        ("exempt", "total", {}),
        ("noisy_up_to_ten", "total", {}),
        ("hundreds", "total", {}),
        ("one_draw_for_all_keys", "same_noise_for_all_keys", {"delta": "1e-5", "detect": "0.02"}),
        ("less_noise_for_ten_keys", "same_noise_for_all_keys", {"delta": "1e-5", "detect": "0.02"}),
        (
            "less_noise_for_ten_partitions",
            "same_noise_for_all_partitions",
            {**ONE_ROW, "delta": "1e-5", "detect": "0.02"},
        ),
    ],
)
def test_a_fault_that_only_some_data_show_is_refuted_and_the_right_version_is_not(wrong, right, options):
    """With default settings, on data that nobody gave."""
    assert audit(wrong, **options).verdict is Verdict.REFUTED
    assert audit(right, **options, budget=300.0).verdict is Verdict.CONSISTENT


def test_texts_that_called_functions_compare_their_input_with_are_read(tmp_path):
    """Equality, membership, prefixes and patterns; not the texts of other functions and of messages."""
    file = tmp_path / "target.py"
    file.write_text(
        '''
import re
STAFF = {"root", "admin"}
WEIGHTS = {"gold": 3, **{"unread": 1}}
CODE = re.compile(r"code [0-9]{2}")
def release(histogram, rng):
    """Docstring."""
    for key in histogram:
        if key == "other" or key in STAFF or key in WEIGHTS or key.startswith("test_"):
            raise ValueError("message")
        if re.match(r"internal-\\d+", key) or CODE.fullmatch(key) or re.search("(", key):
            pass
        match key:
            case "left":
                pass
def elsewhere(key):
    return key == "unread"
'''
    )
    result = compared_texts([(str(file), 6, 8, 9)])
    assert set(result) == {"other", "root", "admin", "gold", "test_", "test_k0", "internal-0", "code 00", "left"}


@pytest.mark.slow
def test_a_violation_beyond_the_data_is_undecided_and_names_the_option():
    """A value of another magnitude, in data that have none of it; bounded values show nothing."""
    result, right = audit("unbounded", dataset=SMALL), audit("bounded", dataset=SMALL)
    assert result.verdict is Verdict.UNDECIDED
    assert "a value of" in result.detail
    assert "--values LOW:HIGH" in result.detail
    assert f"--values {SMALL.value_ends[0]!r}:{SMALL.value_ends[1]!r}" in result.would_take.command
    assert "it declares bounds of the data: write those of your data" in str(result.would_take)
    assert right.verdict is Verdict.CONSISTENT
    assert any("beyond your data and options" in note for note in right.notes)


@pytest.mark.slow
def test_a_block_on_data_that_never_ran_leaves_the_verdict_undecided():
    """The condition on noise alone is left to the noise."""
    result = audit("unreachable", **ONE_ROW, values=(1.0, 1.0))
    assert result.verdict is Verdict.UNDECIDED
    assert "user == 'root'" in result.detail
    assert "1000000" not in result.detail
    assert "--strategy FILE.py:STRATEGY" in result.would_take.command


@pytest.mark.slow
@pytest.mark.parametrize("name", ["skips_zeros", "refuses_zeros"])
def test_a_condition_on_counts_of_zero_leaves_no_doubt(name):
    """A count of 0 is tried beyond the data, so both ways of the condition run."""
    found = audit(name, delta="1e-5")
    assert found.verdict is Verdict.CONSISTENT, found.detail
    assert any("a count of 0" in note for note in found.notes)


@pytest.mark.slow
def test_a_key_without_users_refutes_only_if_the_data_have_one():
    """Otherwise the verdict is undecided and names the option."""
    beyond = audit("releases_zeros", delta="1e-5")
    assert beyond.verdict is Verdict.UNDECIDED
    assert "a count of 0 leads to a violation" in beyond.detail
    assert "--dataset with a count of 0 includes such data" in beyond.detail
    data = {"dataset": {"a": 3, "b": 0, "c": 9}, "delta": "1e-5"}
    assert audit("releases_zeros", **data).verdict is Verdict.REFUTED
    right = audit("skips_zeros", **data)
    assert right.verdict is Verdict.CONSISTENT, right.detail


@pytest.mark.slow
def test_last_bits_are_a_finding_of_their_own():
    """The headline says that floating point alone is at fault; whoever accepts that leaves it out."""
    result, ignored = audit("textbook"), audit("textbook", floating_point="ignore")
    assert result.verdict is Verdict.REFUTED
    assert "floating point alone" in result.detail
    assert ignored.verdict is Verdict.CONSISTENT
    assert "--floating-point ignore" in ignored.reproduce


@pytest.mark.parametrize("digits", range(9))
def test_numbers_of_few_decimals_have_no_last_bits(digits):
    """The grid distinguishes between few decimals, or few binary digits, in every column."""
    noise = np.random.default_rng(5).laplace(0, 3, (500, 2))
    noise[0] = np.nan, np.inf
    steps = np.array([2.0**-20, 2.0**-19])
    rounded = np.round(noise, digits)
    grid = np.round(rounded / steps) * steps
    injective = all(len(np.unique(a)) == len(np.unique(b)) for a, b in zip(grid.T, rounded.T, strict=True))
    assert has_last_bits(rounded, steps) is (digits > 5)
    assert has_last_bits(rounded, steps) or injective
    assert not has_last_bits(rounded, np.zeros(2))
    assert has_last_bits(np.round(noise * 2**digits) / 2**digits, steps * 2**16) is (digits > 3)


@pytest.mark.slow
def test_the_order_of_keys_is_a_finding_of_its_own(tmp_path):
    """The headline blames the order alone, unless sorted keys refute as well; sorted keys are right."""
    file = tmp_path / "target.py"
    file.write_text(
        """
def counts(rows, rng, scale=1.0):
    found = {}
    for _user, key, _value in rows:
        found[key] = found.get(key, 0) + 1
    noisy = {key: round(1024 * (count + rng.laplace(0, scale))) / 1024 for key, count in found.items()}
    return {key: value for key, value in noisy.items() if value > 13}
def half(rows, rng):
    return counts(rows, rng, 0.5)
def right(rows, rng):
    return dict(sorted(counts(rows, rng).items()))
"""
    )
    rows = Rows([(f"u{i}", "abc"[i % 3], 1.0) for i in range(120)])
    options = {"epsilon": "1", "delta": "1e-5", "dataset": rows, "detect": "0.05", "c_u": 1, "per_key": 1}
    order, half, right = (audit_mechanism(f"{file}:{name}", **options) for name in ("counts", "half", "right"))
    assert order.verdict is half.verdict is Verdict.REFUTED
    assert order.detail.startswith("order of keys alone: ")
    assert "dict(sorted(release.items()))" in order.detail
    assert not any("suspect" in line for line in order.where)
    assert half.detail.startswith("refutes ")
    assert right.verdict is Verdict.CONSISTENT
    ignored = audit_mechanism(f"{file}:counts", **options, key_order="ignore")
    assert ignored.verdict is Verdict.CONSISTENT
    assert "--key-order ignore" in ignored.reproduce


@pytest.mark.slow
def test_last_bits_are_not_blamed_for_an_event_that_rounding_keeps():
    """The first test has too few releases, and the empty input, which the target refuses, is no smaller pair."""
    few = audit("hundreds", samples=48)
    assert "floating point alone" not in few.detail
    strict = audit("textbook_by_index", samples=64, keys=("a",))
    assert strict.verdict is Verdict.REFUTED
    assert "floating point alone" in strict.detail
    assert "lowest set bit" in strict.detail
    assert strict.pair.left
    assert strict.pair.right


MEMBERS = Rows([(user, "tea", 1.0 + place % 4) for place, user in enumerate(targets.DISCOUNTS)])


@pytest.mark.slow
def test_a_target_that_looks_up_users_is_tested_with_the_users_of_the_data():
    """The exception on an invented user is no violation; a fault is found with the own users."""
    options = {"dataset": MEMBERS, "c_u": 1, "per_key": 1, "budget": 20.0, "detect": "0.1"}
    right, wrong = audit("members_only", **options), audit("members_twice", **options)
    assert right.verdict is Verdict.CONSISTENT, right.detail
    assert any("refuses users outside your data (KeyError" in note for note in right.notes)
    assert wrong.verdict is Verdict.REFUTED
    assert "KeyError" not in wrong.detail


@pytest.mark.slow
def test_the_declared_largest_count_bounds_every_invented_input():
    """Above it nothing is tried, so the block for more users never ran; with room for more, they refute."""
    assert audit("up_to_five_thousand", largest_count=8192).verdict is Verdict.REFUTED
    few = audit("up_to_five_thousand", largest_count=4000)
    assert few.verdict is Verdict.UNDECIDED
    assert "'total > 5000' was never true" in few.detail


@pytest.mark.slow
def test_an_exception_from_some_large_count_on_is_a_precondition():
    """No data and no option allow so many users; with the option, the exception is an output."""
    result = audit("in_32_bits", detect="0.1")
    assert result.verdict is Verdict.CONSISTENT, result.detail
    (note,) = (note for note in result.notes if "precondition" in note)
    assert "raises from 2147483648 users on (OverflowError" in note
    assert "--largest-count 2147483648" in note
    assert max(sum(side.values()) for pair in result.tried for side in (pair.left, pair.right)) < 2**31
    assert audit("in_32_bits", detect="0.1", largest_count=2**31).verdict is Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("name", ["not_at_one_count", "not_between", "not_above_two_hundred"])
def test_an_exception_that_shows_one_user_is_an_output(name):
    """It is no precondition: larger data are accepted, or any data may be as large."""
    result = audit(name, detect="0.1")
    assert result.verdict is Verdict.REFUTED
    assert "OverflowError" in result.detail
    assert not any("precondition" in note for note in result.notes)


@pytest.mark.slow
def test_more_users_than_the_data_have_are_tried_and_leave_the_verdict_undecided():
    """The data have six users; the sum of two counts wraps at 2^15."""
    data = {"a": 4, "b": 2}
    found, declared = (audit("wraps", dataset=data, **more) for more in ({}, {"largest_count": 2**16}))
    assert found.verdict is Verdict.UNDECIDED
    assert "2^15 users leads to a violation" in found.detail
    assert "--largest-count" in found.detail
    assert "--keys a,b" in found.would_take.command
    assert "--largest-count 1000" in found.would_take.command
    assert declared.verdict is Verdict.REFUTED


@pytest.mark.slow
def test_an_exception_on_a_value_within_the_range_of_the_data_is_an_output():
    """The user's own data raise as a whole; without them a single row shows it."""
    data = Rows([(f"u{i}", "ward", 1.0 + i % 8) for i in range(20)])
    result = audit("of_six_at_most", dataset=data, c_u=1, per_key=1)
    assert result.verdict is Verdict.REFUTED
    assert "ValueError: out of range" in result.detail


HARBOURS = Rows([(f"u{i}", key, 1.0) for i in range(12) for key in ("Inner Harbour", "Quay")])


@pytest.mark.slow
def test_keys_alike_but_for_case_are_tried_beyond_the_keys_of_the_data():
    """They lead to UNDECIDED with the option; whoever names them is refuted, and the right version is not."""
    options = {"dataset": HARBOURS, "budget": 30.0, "detect": "0.1"}
    found, right = (audit(name, **options) for name in ("tidied", "tidied_first"))
    assert found.verdict is Verdict.UNDECIDED
    assert "a key like 'Inner Harbour' but for case leads to a violation" in found.detail
    assert "--keys" in found.detail
    assert right.verdict is Verdict.CONSISTENT
    result = audit("tidied", **options, keys=("Inner Harbour", "inner harbour"))
    assert result.verdict is Verdict.REFUTED


@pytest.mark.slow
def test_the_empty_key_is_tried_and_leaves_the_verdict_undecided():
    """No histogram of the house has it; a target of others may get it."""
    result = audit("unlabelled", budget=30.0)
    assert result.verdict is Verdict.UNDECIDED
    assert "the empty key leads to a violation" in result.detail
