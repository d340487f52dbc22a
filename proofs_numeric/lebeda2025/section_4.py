"""Releasing the (k+1)-th count too, the bias that Algorithm 3 takes off (Section 4)."""

from proofs_numeric.lebeda2025.parameters import *

scale, sign = symbols("scale sign")
_reach = k + sqrt(k)
_budget = k + 1 + sqrt(k)
"""``4 sigma^2 mu^2`` after k -> k + 1 in delta_gauss, sqrt(k) kept."""
_released_beside = 4 * (j - j * j / _reach) + 4 / (scale * scale)
"""``4 sigma^2 mu^2`` when j of k counters move under shared noise, and c by one under its own."""
shared_release = 4 * (j + 1 - (j - sign) * (j - sign) / _budget)
"""``4 sigma^2 mu^2`` when c + Z_c + sign Z is released too, j counters going one way and c the other.

Shared noise sees ``v.u = j - sign`` of the change along (1, ..., 1, sign).
"""

_ANY_CHANGES = Box((K, J), lambda *, k, j: j <= k, "j <= k")
_RISING = Parameter("j", "top-k counters that fall while c rises", "counters", 0, 1000, integer=True)
_FALLS_AND_RISES = replace(_ANY_CHANGES, parameters=(replace(K, upper=1000), _RISING))

CLAIMS = (
    refuted(
        "sec4.bias", "Section 4", "releasing the (k+1)-th count with noise sigma costs k -> k + 1",
        r"4(j - j^2/(k + \sqrt{k})) + 4\sigma^2/s^2 \le k + 1 + \sqrt{k} \text{ at } s = \sigma",
        _released_beside(scale=1) <= _budget, reconstruction=True, by="sec4.bias.corrected",
        domain=_ANY_CHANGES, note="the text names no noise; with s = sigma, k + 4 is needed",
    ),
    own(
        "sec4.bias.corrected", "Section 4", "k -> k + 1 is right for independent noise of deviation 2 sigma",
        r"4(j - j^2/(k + \sqrt{k})) + 4\sigma^2/s^2 \le k + 1 + \sqrt{k} \text{ at } s = 2\sigma",
        _released_beside(scale=2) <= _budget, proof=product_of(1 / _reach, (_reach - 2 * j) ** 2),
        domain=_ANY_CHANGES, points=points("k j", (1, 1), (4, 3), (9, 6)),
        loose="not at all where k is a square: j = (k + sqrt(k))/2 attains it",
    ),
    own(
        "sec4.bias.same_sign", "Section 4", "releasing c + Z + Z_c with the shared noise",
        r"4\sigma^2\mu^2 \le k + 1 + \sqrt{k} \text{ for } c + Z + Z_c", shared_release(sign=1) <= _budget,
        domain=_FALLS_AND_RISES, expected=Expectation.REFUTED,
        corrected_by="lebeda2025.sec4.bias.opposite_sign",
        note="c moves opposite to the counters, so the shared noise hides nothing; about k + 9 is needed",
    ),
    own(
        "sec4.bias.opposite_sign", "Section 4", "releasing c - Z + Z_c",
        r"4\sigma^2\mu^2 \le k + 1 + \sqrt{k} \text{ for } c - Z + Z_c", shared_release(sign=-1) <= _budget,
        proof=product_of(1 / _budget, (_budget - 2 * (j + 1)) ** 2), domain=_FALLS_AND_RISES,
    ),
)  # fmt: skip
