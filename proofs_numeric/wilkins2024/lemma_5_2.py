"""Lemma 5.2 and its proof in appendix A.2: rows at tau beside rows above it; F is the event that one at tau appears."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.wilkins2024.finite import FiniteLaw, joint, loss_difference, loss_law, loss_sum, masses
from proofs_numeric.wilkins2024.lemma_5_1 import Mixed, equal_rows, exact_loss, mixed_cases
from proofs_numeric.wilkins2024.outcomes import EQUAL, MIXED_BACKWARD, MIXED_FORWARD, RATIO, SILENT, of_sums
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import a_equal, loss_rate


def _outcomes(case: Mixed) -> list[dict[str, Fraction]]:
    p, rows, left, right, _ratio = case
    return [{"p": one, "q": other, "released": (1 - p**rows) * one} for one, other in masses(left, right)]


def forward_sums(case: Mixed) -> Iterator[Instance]:
    """Both sides of (5.5), first line: presence against absence, rows at tau beside rows with any laws."""
    p, rows, left, right, ratio = case
    with_user, without = equal_rows(p, rows)
    beta = p**rows
    whole = loss_difference(joint(with_user, left), joint(without, right), ratio)
    by_rows = 1 - beta + beta * loss_difference(left, right, ratio / beta)
    yield of_sums({"ratio": ratio, "silent": beta}, _outcomes(case), whole, by_rows)


def backward_sums(case: Mixed) -> Iterator[Instance]:
    """Both sides of (5.5), second line: absence against presence."""
    p, rows, left, right, ratio = case
    with_user, without = equal_rows(p, rows)
    whole = loss_difference(joint(without, right), joint(with_user, left), ratio)
    by_rows = loss_difference(right, left, ratio * p**rows)
    yield of_sums({"ratio": ratio, "silent": p**rows}, _outcomes(case), whole, by_rows)


mixed_forward, mixed_backward = Instances(forward_sums), Instances(backward_sums)


def conditional_loss(case: Mixed) -> bool:
    """(A.2): given that no row at tau appears, the losses move by ``a log p`` and by ``-a log p``."""
    p, rows, left, right, _ratio = case
    with_user, without = equal_rows(p, rows)
    hidden, beta = ("hidden",) * rows, p**rows

    def given_hidden(one: FiniteLaw, other: FiniteLaw) -> dict[Fraction | str, Fraction]:
        silent: FiniteLaw = {o: q for o, q in one.items() if isinstance(o, tuple) and o[0] == hidden}
        total = sum(silent.values(), Fraction(0))
        return {value: q / total for value, q in loss_law(silent, other).items()}

    one, other = joint(with_user, left), joint(without, right)
    forward = given_hidden(one, other) == loss_sum(loss_law(left, right), {beta: Fraction(1)})
    return forward and given_hidden(other, one) == loss_sum(loss_law(right, left), {1 / beta: Fraction(1)})


tau, tau_star = symbols("tau tau_star")
epsilon_2 = epsilon + a_equal * loss_rate
epsilon_2_by_law = epsilon - a_equal * log1p(-Phi(-gap / sigma))
"""``eps - log P_{M(X)}(no row at tau appears)``: each appears with probability ``Phi(-gap/sigma)``."""
epsilon_3 = epsilon + a_equal * log_cdf((tau_star - tau) / sigma)
printed_epsilon_3 = epsilon + a_equal * log_cdf(tau_star - tau / sigma)
"""As printed after (A.5)."""
epsilon_3_by_law = epsilon + a_equal * log1p(-Phi((tau - tau_star) / sigma))
"""``eps + log P_{M(X)}(no row at tau appears)``: each appears with probability ``Phi((tau - tau*)/sigma)``."""
_TAU_BOX = Box((EPSILON, A_EQUAL, SIGMA, TAU, TAU_STAR))

CLAIMS = (
    exact_loss(
        "lem5.2.fwd", "Rows at tau beside rows above, user present",
        r"P(L_+ \ge \varepsilon) - e^\varepsilon P(L_- \le -\varepsilon) = 1 - p^a + p^a "
        r"[P(L_+^+ \ge \varepsilon_2) - e^{\varepsilon_2} P(L_-^+ \le -\varepsilon_2)]",
        mixed_cases, mixed_forward, MIXED_FORWARD, EQUAL, (RATIO, SILENT),
        "Any laws of the rows above tau, any sign of epsilon, infinite losses included.",
    ),
    exact_loss(
        "lem5.2.bwd", "Rows at tau beside rows above, user absent",
        r"P(L_- \ge \varepsilon) - e^\varepsilon P(L_+ \le -\varepsilon) = "
        r"P(L_-^+ \ge \varepsilon_3) - e^{\varepsilon_3} P(L_+^+ \le -\varepsilon_3)",
        mixed_cases, mixed_backward, MIXED_BACKWARD, EQUAL, (RATIO, SILENT),
    ),
    stated(
        "lem5.2.pos", "Lemma 5.2, proof", "eps_2 is positive where epsilon is",
        r"\varepsilon > 0 \Rightarrow \varepsilon_2 > 0", epsilon_2 > 0, proof=Sign(),
        domain=(replace(EPSILON, open_lower=True), A_EQUAL, SIGMA, GAP), note="Holds at epsilon = 0 too when a_= > 0.",
    ),
    stated(
        "lem5.2.eps2", "Lemma 5.2", "eps_2 by the chance that no row at tau appears",
        r"\varepsilon_2 = \varepsilon - a_= \log p,\ p = \Phi((\tau^* - \tau)/\sigma)", eq(epsilon_2, epsilon_2_by_law),
        proof=Symbolic(), domain=(EPSILON, A_EQUAL, SIGMA, GAP),
    ),
    exact_loss(
        "A.2", "Losses given that no row at tau appears",
        r"L_+ | {\sim}F = L_+^+ + a \log p, \quad L_- | {\sim}F = L_-^+ - a \log p", mixed_cases, conditional_loss,
    ),
    refuted(
        "A.5", "Appendix A.2", "eps_3 as printed", r"\varepsilon_3 = \varepsilon + a_= \log \Phi(\tau^* - \tau/\sigma)",
        eq(printed_epsilon_3, epsilon_3_by_law), equation="A.5", by="A.5.corrected", domain=_TAU_BOX,
        note="Parentheses are missing; the same slip stands in the proof of Lemma 5.1 and in A.3.",
    ),
    own(
        "A.5.corrected", "Appendix A.2", "eps_3 with its parentheses",
        r"\varepsilon_3 = \varepsilon + a_= \log \Phi((\tau^* - \tau)/\sigma)", eq(epsilon_3, epsilon_3_by_law),
        proof=Symbolic(), domain=_TAU_BOX,
    ),
)  # fmt: skip
"""Claims of Lemma 5.2 and its proof."""
