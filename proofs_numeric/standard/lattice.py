"""A privacy loss whose values lie on a lattice, as that of noise on the integers: its profile at every level."""

from collections.abc import Callable, Iterable
from typing import Any

import flint

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.integer_part import floors


def profile(largest: Any, step: Any, masses: Iterable[Any], left_out: Any) -> Callable[[Any], Any]:
    """Return delta as a function of epsilon, any real ball, in the precision of the context.

    Args:
        largest: the largest loss.
        step: what each further one is less, > 0.
        masses: probability of each loss under the first law, from the largest on, at most the true one.
        left_out: what is missing in all of them: no outcome adds more than its mass to delta.

    """
    ball, near, far = Ball(flint.ctx.prec), [flint.arb(0)], [flint.arb(0)]
    ratio, odds = step.exp(), (-largest).exp()
    for mass in masses:
        near.append(near[-1] + mass)
        far.append(far[-1] + mass * odds)
        odds *= ratio
    more = left_out / 2 + left_out * flint.arb(0, 0.5)

    def delta(epsilon: Any) -> Any:
        factor = epsilon.exp()
        counts = {max(0, min(last + 1, len(near) - 1)) for last in floors(ball, (largest - epsilon) / step)}
        return ball.maximum(*(near[count] - factor * far[count] for count in counts)) + more

    return delta
