"""Brackets of zeros of monotone functions that are expensive to evaluate."""

from collections.abc import Callable


def bracket_of_zero(
    function: Callable[[float], float], low: float, high: float, width: float, at_low: float, at_high: float
) -> tuple[float, float]:
    """Return two increasing points, at most `width` apart, between which a function changes its sign.

    Inverse quadratic interpolation where it is reliable, otherwise bisection (Chandrupatla 1997). 0 counts as positive.

    Args:
        function: evaluated inside (low, high) only; it may be infinite.
        low: left end.
        high: right end, > low.
        width: > 0.
        at_low: the function at `low`, or an infinity of its sign.
        at_high: the function at `high`, of the opposite sign.

    Returns: points with the signs of `low` and of `high`, in this order.

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
        if height**2 < place and (1 - height) ** 2 < 1 - place:  # false if a value is infinite
            across = at_near / (at_far - at_near) * at_last / (at_far - at_last)
            beside = at_near / (at_last - at_near) * at_far / (at_last - at_far)
            share = across + (last - near) / (far - near) * beside
        least = 0.5 * width / abs(far - near)
        share = min(max(share, least), 1 - least)
    return min(near, far), max(near, far)
