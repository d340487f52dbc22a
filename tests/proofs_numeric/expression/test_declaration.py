"""Claims of expressions: a symbol that is no parameter is refused where the claim is declared."""

import pytest

from proofs_numeric.expression import Paper, at_most, exp, symbols
from proofs_numeric.statements.box import Box, Parameter, ParameterError
from proofs_numeric.statements.claim import Claim, Source

x, y = symbols("x y")


def claim(kind, *names):
    """A claim over these parameters."""
    return Claim(
        id="test.claim",
        source=Source("test", "here"),
        title="a claim",
        statement="",
        kind=kind,
        domain=Box(tuple(Parameter(name, "a number") for name in names)),
    )


def test_an_unknown_symbol_is_one_line_with_file_and_claim():
    """Of either side; the parameters and the remedy are in the line."""
    message = r"\A/.*:\d+: claim test\.claim: expected symbols among its parameters \(x\), got y; [a-z ]+\Z"
    for kind in (x <= exp(y), exp(y) <= x):
        with pytest.raises(ParameterError, match=message):
            claim(kind, "x")


def test_a_substitution_or_a_parameter_is_the_remedy():
    """Neither is refused, nor a parameter that no formula has."""
    kind = x <= exp(y)
    assert claim(kind, "x", "y", "z").kind is kind
    assert claim(x <= exp(y(y=x)), "x").domain.names == ("x",)


def test_a_domain_is_its_parameters_or_a_box():
    """A box where a constraint ties them."""
    given = (Parameter("x", "a number"), Parameter("y", "a number"))
    own = Paper("test").own
    assert own("row", "here", "a claim", None, x <= exp(y), domain=given).domain == Box(given)
    box = Box(given, at_most(x, y), "x <= y")
    assert own("row", "here", "a claim", None, x <= exp(y), domain=box).domain is box
