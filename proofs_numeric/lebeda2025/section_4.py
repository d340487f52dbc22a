"""Releasing the (k+1)-th count too, the bias that Algorithm 3 takes off (Section 4)."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.parameters import K, ours, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Inequality
from proofs_numeric.statements.tactics import Part, Product
from proofs_numeric.statements.verdict import Expectation


def _budget(A: Arithmetic, *, k: int, **_scale: Any) -> Number:
    """``4 sigma^2 mu^2`` after k -> k + 1 in delta_gauss, sqrt(k) kept."""
    return k + 1 + A.sqrt(A.number(k))


def independent_release(A: Arithmetic, *, k: int, scale: Number) -> Number:
    """``4 sigma^2 mu^2`` when the (k+1)-th count gets its own noise of deviation ``scale sigma``."""
    return k + A.sqrt(A.number(k)) + 4 / (A.number(scale) * scale)


def _released_beside(A: Arithmetic, *, k: int, j: int, scale: Number) -> Number:
    """``4 sigma^2 mu^2`` when j of k counters move under shared noise, and c by one under its own."""
    return 4 * (j - A.number(j * j) / (k + A.sqrt(A.number(k)))) + 4 / (A.number(scale) * scale)


def _independent_at_sigma(A: Arithmetic, *, k: int, j: int) -> Number:
    return _released_beside(A, k=k, j=j, scale=A.number(1))


def _independent_at_two_sigma(A: Arithmetic, *, k: int, j: int) -> Number:
    return _released_beside(A, k=k, j=j, scale=A.number(2))


def shared_release(A: Arithmetic, *, k: int, sign: int, j: int) -> Number:
    """``4 sigma^2 mu^2`` when c + Z_c + sign Z is released too, j counters going one way and c the other."""
    root = A.sqrt(A.number(k))
    total = j - sign  # the change along (1, ..., 1, sign): shared noise sees v.u = j - sign
    return 4 * (j + 1 - A.number(total * total) / (k + 1 + root))


def _same_sign(A: Arithmetic, *, k: int, j: int) -> Number:
    return shared_release(A, k=k, sign=1, j=j)


def _opposite_sign(A: Arithmetic, *, k: int, j: int) -> Number:
    return shared_release(A, k=k, sign=-1, j=j)


def _budget_of_pair(A: Arithmetic, *, k: int, j: int) -> Number:
    return _budget(A, k=k)


_K_SMALL = replace(K, upper=1000)


_J = Parameter("j", "top-k counters that fall while c rises", "counters", lower=0, upper=1000, integer=True)


def _within(*, k: int, j: int) -> bool:
    return j <= k


CLAIMS = (
    Claim(
        id="lebeda2025.sec4.bias",
        source=printed("Section 4", reconstruction=True),
        title="releasing the (k+1)-th count with noise sigma costs k -> k + 1",
        statement=r"4(j - j^2/(k + \sqrt{k})) + 4\sigma^2/s^2 \le k + 1 + \sqrt{k} \text{ at } s = \sigma",
        kind=Inequality(left=_independent_at_sigma, right=_budget_of_pair),
        domain=Box((K, replace(_J, upper=10**6, log=True)), _within, "j <= k"),
        expected=Expectation.REFUTED,
        corrected_by="lebeda2025.sec4.bias.corrected",
        note="the text names no noise; with s = sigma, k + 4 is needed",
    ),
    Claim(
        id="lebeda2025.sec4.bias.corrected",
        source=ours("Section 4"),
        title="k -> k + 1 is right for independent noise of deviation 2 sigma",
        statement=r"4(j - j^2/(k + \sqrt{k})) + 4\sigma^2/s^2 \le k + 1 + \sqrt{k} \text{ at } s = 2\sigma",
        kind=Inequality(
            left=_independent_at_two_sigma,
            right=_budget_of_pair,
            proof=Product(
                (
                    Part(lambda A, *, k, **_j: 1 / (k + A.sqrt(A.number(k)))),
                    Part(lambda A, *, k, j: (k + A.sqrt(A.number(k)) - 2 * j) ** 2),
                )
            ),
        ),
        domain=Box((K, replace(_J, upper=10**6, log=True)), _within, "j <= k"),
        points=({"k": 1, "j": 1}, {"k": 4, "j": 3}, {"k": 9, "j": 6}),
        loose="not at all where k is a square: j = (k + sqrt(k))/2 attains it",
    ),
    Claim(
        id="lebeda2025.sec4.bias.same_sign",
        source=ours("Section 4"),
        title="releasing c + Z + Z_c with the shared noise",
        statement=r"4\sigma^2\mu^2 \le k + 1 + \sqrt{k} \text{ for } c + Z + Z_c",
        kind=Inequality(left=_same_sign, right=_budget_of_pair),
        domain=Box((_K_SMALL, _J), _within, "j <= k"),
        expected=Expectation.REFUTED,
        corrected_by="lebeda2025.sec4.bias.opposite_sign",
        note="c moves opposite to the counters, so the shared noise hides nothing; about k + 9 is needed",
    ),
    Claim(
        id="lebeda2025.sec4.bias.opposite_sign",
        source=ours("Section 4"),
        title="releasing c - Z + Z_c",
        statement=r"4\sigma^2\mu^2 \le k + 1 + \sqrt{k} \text{ for } c - Z + Z_c",
        kind=Inequality(
            left=_opposite_sign,
            right=_budget_of_pair,
            proof=Product(
                (
                    Part(lambda A, *, k, **_j: 1 / (k + 1 + A.sqrt(A.number(k)))),
                    Part(lambda A, *, k, j: (k + 1 + A.sqrt(A.number(k)) - 2 * (j + 1)) ** 2),
                )
            ),
        ),
        domain=Box((_K_SMALL, _J), _within, "j <= k"),
    ),
)
