"""Section 4.3: the binary mechanism, the Unknown Domain Binary Mechanism and Theorem 11."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.claim import (
    Box,
    Calibration,
    Claim,
    DeltaBound,
    FiniteStatement,
    Identity,
    Inequality,
    Parameter,
    QuantityKind,
    Role,
)
from proofs_numeric.concentrated import approximate_delta_upper
from proofs_numeric.rogers2024.enumeration import (
    cells_of_event,
    cells_of_sum,
    floor_levels,
    levels,
    rounds_by_digits,
)
from proofs_numeric.rogers2024.laws import above_any, gaussian_tail
from proofs_numeric.rogers2024.parameters import (
    ALPHA,
    DELTA,
    DELTA_0,
    DELTA_LINEAR,
    EPSILON,
    LEVEL,
    ROUNDS,
    SIGMA,
    ours,
    printed,
)
from proofs_numeric.rogers2024.preliminaries import em_rho, em_rho_naive
from proofs_numeric.special import gaussian_profile, integral, normal_cdf, normal_pdf, normal_quantile_complement
from proofs_numeric.verdict import Expectation

# --- thresholds -------------------------------------------------------------------------------------------------------


def _threshold(A: Arithmetic, terms: int, L: Any, delta_0: Any, epsilon: Any, delta: Any) -> Any:
    quantile = normal_quantile_complement(A, A.number(delta) / (delta_0 * L))
    return 1 + A.sqrt(A.number(terms)) / A.number(epsilon) * quantile


def threshold_of_statement(A: Arithmetic, *, L: int, delta_0: Any, epsilon: Any, delta: Any) -> Any:
    """``T = 1 + sigma sqrt(ceil(log2(L+1)) + 1) z(delta/(D_0 L))`` with ``sigma = 1/epsilon`` (counts)."""
    return _threshold(A, levels(L) + 1, L, delta_0, epsilon, delta)


def threshold_of_proof(A: Arithmetic, *, L: int, delta_0: Any, epsilon: Any, delta: Any) -> Any:
    """``T = 1 + sigma sqrt(ceil(log2(L+1))) z(delta/(D_0 L))`` with ``sigma = 1/epsilon`` (counts)."""
    return _threshold(A, levels(L), L, delta_0, epsilon, delta)


def threshold_of_floor(A: Arithmetic, *, L: int, delta_0: Any, epsilon: Any, delta: Any) -> Any:
    """``T = 1 + sigma sqrt(floor(log2(L+1))) z(delta/(D_0 L))``: the most noise terms any round adds."""
    return _threshold(A, floor_levels(L), L, delta_0, epsilon, delta)


def union_mass(A: Arithmetic, *, value: Any, L: int, delta_0: Any, epsilon: Any, delta: Any) -> Any:
    """``D_0 sum_r Phi(-(T-1)/(sigma sqrt(ones(r))))``: union over items and rounds, each with its own noise terms."""
    lead = (A.number(value) - 1) * A.number(epsilon)
    return delta_0 * A.sum(
        rounds * gaussian_tail(A, lead / A.sqrt(A.number(ones))) for ones, rounds in rounds_by_digits(L).items()
    )


def first_round_mass_of_statement(A: Arithmetic, *, L: int, delta_0: Any, epsilon: Any, delta: Any) -> Any:
    """Exact Pr[some of D_0 items new at round 1 is printed at round 1] at the statement's T: a part of Pr[not E]."""
    lead = (threshold_of_statement(A, L=L, delta_0=delta_0, epsilon=epsilon, delta=delta) - 1) * A.number(epsilon)
    return above_any(A, delta_0, gaussian_tail(A, lead))


def union_at_proof_threshold(A: Arithmetic, **parameters: Any) -> Any:
    """:func:`union_mass` at the proof's T."""
    return union_mass(A, value=threshold_of_proof(A, **parameters), **parameters)


def target(A: Arithmetic, *, delta: Any, **_parameters: Any) -> Any:
    """``delta``."""
    return A.number(delta)


def stream_new_mass_at(A: Arithmetic, *, lead: Any, L: int, delta_0: Any) -> Any:
    """Exact Pr[not E] of U1 for ``L`` in 1, 2, 3: D_0 items new at round 1, never seen again.

    ``lead = (T - 1)/sigma``.  Sums S_1, S_2 are independent; S_3 = S_2 + a fresh cell.
    """
    q = gaussian_tail(A, lead)
    if L == 1:
        survival_loss = q
    elif L == 2:
        survival_loss = q * (2 - q)
    else:
        # 1 - Phi(x) E[1{S_2 <= x} Phi(x - S_2)] with the loss of the average written as q + J.
        loss = q + _joint_loss(A, lead)
        survival_loss = q + loss - q * loss
    return above_any(A, delta_0, survival_loss)


