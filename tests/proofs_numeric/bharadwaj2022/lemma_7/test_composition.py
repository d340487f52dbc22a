"""Basic composition against what long paths show."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.lemma_7.composition import BASIC, basic, shown_path


@pytest.mark.parametrize("point", BASIC["points"], ids=str)
def test_a_composition_that_forgets_to_divide_epsilon_is_seen(point):
    """Sixty-four levels, each at the whole epsilon, promise a hundredth of what a path shows."""

    def forgetful(A, *, epsilon, p, tau, levels):
        return levels * cells.tight_rate(A, epsilon=A.number(epsilon), p=p, tau=tau)

    at = {**point, "epsilon": Fraction(point["epsilon"]), "p": Fraction(point["p"])}
    shown = enclose(shown_path, at, 10)
    assert enclose(forgetful, at, 10).upper < shown.lower / 100
    assert shown.upper < enclose(basic, at, 10).lower


def test_one_level_is_shown_exactly():
    """One level, tau = 1: of 2 and 4 clients with p = 1/2 one leaves; in rationals at e^epsilon = 1."""
    at = {"epsilon": Fraction(0), "p": Fraction(1, 2), "tau": 1, "levels": 1}
    assert enclose(shown_path, at, 10).lower == pytest.approx(1 / 2)
    two = {**at, "tau": 2}  # p^2 = 1/4, above the 11/16 - 1/2 of four clients
    assert enclose(shown_path, two, 10).lower == pytest.approx(1 / 4)
