"""What one request for an audit of a mechanism means, whoever fills it."""

from auditor.engine.registry import registry
from auditor.mechanism_audit.options import OPTIONS
from auditor.mechanism_audit.request import MechanismRequest


def test_epsilon_and_c_u_are_parameters_of_a_claim():
    """`assert_private(m, claim, epsilon=1, c_u=2, sigma=3)` reads the claim at epsilon = 1 and c_u = 2."""
    claim = registry().claim("wilkins2024.thm5.4")
    request = MechanismRequest.of(max, claim, {"sigma": 3}, epsilon=1, c_u=2)
    assert request.parameters == {"sigma": 3, "epsilon": 1, "c_u": 2}
    assert request.stated.values == {}


def test_without_a_claim_they_are_the_bare_promise():
    """`assert_private(m, epsilon=1, delta="1e-5")` promises (1, 1e-5) for one key a user."""
    request = MechanismRequest.of(max, None, {}, epsilon=1, delta="1e-5")
    assert (request.parameters, request.stated.values, request.c_u) == ({}, {"epsilon": "1", "delta": "1e-5"}, None)


def test_names_of_keys_with_commas_are_quoted_and_read_back():
    """A key of several columns has commas; the command that repeats an audit has its name in quotes."""
    keys = ("2024-01-23, bread", 'a "b"', "mall", " x")
    option, _default, _type = OPTIONS["keys"]
    assert option.read_from(option.word(keys)) == keys
    assert option.read_from("mall,kiosk") == ("mall", "kiosk")
    assert option.read_from("") == ()
