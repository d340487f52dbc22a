"""Definitions: privacy in both forms, sensitivities and the range of a score."""

from collections.abc import Mapping
from fractions import Fraction

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import stated
from proofs_numeric.statements.adjacency import AddRemoveUser
from proofs_numeric.statements.concentrated import Decomposition, hockey_stick

FiniteLaw = Mapping[str, Fraction]


def law(**masses: int) -> dict[str, Fraction]:
    """A law from integer masses."""
    total = sum(masses.values())
    return {outcome: Fraction(mass, total) for outcome, mass in masses.items() if mass}


HALVES, SKEWED, CERTAIN = law(y=1, n=1), law(y=3, n=2), law(y=1)


def lp_sensitivity(case: tuple[tuple[tuple[int, ...], tuple[int, ...]], int, int]) -> bool:
    """Whether a pair of statistic values respects the l_p bound given as its p-th power."""
    (left, right), p, bound_to_p = case
    return bool(sum(abs(x - y) ** p for x, y in zip(left, right, strict=True)) <= bound_to_p)


def score_range(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    """``max_{y,y'} (q(x,y) - q(x',y)) - (q(x,y') - q(x',y'))``."""
    changes = [x - y for x, y in zip(left, right, strict=True)]
    return max(changes) - min(changes)


def is_monotone_neighbour(case: tuple[dict[str, int], dict[str, int], int, int]) -> bool:
    """Whether two histograms differ by one user who changes at most D_0 labels by at most D_inf."""
    left, right, delta_0, delta_inf = case
    try:
        AddRemoveUser(delta_0, delta_inf).check(left, right)
    except ValueError:
        return False
    return True


CLAIMS = (
    stated(
        "def2.1", "Definition 2.1", "Approximate differential privacy",
        r"\Pr[A(x) \in S] \le e^\varepsilon \Pr[A(x') \in S] + \delta",
        Definition(
            accepts=lambda case: all(hockey_stick(p, q, case[2]) <= case[3] for p, q in (case[:2], case[1::-1])),
            members=(
                (HALVES, HALVES, Fraction(1), Fraction(0)), (SKEWED, law(y=2, n=3), Fraction(3, 2), Fraction(0)),
                (CERTAIN, law(y=9, n=1), Fraction(1), Fraction(1, 10)),
            ),
            non_members=(
                (SKEWED, law(y=2, n=3), Fraction(7, 5), Fraction(0)),
                (law(y=9, n=1), CERTAIN, Fraction(1000), Fraction(9, 100)),
            ),
        ),
        equation="(1)", note="Each example is (law of x, law of x', e^epsilon, delta), checked in both directions.",
    ),
    stated(
        "def2.2", "Definition 2.2", "Approximate concentrated differential privacy",
        r"P = (1-\delta)P' + \delta P'',\ D_\alpha(P'\|Q') \le \alpha\rho,\ D_\alpha(Q'\|P') \le \alpha\rho",
        Definition(
            accepts=lambda case: case[0].certifies(*case[1:], orders=(1, 2, 5, 50)),
            members=(
                (Decomposition(SKEWED, SKEWED, SKEWED, SKEWED), Fraction(0), Fraction(0)),
                (Decomposition(HALVES, SKEWED, HALVES, SKEWED), Fraction(0), Fraction(1, 20)),
                (Decomposition(law(y=9, new=1), CERTAIN, CERTAIN, CERTAIN), Fraction(1, 10), Fraction(0)),
            ),
            non_members=(
                (Decomposition(law(y=9, new=1), CERTAIN, CERTAIN, CERTAIN), Fraction(1, 20), Fraction(1)),
                (Decomposition(HALVES, SKEWED, HALVES, SKEWED), Fraction(0), Fraction(1, 100)),
            ),
        ),
        note="Each example is a decomposition (P, Q, P', Q') with delta and rho; alpha = 1 is Kullback-Leibler.",
    ),
    stated(
        "def.lp_sens", "Section 2", "l_p-sensitivity", r"\Delta_p(f) = \max_{x \sim x'} \|f(x) - f(x')\|_p",
        Definition(
            accepts=lp_sensitivity, members=((((1, 2), (0, 2)), 1, 1), (((3, 4), (0, 0)), 2, 25), (((5,), (5,)), 1, 0)),
            non_members=((((1, 2), (0, 0)), 1, 2), (((3, 4), (0, 0)), 2, 24)),
        ),
        note="Each example is ((f(x), f(x')), p, bound to the power p).",
    ),
    stated(
        "def.range", "Section 2", "Range of a quality score",
        r"\Delta(q) = \max_{y,y'} \max_{x \sim x'} (q(x,y) - q(x',y)) - (q(x,y') - q(x',y'))",
        Definition(
            accepts=lambda case: score_range(case[0], case[1]) == case[2],
            members=(((1, 0), (0, 0), 1), ((1, 0), (0, 1), 2), ((2, 2), (1, 1), 0)),
            non_members=(((1, 0), (0, 1), 1), ((1, 1), (0, 0), 1)),
        ),
        equation="display before Theorem 2",
        note="Called sensitivity in Theorems 2 and 5. A monotone score of sup-sensitivity 1 has range at most 1, any "
        "other at most 2: with the sup-sensitivity the mechanism is only 2 epsilon-DP.",
    ),
    stated(
        "def.l0linf", "Section 4", "(Delta_0, Delta_inf)-sensitive histograms",
        r"h \ge h',\ |\{i : c_i \ne c'_i\}| \le \Delta_0,\ |c_i - c'_i| \le \Delta_\infty",
        Definition(
            accepts=is_monotone_neighbour, members=(({"a": 3, "b": 1}, {"a": 1}, 2, 2), ({}, {"a": 1}, 1, 1)),
            non_members=(
                ({"a": 3}, {"a": 1}, 1, 1), ({"a": 1, "b": 1}, {}, 1, 1), ({"a": 2, "b": 1}, {"a": 1, "b": 2}, 2, 1),
            ),
        ),
        note="Each example is (h, h', Delta_0, Delta_inf). One user added or removed: all changes of one sign; the "
        "paper uses this silently in Theorems 7 to 10.",
    ),
)  # fmt: skip