def _joint_loss(A: Arithmetic, lead: Any) -> Any:
    def integrand(B: Arithmetic, u: Any) -> Any:
        return normal_pdf(B, u) * normal_cdf(B, u - lead)

    reach = 40
    return A.sum(integral(A, integrand, lead + i, lead + i + 4) for i in range(-2 * reach, 0, 4))


def stream_new_mass(A: Arithmetic, *, L: int, delta_0: Any, delta: Any) -> Any:
    """Pr[not E] of U1 at the proof's T."""
    lead = A.sqrt(A.number(levels(L))) * normal_quantile_complement(A, A.number(delta) / (delta_0 * L))
    return stream_new_mass_at(A, lead=lead, L=L, delta_0=delta_0)


# --- rho --------------------------------------------------------------------------------------------------------------


def stream_rho(A: Arithmetic, *, L: int, delta_0: Any, epsilon: Any) -> Any:
    """``D_0 ceil(log2(L+1)) epsilon^2 / 2``."""
    epsilon = A.number(epsilon)
    return A.number(delta_0) * levels(L) * epsilon * epsilon / 2


def stream_renyi(A: Arithmetic, *, alpha: Any, L: int, delta_0: Any, sigma: Any) -> Any:
    """``alpha D_0 B / (2 sigma^2)``: Gaussian partial sums, D_0 items in B cells each."""
    return A.number(alpha) * delta_0 * levels(L) / (2 * A.number(sigma) * sigma)


def stream_renyi_without_half(A: Arithmetic, *, alpha: Any, L: int, delta_0: Any, sigma: Any) -> Any:
    """``alpha D_0 B / sigma^2``, as printed."""
    return 2 * stream_renyi(A, alpha=alpha, L=L, delta_0=delta_0, sigma=sigma)


def stream_bound(A: Arithmetic, *, epsilon: Any, L: int, delta_0: Any, sigma: Any, delta: Any) -> Any:
    """Delta that delta-approximate ``D_0 B/(2 sigma^2)``-CDP implies at ``epsilon``."""
    rho = stream_rho(A, L=L, delta_0=delta_0, epsilon=1 / A.number(sigma))
    return approximate_delta_upper(A, rho=rho, delta=delta, epsilon=epsilon)


def partial_sums_profile(A: Arithmetic, *, epsilon: Any, L: int, delta_0: Any, sigma: Any) -> Any:
    """Exact delta of the binary mechanism: a Gaussian shift over ``ceil(log2(L+1))`` cells of D_0 items."""
    return gaussian_profile(A, A.number(epsilon), A.sqrt(A.number(delta_0) * levels(L)) / sigma)


def stream_worst_known(A: Arithmetic, *, epsilon: Any, L: int, delta_0: Any, sigma: Any, delta: Any) -> Any:
    """Profile of U2 without censoring: D_0 items on the longest later path, ``floor(log2 L)`` cells."""
    cells = L.bit_length() - 1
    return gaussian_profile(A, A.number(epsilon), A.sqrt(A.number(cells) * delta_0) / sigma)


def conditional_survival(A: Arithmetic, *, x: Any, y: Any) -> Any:
    """``Pr[S_2 <= T | S_3 = y]`` on ({}, {u}, {u}), sigma = 1, ``x = T - 1``: ``Phi(sqrt(2)(x - (y-2)/2))``."""
    return normal_cdf(A, A.sqrt(2) * (A.number(x) - (A.number(y) - 2) / 2))


def unconditional_survival(A: Arithmetic, *, x: Any, y: Any) -> Any:
    """``Pr[E] = Pr[S_2 <= T] = Phi(x)``."""
    return normal_cdf(A, A.number(x))


# --- counting ---------------------------------------------------------------------------------------------------------


def up_to(size: int) -> Iterator[int]:
    """1, ..., size."""
    return iter(range(1, size + 1))


def noise_terms_printed(round_: int) -> bool:
    """Number of ones of l is at most log2(l): ``2^ones <= l``."""
    return 1 << len(cells_of_sum(round_)) <= round_


def noise_terms_corrected(round_: int) -> bool:
    """Number of noise terms = ones of l <= floor(log2(l+1)) <= ceil(log2(l+1)); the cells partition 1..l."""
    cells = cells_of_sum(round_)
    covered = [r for first, last in cells for r in range(first, last + 1)]
    return (
        len(cells) == round_.bit_count()
        and covered == list(range(1, round_ + 1))
        and len(cells) <= floor_levels(round_) <= levels(round_)
    )


