"""Parameters that share a name with a switch belong to the claim, where there is one."""

from __future__ import annotations

from auditor.mechanism_audit.promise import promised


def test_epsilon_and_c_u_are_parameters_of_a_claim():
    """`assert_private(m, claim, epsilon=1, c_u=2, sigma=3)` reads the claim at epsilon = 1 and c_u = 2."""
    assert promised("a.claim", {"sigma": 3}, epsilon=1, delta=None, c_u=2) == {
        "parameters": {"sigma": 3, "epsilon": 1, "c_u": 2}
    }


def test_without_a_claim_they_are_the_bare_promise():
    """`assert_private(m, epsilon=1, delta="1e-5")` promises (1, 1e-5) for one key a user."""
    assert promised(None, {}, epsilon=1, delta="1e-5", c_u=None) == {
        "parameters": {},
        "epsilon": "1",
        "delta": "1e-5",
        "c_u": 1,
    }
