"""An accountant whose time grows with a size is asked for ever more, until an answer does not come in time."""

import time
from collections import Counter

import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.judge import Kind
from auditor.front.accountants import accountant_request
from mechanisms.gaussian_sparse_histogram import accountant
from proofs_numeric.statements.verdict import Verdict

MOST = 10**5


def grows(epsilon, c_u, sigma, gap):
    """Right, and as slow as a loop over the keys."""
    time.sleep(60 if c_u > MOST else 0)
    return accountant.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=0.0)


@pytest.mark.slow
def test_what_takes_as_long_as_its_keys_are_many_is_asked_for_few_large_sizes():
    """Once for each of ever smaller sizes at most; the finding says up to which one there were answers."""
    audit = audit_accountant(accountant_request(grows, "wilkins2024.thm5.4", max_examples=30, call_timeout=1.0))
    late = [int(call.point["c_u"]) for call in audit.calls if call.kind is Kind.UNANSWERED]
    assert late
    assert late == sorted(late, reverse=True)
    assert max(Counter(late).values()) == 1
    reached = max(int(call.point["c_u"]) for call in audit.calls if call.kind is not Kind.UNANSWERED)
    assert reached <= MOST < min(late)
    assert audit.verdict is Verdict.UNDECIDED
    assert f"not called afterwards for c_u >= {min(late)}; answered up to c_u={reached}" in audit.detail
    assert audit.judged > 30
