"""Section 4.3: partial sums of the binary mechanism over a declared universe."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from math import ceil, log2

from proofs_numeric.arithmetic.special import integral, normal_pdf
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.conversion import Promise
from proofs_numeric.rogers2024.enumeration import cells_of_event, cells_of_sum, floor_levels, levels
from proofs_numeric.rogers2024.neighbours import DECLARED_STREAM
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_11.statement import stream_rho
from proofs_numeric.rogers2024.thresholds import L, digits
from proofs_numeric.statements.box import points
from proofs_numeric.statements.kinds import sizes

partial_sums_profile = profile(epsilon, sqrt(delta_0 * digits(L)) / sigma)
"""Exact delta of the binary mechanism: a Gaussian shift over ``ceil(log2(L+1))`` cells of D_0 items."""
PARTIAL_SUMS = Promise(stream_rho(epsilon=1 / sigma))
"""``D_0 B/(2 sigma^2)`` of the binary mechanism over a declared universe."""


def partial_sums_by_quadrature(A: Arithmetic, *, epsilon: Number, L: int, delta_0: int, sigma: Number) -> Number:
    """The same with the cells of an event counted one by one and the hockey stick of the shift integrated."""
    mu = A.sqrt(A.number(sum(most_cells(L) for _item in range(delta_0)))) / A.number(sigma)
    epsilon = A.number(epsilon)
    start = epsilon / mu + mu / 2

    def excess(B: Arithmetic, x: Number) -> Number:
        return normal_pdf(B, x - mu) - B.exp(epsilon) * normal_pdf(B, x)

    ends = [start + n for n in range(41)]
    return A.sum(integral(A, excess, a, b) for a, b in pairwise(ends))


def up_to(size: int) -> Iterator[int]:
    """1, ..., size."""
    return iter(range(1, size + 1))


def noise_terms_corrected(round_: int) -> bool:
    """Number of noise terms = ones of l <= floor(log2(l+1)) <= ceil(log2(l+1)); the cells partition 1..l."""
    cells = cells_of_sum(round_)
    is_partition = [r for first, last in cells for r in range(first, last + 1)] == list(range(1, round_ + 1))
    return is_partition and round_.bit_count() == len(cells) <= floor_levels(round_) <= levels(round_)


def most_cells(L: int) -> int:
    """Most cells that one event lies in."""
    return max(len(cells_of_event(r, L)) for r in range(1, L + 1))


def cells_corrected(L: int) -> bool:
    """One event lies in at most ceil(log2(L+1)) cells, attained at round 1; cells of a sum are cells of its events."""
    lengths = [len(cells_of_event(r, L)) for r in range(1, L + 1)]
    return max(lengths) == lengths[0] == levels(L)


def sums_use_cells_of_events(L: int) -> bool:
    """Cell ``(r - low, r]`` is on the path of every event it contains: the two ways to list cells agree."""
    return all(
        (cell[1] in cells_of_event(event, L)) == (cell[0] <= event <= cell[1])
        for cell in {cell for r in range(1, L + 1) for cell in cells_of_sum(r)}
        for event in range(1, L + 1)
    )


def stream_sizes(size: int) -> Iterator[tuple[int, int]]:
    """(D_0, L)."""
    return product((1, 2, 3), up_to(size))


def _l2_seen(case: tuple[int, int]) -> dict[str, object]:
    delta_0, L = case
    sides = {"squared l2-sensitivity": delta_0 * levels(L), "(Delta_0 log2 L)^2": f"{(delta_0 * log2(L)) ** 2:g}"}
    return {"Delta_0": delta_0, "L": L, **sides}


def l2_printed(case: tuple[int, int]) -> bool:
    """Squared l2-sensitivity ``D_0 B`` equals ``(D_0 log2 L)^2``: only where L is a power of two at all."""
    delta_0, L = case
    exponent = L.bit_length() - 1
    return 2**exponent == L and delta_0 * levels(L) == (delta_0 * exponent) ** 2


def l2_corrected(case: tuple[int, int]) -> bool:
    """Squared l2-sensitivity is ``D_0 B``: D_0 items move by one in each cell of the longest path."""
    delta_0, L = case
    return delta_0 * most_cells(L) == delta_0 * levels(L)


def around_powers(size: int) -> Iterator[int]:
    """Stream lengths next to a power of two up to ``2^size``."""
    return (2**m + step for m in range(2, size + 1) for step in (-2, -1, 0, 1, 2))


def levels_in_doubles(L: int) -> int:
    """``ceil(log2(L + 1))`` by a rounded logarithm."""
    return ceil(log2(L + 1))


_POWERS, LENGTHS = sizes(60, 60, 60), sizes(64, 200, 600)

CLAIMS = (
    refuted(
        "bm.noise_terms", "Section 4.3", "At most log2(l) noise terms", r"\text{ones}(\ell) \le \log_2 \ell",
        FiniteStatement(
            up_to, lambda round_: 1 << len(cells_of_sum(round_)) <= round_, LENGTHS, "round",
            describe=lambda l: {"l": l, "noise terms": len(cells_of_sum(l)), "log2(l)": f"{log2(l):g}"},
        ),
        by="bm.noise_terms.corrected", note="False exactly at l = 2^m - 1.",
    ),
    stated(
        "bm.noise_terms.corrected", "Section 4.3", "The number of noise terms is the number of ones of l",
        r"\text{ones}(\ell) \le \lfloor\log_2(\ell+1)\rfloor",
        FiniteStatement(up_to, noise_terms_corrected, LENGTHS, "round"),
    ),
    stated(
        "bm.std", "Section 4.3", "Noise of every printed count",
        r"\text{std} \le \sigma\sqrt{\lfloor\log_2(L+1)\rfloor} = O(\log_2(L)/\varepsilon)",
        FiniteStatement(
            up_to, lambda L: all(len(cells_of_sum(r)) <= floor_levels(L) for r in range(1, L + 1)),
            sizes(64, 128, 400), "L",
        ),
        note="With sigma = 1/epsilon of Theorem 11; the printed order is for a fixed total loss.",
    ),
    refuted(
        "bm.cells_text", "Section 4.3", "One event changes at most log2(L) partial sums", r"\text{cells} \le \log_2 L",
        FiniteStatement(
            up_to, lambda L: 1 << most_cells(L) <= L, LENGTHS, "L",
            describe=lambda L: {"L": L, "partial sums of one event": most_cells(L), "log2(L)": f"{log2(L):g}"},
        ),
        by="bm.cells",
    ),
    refuted(
        "bm.l2", "Section 4.3", "l2-sensitivity Delta_0 log2(L)", r"\Delta_2 = \Delta_0 \log_2 L",
        FiniteStatement(stream_sizes, l2_printed, LENGTHS, "L", describe=_l2_seen), by="bm.l2.corrected",
    ),
    stated(
        "bm.l2.corrected", "Section 4.3", "l2-sensitivity sqrt(Delta_0 ceil(log2(L+1)))",
        r"\Delta_2 = \sqrt{\Delta_0\lceil\log_2(L+1)\rceil}",
        FiniteStatement(stream_sizes, l2_corrected, sizes(40, 100, 300), "L"),
    ),
    stated(
        "bm.cells", "Section 4.3", "Each event lies in at most ceil(log2(L+1)) partial sums",
        r"\text{cells} \le \lceil\log_2(L+1)\rceil", FiniteStatement(up_to, cells_corrected, LENGTHS, "L"),
        loose="attained only by the event of round 1",
    ),
    own(
        "bm.cells.membership", "Section 4.3", "Cells of sums and cells of events are the same table",
        r"r \in \text{path}(\ell) \iff \ell \in \text{cell}(r)",
        FiniteStatement(up_to, sums_use_cells_of_events, sizes(16, 32, 64), "L"),
    ),
    own(
        "bm.float_levels", "Section 4.3, in doubles", "The number of levels by a rounded logarithm",
        r"\text{fl}\lceil\log_2(L+1)\rceil = \lceil\log_2(L+1)\rceil",
        FiniteStatement(
            around_powers, lambda L: levels_in_doubles(L) == levels(L), _POWERS, "log2 L",
            describe=lambda L: {"L": L, "levels": levels(L), "by a rounded logarithm": levels_in_doubles(L)},
        ),
        expected=Expectation.REFUTED, corrected_by="rogers2024.bm.float_levels.corrected",
        note="First wrong at L = 2^49, one level short.",
    ),
    own(
        "bm.float_levels.corrected", "Section 4.3, in doubles", "A rounded logarithm counts every level that is needed",
        r"\lfloor\log_2(L+1)\rfloor \le \text{fl}\lceil\log_2(L+1)\rceil \le \lceil\log_2(L+1)\rceil",
        FiniteStatement(
            around_powers, lambda L: floor_levels(L) <= levels_in_doubles(L) <= levels(L), _POWERS, "log2 L"
        ),
        note="The missing level costs nothing (rogers2024.sharp.binary, rogers2024.sharp.binary.rho); it only differs "
        "from print.",
    ),
    stated(
        "bm.example", "Section 4.3", "Partial sums of rounds 8 and 10", r"8: [1..8];\quad 10: [1..8], [9..10]",
        FiniteStatement(
            lambda _size: iter(((8, ((1, 8),)), (10, ((1, 8), (9, 10))))),
            lambda case: tuple(cells_of_sum(case[0])) == case[1], sizes(2, 2, 2), "examples", complete=True,
        ),
    ),
    own(
        "bm.profile", "Section 4.3", "Exact privacy profile of the binary mechanism", None,
        DeltaBound(
            partial_sums_profile, oracle=partial_sums_by_quadrature,
            oracle_points=points("epsilon L delta_0 sigma", (0, 1, 1, 1), (1, 4, 2, 2), ("1/2", 11, 1, "3/2")),
        ),
        domain=(LEVEL, ROUNDS, DELTA_0, replace(SIGMA, lower="1e-3")),
        falls=("epsilon", "sigma"), rises=("L", "delta_0"), privacy=DECLARED_STREAM, promise=PARTIAL_SUMS,
    ),
)  # fmt: skip
