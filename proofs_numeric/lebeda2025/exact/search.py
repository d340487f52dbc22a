"""A search over all forward pairs, where the collapse fails."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs_numeric.lebeda2025.exact.analysis import exact_delta, maximum_by_blocks
from proofs_numeric.lebeda2025.exact.cover import Bounds, Cell
from proofs_numeric.lebeda2025.exact.pair import forward, worst_change
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.lebeda2025.section_3.collapse import tie


def searched_cases(size: int) -> Iterator[tuple[int, str]]:
    """Sparsity up to ``size`` and delta at which every forward pair is searched."""
    return ((k, delta) for k, delta in ((2, "1e-6"), (16, "1e-5"), (64, "1e-5")) if k <= size)


def search_decides(case: tuple[int, str]) -> bool:
    """Whether, at ``A_k = G_k = delta`` and epsilon = 0, the search gives delta to 20 bits, inside the bracket."""
    k, delta = case
    sigma, gap = tie(k, Fraction(delta))
    with Ball(64) as A:
        at = {"epsilon": A.number(0), "k": k, "sigma": A.number(sigma), "gap": A.number(gap)}
        value, bounds = exact_delta(A, **at), Bounds(A, **at)
        top = maximum_by_blocks(A, lambda a, b: bounds.by_ceiling(Cell(a, b, 1, k - a)), 1, k - 1, bounds.two)
        return bool(bounds.two < value < top and value.rel_accuracy_bits() >= 20)


def _at_the_worst_change(A: Arithmetic, *, k: int, l: int, **at: Any) -> Any:
    """The pair whose j would be the worst if nothing were new."""
    return forward(A, **{**at, "k": k, "l": l, "j": worst_change(k, k - l)})


CLAIMS = (
    own(
        "csh.exact.worst_change", "Section 8 (open problem)",
        "beside new counters the worst number of changes is the one that is worst without them",
        r"\delta_{l,j}^{\to}(\epsilon) \le \delta_{l,j^*(k-l)}^{\to}(\epsilon)",
        Inequality(forward, _at_the_worst_change),
        domain=Box(
            (replace(EPSILON, upper=5), replace(K_SMALL, upper=8), SMALL_SIGMA, SMALL_GAP, L, J),
            lambda *, k, l, j, **_rest: l + j <= k, "l + j <= k",
        ),
        expected=Expectation.REFUTED, corrected_by="lebeda2025.csh.exact", quantity=QuantityKind.PROBABILITY,
        points=({"epsilon": "0.7", "k": 5, "sigma": 3, "gap": 8, "l": 2, "j": 2},),
        note="0.0286 at j = 2, 0.0271 at j* = 3: fewer changes, for what the mean tells goes with silence. A search "
        "over j is not monotone up to j*.",
        cost=5,
    ),
    own(
        "csh.exact.search", "Section 8 (open problem)",
        "where the collapse fails a search over all forward pairs decides the exact delta",
        r"\max(A_k, G_k) < \max_{l,j} \delta_{l,j}(0) < \max_l [1 - (1 - A_l)(1 - dg(k-l))], A_k = G_k",
        FiniteStatement(searched_cases, search_decides, sizes(2, 16, 64), "sparsity"),
        note="every pair that may be the largest is enclosed",
    ),
)  # fmt: skip
