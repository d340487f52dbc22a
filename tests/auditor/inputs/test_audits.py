"""Audits find the data that show a fault, say what they could not reach, and keep last bits apart from noise."""

import pytest

from auditor.inputs.constants import compared_texts
from auditor.inputs.data import Rows
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.inputs import targets
from tests.auditor.mechanism_audit.asked import audit_mechanism

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
        ("first_rows", "all_rows", {**ONE_ROW, "keys": targets.SHOPS, "values": (1.0, 1.0)}),
        ("wraps", "adds", {}),
        ("unbounded", "bounded", {**ONE_ROW, "values": (-100.0, 100.0)}),
        ("full", "all_rows", {**ONE_ROW, "keys": targets.SHOPS}),
        ("exempt", "total", {}),
        ("noisy_up_to_ten", "total", {}),
        ("hundreds", "total", {}),
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
CODE = re.compile(r"code [0-9]{2}")
def release(histogram, rng):
    """Docstring."""
    for key in histogram:
        if key == "other" or key in STAFF or key.startswith("test_"):
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
    found = compared_texts([(str(file), 5, 7, 8)])
    assert set(found) == {"other", "root", "admin", "test_", "test_k0", "internal-0", "code 00", "left"}


@pytest.mark.slow
def test_a_violation_beyond_the_data_is_undecided_and_names_the_option():
    """A value of another magnitude, in data that have none of it; bounded values show nothing."""
    found, right = audit("unbounded", dataset=SMALL), audit("bounded", dataset=SMALL)
    assert found.verdict is Verdict.UNDECIDED
    assert "a value of" in found.detail
    assert "--values LOW:HIGH" in found.detail
    assert right.verdict is Verdict.CONSISTENT
    assert any("beyond your data and options" in note for note in right.notes)


@pytest.mark.slow
def test_a_block_on_data_that_never_ran_leaves_the_verdict_undecided():
    """The condition on noise alone is left to the noise."""
    found = audit("unreachable", **ONE_ROW, values=(1.0, 1.0))
    assert found.verdict is Verdict.UNDECIDED
    assert "user == 'root'" in found.detail
    assert "1000000" not in found.detail


@pytest.mark.slow
def test_last_bits_are_a_finding_of_their_own():
    """The headline says that floating point alone is at fault; whoever accepts that leaves it out."""
    found, ignored = audit("textbook"), audit("textbook", floating_point="ignore")
    assert found.verdict is Verdict.REFUTED
    assert "floating point alone" in found.detail
    assert ignored.verdict is Verdict.CONSISTENT
    assert "--floating-point ignore" in ignored.reproduce
