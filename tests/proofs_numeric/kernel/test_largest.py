"""Attacks on largest terms: the term at any place stands for the largest, and no place that there is not."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.largest import largest_term
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, Source
from proofs_numeric.statements.kinds import Identity, Inequality, Relation
from proofs_numeric.statements.tactics import Both, Hypothesis, Largest, Sign

X = Parameter("x", "")
COUNT = Parameter("c", "", lower=1, integer=True)


def claim(kind, *parameters, constraint=None):
    """A claim of the kind over x >= 0 and a number of terms from 1 on, unless said."""
    domain = Box(parameters or (X, COUNT), constraint, "said" if constraint else "")
    return Claim(id="test.claim", source=Source("test", "here"), title="", statement="", kind=kind, domain=domain)


def largest(term, number=lambda c: c):
    """The largest of ``term(A, a, x, c)`` over a."""
    return lambda A, *, x, c: largest_term(A, lambda a: term(A, a, A.number(x), c), number(c))


falling = lambda _A, a, x, _c: x / (a + 1)  # ``x/(a + 1)``
towards_the_last = lambda _A, a, x, c: x / (c - a)  # ``x/(c - a)``
x_itself = lambda A, *, x, c: A.number(x)  # the largest of both


def place(value):
    """An integer at which there may be a term."""
    return lambda _A, **_at: value


FIRST = Largest("place", Both(Sign(), Hypothesis()), (place(0),))

twice = lambda A, *, x, c: sum(largest(term)(A, x=x, c=c) for term in (falling, towards_the_last))  # two largest terms

TRUE = {
    "none is above the first": Inequality(largest(falling), x_itself, proof=Largest("place", Sign())),
    "the first is the largest": Identity(largest(falling), x_itself, proof=FIRST),
    "none is above the last": Inequality(largest(towards_the_last), x_itself, proof=Largest("place", Sign())),
    "the last is the largest": Identity(
        largest(towards_the_last),
        x_itself,
        proof=Largest("place", Both(Sign(), Hypothesis()), (lambda _A, *, c, **_x: c - 1,)),
    ),
}
FALSE = {
    "half of the first": claim(
        Inequality(largest(falling), lambda A, *, x, c: A.number(x) / 2, proof=Largest("place", Sign()))
    ),
    "the last is the largest": claim(
        Identity(largest(falling), lambda A, *, x, c: A.number(x) / c, proof=Largest("place", Both(Sign(), Sign())))
    ),
    "strictly below the first": claim(
        Inequality(largest(falling), x_itself, Relation.LESS, proof=Largest("place", Sign()))
    ),
    "without the hypothesis of the first": claim(
        Identity(largest(falling), x_itself, proof=Largest("place", Both(Sign(), Hypothesis())))
    ),
    "a second that there may not be": claim(
        Identity(
            largest(lambda A, a, x, c: -x * (a - 1) ** 2),
            lambda A, *, x, c: A.number(0),
            proof=Largest("place", Both(Sign(), Hypothesis()), (place(1),)),
        )
    ),
    "one before the first": claim(Identity(largest(falling), x_itself, proof=Largest("place", Both(), (place(-1),)))),
    "between the terms": claim(
        Identity(largest(falling), x_itself, proof=Largest("place", Both(), (place(Fraction(1, 2)),)))
    ),
    "of one more": claim(Inequality(largest(falling, lambda c: c + 1), x_itself, proof=Largest("place", Sign()))),
    "of none": claim(
        Inequality(largest(falling), x_itself, proof=Largest("place", Sign())), X, Parameter("c", "", integer=True)
    ),
    "of a real number": claim(
        Inequality(largest(falling), x_itself, proof=Largest("place", Sign())), X, Parameter("c", "", lower=1)
    ),
    "of two": claim(Inequality(twice, lambda A, *, x, c: 2 * A.number(x), proof=Largest("place", Sign()))),
    "where there is none": claim(Inequality(x_itself, x_itself, proof=Largest("place", Sign()))),
    "under a constraint": claim(
        Inequality(largest(falling), x_itself, proof=Largest("place", Sign())), constraint=lambda *, x, c: x <= c
    ),
    "at a place that is a parameter": claim(Inequality(largest(falling), x_itself, proof=Largest("x", Sign()))),
    "not defined at the last": claim(
        Inequality(largest(lambda _A, a, x, c: x / (c - 1 - a)), x_itself, proof=Largest("place", Sign()))
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_the_largest_term_is_one_of_them(name):
    """Closed for any number of terms."""
    assert prove(claim(TRUE[name]), {}).scope == ""


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_of_the_largest_term_is_refused(name):
    """Each is false, or speaks of terms that there may not be."""
    with pytest.raises(TacticError):
        prove(FALSE[name], {})


def test_a_search_that_misses_the_largest_is_found_out():
    """The formula in balls is held against all terms, of few."""
    missed = lambda A, *, x, c: largest_term(A, lambda a: A.number(x) / (a + 1), c, lambda B: B.number(x) / c)

    with pytest.raises(TacticError):
        prove(claim(Inequality(missed, x_itself, proof=Largest("place", Sign()))), {})


def test_the_largest_of_several_numbers():
    """Of 1, 1/2 and 1/3 in balls, and by a search that knows it."""
    with Ball(64) as A:
        assert largest_term(A, lambda a: A.number(1) / (a + 1), 3) == 1
        assert largest_term(A, lambda a: A.number(1) / (a + 1), 3, lambda B: B.number(1)) == 1
