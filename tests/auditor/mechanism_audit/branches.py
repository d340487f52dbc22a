"""Mechanisms with a branch that no small data set takes: hidden ones release the total exactly."""

LARGE = 10**13


def noisy(total, rng):
    """Laplace noise of scale 1."""
    return round(total + rng.laplace(0, 1.0), 1)


def without_else(histogram, rng):
    """The code after an early return."""
    total = sum(histogram.values())
    if total < LARGE:
        return noisy(total, rng)
    return float(total)


def elif_without_else(histogram, rng):
    """The code after a chain of conditions."""
    total = sum(histogram.values())
    if total < 2:
        return noisy(total, rng)
    if total < LARGE:
        return noisy(total, rng)
    return float(total)


def skipped_noise(histogram, rng):
    """The way around the noise."""
    total = sum(histogram.values())
    released = total
    if total < LARGE:
        released = total + rng.laplace(0, 1.0)
    return round(released, 1)


def expression(histogram, rng):
    """A conditional expression."""
    total = sum(histogram.values())
    return float(total) if total > LARGE else noisy(total, rng)


def one_line(histogram, rng):
    """A block on the line of its condition."""
    total = sum(histogram.values())
    if total > LARGE: return float(total)  # noqa: E701 # fmt: skip
    return noisy(total, rng)


def choice(histogram, rng):
    """An operand after a condition."""
    total = sum(histogram.values())
    exact = total > LARGE and float(total)
    return exact or noisy(total, rng)


def comprehension(histogram, rng):
    """The element of a filtered comprehension."""
    exact = [float(count) for count in histogram.values() if count > LARGE]
    return [noisy(sum(histogram.values()), rng), *exact]


def matched(histogram, rng):
    """A case."""
    total = sum(histogram.values())
    match sorted(histogram):
        case ["ash", "birch", "cedar"]:
            return total
        case _:
            return noisy(total, rng)


def loop(histogram, rng):
    """The body of a loop."""
    total = sum(histogram.values())
    released = noisy(total, rng)
    while total > LARGE:
        released, total = total, 0
    return released


def handler(histogram, rng):
    """The handler of an exception."""
    total = sum(histogram.values())
    try:
        return noisy(total + 0 // (LARGE - total), rng)
    except ZeroDivisionError:
        return total


def option(histogram, rng, exact=False):
    """Right: an option is no data."""
    total = sum(histogram.values())
    if exact:
        return float(total)
    return noisy(total, rng)


def guards(histogram, rng):
    """Right: what never ran releases a constant or raises."""
    total = sum(histogram.values())
    if total > LARGE:
        return None
    if total < 0:
        raise ValueError(total)
    mean = total / 2 if total < LARGE else 0.0
    try:
        return noisy(mean, rng)
    except OverflowError:
        return 0.0


def both(histogram, rng):
    """Right: all branches run."""
    total = sum(histogram.values())
    size = "few" if total < 5 else "many"
    total = min(total, 3)
    if total > 2: size += "!"  # noqa: E701 # fmt: skip
    kept = [count for count in histogram.values() if count > 2]
    return [noisy(total, rng), size if kept or total else total]


def by_noise(histogram, rng):
    """Right: noise decides."""
    released = noisy(sum(histogram.values()), rng)
    return released if released < LARGE else histogram
