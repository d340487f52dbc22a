"""Definitions without a number: sensitivities and the range of a score."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import stated
from proofs_numeric.statements.adjacency import AddRemoveUser


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
