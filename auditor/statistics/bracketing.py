"""Zeros of monotone functions that are dear to evaluate: a bracket whose ends keep their signs."""

from collections.abc import Callable


def bracket_of_zero(
    function: Callable[[float], float], low: float, high: float, width: float, at_low: float, at_high: float
) -> tuple[float, float]:
    """Return points at most `width` apart, increasing, between which a function changes its sign.

    Inverse quadratic interpolation where it can be trusted, else halving (Chandrupatla 1997); 0 counts as positive.

    Args:
        function: evaluated inside (low, high) alone; it may be infinite.
        low: one point.
        high: a larger one.
        width: > 0.
        at_low: the function at `low`, or an infinity of its sign.
        at_high: the function at `high`, of the other sign.

    Returns: the signs at them are those at `low` and at `high`.

    """
    near, far, at_near, at_far = low, high, at_low, at_high
    share = 0.5
    while abs(far - near) > width:
        point = near + share * (far - near)
        value = function(point)
        if (value >= 0) == (at_near >= 0):
            last, at_last = near, at_near
        else:
            last, at_last, far, at_far = far, at_far, near, at_near
        near, at_near = point, value
        place, height = (near - far) / (last - far), (at_near - at_far) / (at_last - at_far)
        share = 0.5
        if height**2 < place and (1 - height) ** 2 < 1 - place:  # never with an infinity
            across = at_near / (at_far - at_near) * at_last / (at_far - at_last)
            beside = at_near / (at_last - at_near) * at_far / (at_last - at_far)
            share = across + (last - near) / (far - near) * beside
        least = 0.5 * width / abs(far - near)
        share = min(max(share, least), 1 - least)
    return min(near, far), max(near, far)
