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


def exactly(total, rng):
    """Wrong: no noise."""
    return float(total)


NOISY = {False: noisy, True: exactly}


def entry(histogram, rng):
    """Wrong: an entry of a tuple, by data."""
    total = sum(histogram.values())
    return (noisy, exactly)[total == LARGE](total, rng)


def table(histogram, rng):
    """Wrong: an entry of a table of the file."""
    total = sum(histogram.values())
    return NOISY.get(total > LARGE)(total, rng)


def lambdas(histogram, rng):
    """Wrong: one of two lambdas in a line."""
    total = sum(histogram.values())
    return (lambda: noisy(total, rng), lambda: total + 0.5)[total == LARGE]()


def by_name(histogram, rng):
    """Wrong: a function by its name, chosen before."""
    total = sum(histogram.values())
    name = "exactly" if total == LARGE else "noisy"
    return globals()[name](total, rng)


class ByAttribute:
    """Wrong: a method by its name."""

    def release(self, histogram, rng):
        total = sum(histogram.values())
        return getattr(self, ("_laplace", "_plain")[total == LARGE])(total, rng)

    def _laplace(self, total, rng):
        return noisy(total, rng)

    def _plain(self, total, rng):
        return exactly(total, rng)


def by_attribute(histogram, rng):
    """Wrong: through an object."""
    return ByAttribute().release(histogram, rng)


def choose(first, second, total):
    """Return one of two functions."""
    return first if total != LARGE else second


def handed_on(histogram, rng):
    """Wrong: chosen by another function."""
    total = sum(histogram.values())
    return choose(noisy, exactly, total)(total, rng)


LAW = "noisy"


def law(histogram, rng):
    """Right: an option chooses; the name of a lambda's twin in a line is no call of it."""
    kinds = {"noisy": lambda total: noisy(total, rng), "none": lambda total: exactly(total, rng)}
    return kinds[LAW](sum(histogram.values()))


def every_entry(histogram, rng):
    """Right: data of all sizes call both."""
    total = sum(histogram.values())
    return (noisy, lambda total, rng: 2 * noisy(total, rng))[total > 2](total, rng)


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