def popcount_is_bounded(L: int) -> bool:
    """``max_{l <= L} ones(l) = floor(log2(L+1)) <= ceil(log2(L+1))``."""
    return max(r.bit_count() for r in range(1, L + 1)) == floor_levels(L) <= levels(L)


def cells_printed(L: int) -> bool:
    """One event lies in at most log2(L) cells: ``2^cells <= L``."""
    return 1 << max(len(cells_of_event(r, L)) for r in range(1, L + 1)) <= L


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
    return product((1, 2, 3), range(1, size + 1))


def l2_printed(case: tuple[int, int]) -> bool:
    """Squared l2-sensitivity ``D_0 B`` equals ``(D_0 log2 L)^2``: only where L is a power of two at all."""
    delta_0, L = case
    exponent = L.bit_length() - 1
    return 2**exponent == L and delta_0 * levels(L) == (delta_0 * exponent) ** 2


def l2_corrected(case: tuple[int, int]) -> bool:
    """Squared l2-sensitivity is ``D_0 B``: D_0 items move by one in each cell of the longest path."""
    delta_0, L = case
    moved = max(delta_0 * len(cells_of_event(r, L)) for r in range(1, L + 1))
    return moved == delta_0 * levels(L)


def example_cells(case: tuple[int, tuple[tuple[int, int], ...]]) -> bool:
    """Cells of the paper's examples."""
    round_, cells = case
    return tuple(cells_of_sum(round_)) == cells


def noise_scale_is_bounded(L: int) -> bool:
    """Variance of every printed count, in units of sigma^2, is at most floor(log2(L+1))."""
    return all(len(cells_of_sum(r)) <= floor_levels(L) for r in range(1, L + 1))


_COUNTS = {"quick": 64, "standard": 200, "deep": 600}
_T_BOX = Box((ROUNDS, DELTA_0, EPSILON, DELTA))
_HALF_BOX = Box(
    _T_BOX.parameters, lambda L, delta_0, delta, **_rest: 2 * delta <= delta_0 * L, "2 delta <= delta_0 * L"
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.bm.noise_terms",
        source=printed("Section 4.3"),
        title="E15: at most log2(l) noise terms",
        statement=r"\text{ones}(\ell) \le \log_2 \ell",
        kind=FiniteStatement(up_to, noise_terms_printed, _COUNTS, "round"),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.bm.noise_terms.corrected",
        note="False exactly at l = 2^m - 1.",
    ),
    Claim(
        id="rogers2024.bm.noise_terms.corrected",
        source=printed("Section 4.3"),
        title="The number of noise terms is the number of ones of l",
        statement=r"\text{ones}(\ell) \le \lfloor\log_2(\ell+1)\rfloor",
        kind=FiniteStatement(up_to, noise_terms_corrected, _COUNTS, "round"),
    ),
    Claim(
        id="rogers2024.bm.std",
        source=printed("Section 4.3"),
        title="Noise of every printed count",
        statement=r"\text{std} \le \sigma\sqrt{\lfloor\log_2(L+1)\rfloor} = O(\log_2(L)/\varepsilon)",
        kind=FiniteStatement(up_to, noise_scale_is_bounded, {"quick": 64, "standard": 128, "deep": 400}, "L"),
        note="With sigma = 1/epsilon of Theorem 11; the printed order is for a fixed total loss.",
    ),
    Claim(
        id="rogers2024.bm.cells_text",
        source=printed("Section 4.3"),
        title="E15: one event changes at most log2(L) partial sums",
        statement=r"\text{cells} \le \log_2 L",
        kind=FiniteStatement(up_to, cells_printed, _COUNTS, "L"),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.bm.cells",
    ),
    Claim(
        id="rogers2024.bm.l2",
        source=printed("Section 4.3"),
        title="E16: l2-sensitivity Delta_0 log2(L)",
        statement=r"\Delta_2 = \Delta_0 \log_2 L",
        kind=FiniteStatement(stream_sizes, l2_printed, _COUNTS, "L"),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.bm.l2.corrected",
    ),
    Claim(
        id="rogers2024.bm.l2.corrected",
        source=printed("Section 4.3"),
        title="l2-sensitivity sqrt(Delta_0 ceil(log2(L+1)))",
        statement=r"\Delta_2 = \sqrt{\Delta_0\lceil\log_2(L+1)\rceil}",
        kind=FiniteStatement(stream_sizes, l2_corrected, {"quick": 40, "standard": 100, "deep": 300}, "L"),
    ),
    Claim(
        id="rogers2024.bm.cells",
        source=printed("Section 4.3"),
        title="Each event lies in at most ceil(log2(L+1)) partial sums",
        statement=r"\text{cells} \le \lceil\log_2(L+1)\rceil",
        kind=FiniteStatement(up_to, cells_corrected, _COUNTS, "L"),
        loose="attained only by the event of round 1",
    ),
    Claim(
        id="rogers2024.bm.cells.membership",
        source=ours("Section 4.3"),
        title="Cells of sums and cells of events are the same table",
        statement=r"r \in \text{path}(\ell) \iff \ell \in \text{cell}(r)",
        kind=FiniteStatement(up_to, sums_use_cells_of_events, {"quick": 16, "standard": 32, "deep": 64}, "L"),
    ),
    Claim(
        id="rogers2024.bm.example",
        source=printed("Section 4.3"),
        title="Partial sums of rounds 8 and 10",
        statement=r"8: [1..8];\quad 10: [1..8], [9..10]",
        kind=FiniteStatement(
            lambda _size: iter(((8, ((1, 8),)), (10, ((1, 8), (9, 10))))),
            example_cells,
            {"quick": 2, "standard": 2, "deep": 2},
            "examples",
            complete=True,
        ),
    ),
    Claim(
        id="rogers2024.bm.profile",
        source=ours("Section 4.3"),
        title="Exact privacy profile of the binary mechanism",
        statement=r"\delta(\varepsilon) = f(\sqrt{\Delta_0\lceil\log_2(L+1)\rceil}/\sigma, \varepsilon)",
        kind=DeltaBound(partial_sums_profile),
        domain=Box((LEVEL, ROUNDS, DELTA_0, replace(SIGMA, lower="1e-3"))),
        quantity=QuantityKind.DELTA,
    ),
    Claim(
        id="rogers2024.thm11.T_stmt",
        source=printed("Theorem 11"),
        title="Threshold of the statement",
        statement=r"T = 1 + \sigma\sqrt{\lceil\log_2(L+1)\rceil + 1}\,\Phi^{-1}(1 - \delta/(\Delta_0 L))",
        kind=Calibration(threshold_of_statement, union_mass, tight=False),
        domain=_HALF_BOX,
        quantity=QuantityKind.THRESHOLD,
        role=Role.CALIBRATION,
        points=({"L": 7, "delta_0": 1, "epsilon": 1, "delta": "1e-6"},),
        loose="the +1 under the root is not needed (rogers2024.thm11.T_proof)",
        note="Needs delta <= Delta_0 L / 2: else the quantile is negative and more variance lowers T (E3).",
    ),
    Claim(
        id="rogers2024.thm11.T_stmt.as_printed",
        source=printed("Theorem 11"),
        title="E3: the statement's threshold for any delta > 0",
        statement=r"\Pr[\text{a new item is printed at round 1}] \le \delta",
        kind=Inequality(first_round_mass_of_statement, target),
        domain=Box((replace(ROUNDS, upper=16, log=False), replace(DELTA_0, upper=8, log=False), EPSILON, DELTA_LINEAR)),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm11.T_proof",
        note="Only at L = Delta_0 = 1, delta > 1/2: at delta = .9 the mass is .96504.",
    ),
    Claim(
        id="rogers2024.thm11.T_proof",
        source=printed("Theorem 11, proof item 1"),
        title="Threshold of the proof",
        statement=r"T = 1 + \sigma\sqrt{\lceil\log_2(L+1)\rceil}\,\Phi^{-1}(1 - \delta/(\Delta_0 L))",
        kind=Calibration(threshold_of_proof, union_mass, tight=False),
        domain=_T_BOX,
        quantity=QuantityKind.THRESHOLD,
        role=Role.CALIBRATION,
        points=(
            {"L": 7, "delta_0": 1, "epsilon": 1, "delta": "1e-6"},
            {"L": 1, "delta_0": 1, "epsilon": 1, "delta": "0.9"},
        ),
        loose="floor(log2(L+1)) for the ceiling, or the union summed exactly (rogers2024.sharp.binary)",
    ),
    Claim(
        id="rogers2024.thm11.new_item_mass",
        source=ours("Theorem 11"),
        title="Exact mass of new items over streams of up to three rounds",
        statement=r"\Pr[\neg E],\ L \le 3",
        kind=DeltaBound(stream_new_mass),
        domain=Box(
            (
                replace(ROUNDS, upper=3, log=False),
                replace(DELTA_0, upper=1000),
                replace(DELTA, lower="1e-9", upper="1/2"),
            )
        ),
        quantity=QuantityKind.PROBABILITY,
        max_examples=8,
        note="Items new at round 1 that never return (pair U1), at the proof's threshold.",
    ),
    Claim(
        id="rogers2024.thm11.popcount",
        source=printed("Theorem 11, proof item 1"),
        title="Noise terms of any round",
        statement=r"\max_{\ell \le L}\text{ones}(\ell) = \lfloor\log_2(L+1)\rfloor \le \lceil\log_2(L+1)\rceil",
        kind=FiniteStatement(up_to, popcount_is_bounded, _COUNTS, "L"),
    ),
    Claim(
        id="rogers2024.thm11.union",
        source=printed("Theorem 11, proof item 1"),
        title="Union bound over items and rounds",
        statement=r"\Delta_0\sum_{r \le L}\Pr[N(0, \text{ones}(r)\sigma^2) \ge T - 1] \le \delta",
        kind=Inequality(union_at_proof_threshold, target),
        domain=_HALF_BOX,
        note="Covers release at every later round; that the rounds share noise is irrelevant to a union bound.",
    ),
    Claim(
        id="rogers2024.thm11.rho",
        source=printed("Theorem 11"),
        title="Unknown Domain Binary Mechanism: rho = Delta_0 ceil(log2(L+1)) epsilon^2/2",
        statement=r"\rho = \Delta_0\lceil\log_2(L+1)\rceil\varepsilon^2/2",
        kind=FiniteStatement(stream_sizes, l2_corrected, {"quick": 40, "standard": 100, "deep": 300}, "L"),
        domain=Box((ROUNDS, DELTA_0, EPSILON)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        evaluates=stream_rho,
        note="Event level. The table of partial sums moves by at most sqrt(Delta_0 B); truncation to the same "
        "half-spaces adds nothing (rogers2024.repair.thm11.half_space). The printed factorisation is false (E2).",
        loose="by one level: Delta_0 floor(log2 L) epsilon^2/2 suffices (rogers2024.sharp.binary.rho)",
    ),
    Claim(
        id="rogers2024.thm11.profile",
        source=ours("Theorem 11 and its best conversion"),
        title="Privacy profile that Theorem 11 promises",
        statement=r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ "
        r"\rho = \Delta_0\lceil\log_2(L+1)\rceil/(2\sigma^2)",
        kind=DeltaBound(stream_bound, exact=stream_worst_known),
        domain=Box((LEVEL, ROUNDS, DELTA_0, SIGMA, DELTA)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        max_examples=60,
    ),
    Claim(
        id="rogers2024.thm11.factor",
        source=printed("Theorem 11, proof item 2"),
        title="E2: the law of a stream factors",
        statement=r"\Pr[S_2 \le T \mid S_3 = y] = \Pr[S_2 \le T]",
        kind=Identity(conditional_survival, unconditional_survival),
        domain=Box(
            (
                Parameter("x", "(T - 1)/sigma", lower=0, upper=6),
                Parameter("y", "count printed at round 3", lower=0, upper=20),
            )
        ),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm11.rho",
        note="An item new at round 2 that returns at round 3: its suppressed count shares a partial sum with the "
        "printed one. At y = T + 6 the ratio is 0.0987.",
    ),
    Claim(
        id="rogers2024.thm11.renyi",
        source=printed("Theorem 11, proof item 3"),
        title="Renyi bound of the proof, as a bound",
        statement=r"D_\alpha \le \alpha\Delta_0\lceil\log_2(L+1)\rceil/\sigma^2",
        kind=Inequality(stream_renyi, stream_renyi_without_half),
        domain=Box((ALPHA, ROUNDS, DELTA_0, SIGMA)),
        loose="twice the exact value (E17)",
    ),
    Claim(
        id="rogers2024.thm11.renyi.as_printed",
        source=printed("Theorem 11, proof item 3"),
        title="E17: the Renyi divergence of the partial sums without the half",
        statement=r"D_\alpha = \alpha\Delta_0\lceil\log_2(L+1)\rceil/\sigma^2",
        kind=Identity(stream_renyi, stream_renyi_without_half),
        domain=Box((ALPHA, ROUNDS, DELTA_0, SIGMA)),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm11.rho",
        note="In print the inequality stands twice with the same arguments.",
    ),
    Claim(
        id="rogers2024.concl",
        source=printed("Section 5"),
        title="The CDP route improves the exponential mechanism's rho",
        statement=r"\varepsilon^2/8 \le \varepsilon^2/2",
        kind=Inequality(em_rho, em_rho_naive),
        domain=Box((EPSILON,)),
        note="For Laplace see rogers2024.rem7.gain, for Gaussian rogers2024.rem7.cmp.",
    ),
)
