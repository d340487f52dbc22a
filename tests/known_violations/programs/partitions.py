"""Keys that are found in the data, at epsilon = 1 and delta = 1e-5 unless said: wrong in one way, and right."""

import math
import zlib

import numpy as np

SCALE = 1.0
THRESHOLD = 1 + SCALE * math.log(1 / (2 * 1e-5))
BOUND = math.ceil(math.log((math.e + 2 * 0.005 - 1) / ((math.e + 1) * 0.005)))


def pages(histogram, rng):
    """Right."""
    found = {page: round(visits + rng.laplace(0, SCALE)) for page, visits in sorted(histogram.items())}
    return {page: visits for page, visits in found.items() if visits > THRESHOLD + 0.5}


def hard_threshold(histogram, rng):
    """Wrong: the true count decides."""
    return {page: round(visits + rng.laplace(0, SCALE)) for page, visits in histogram.items() if visits >= 10}


def low_threshold(histogram, rng):
    """Wrong: the threshold has no delta in it."""
    found = {page: round(visits + rng.laplace(0, SCALE)) for page, visits in histogram.items()}
    return {page: visits for page, visits in found.items() if visits >= 4}


def exact_above(histogram, rng):
    """Wrong: noise decides, the exact count is released."""
    return {page: visits for page, visits in histogram.items() if visits + rng.laplace(0, SCALE) > THRESHOLD}


def most_visited_first(histogram, rng):
    """Wrong: the order of the keys is that of the true counts."""
    shown = {}
    for page in sorted(histogram, key=lambda page: -histogram[page]):
        visits = round(histogram[page] + rng.laplace(0, SCALE))
        if visits > THRESHOLD + 0.5:
            shown[page] = visits
    return shown


def noisy_order(histogram, rng):
    """Right: the order of what is released."""
    return dict(sorted(pages(histogram, rng).items(), key=lambda item: (-item[1], item[0])))


def number_of_keys(histogram, rng):
    """Wrong: how many keys there are is exact."""
    return {"keys": len(histogram), "pages": pages(histogram, rng)}


def number_of_keys_noisy(histogram, rng):
    """Right, at epsilon = 2."""
    return {"keys": round(len(histogram) + rng.laplace(0, 1)), "pages": pages(histogram, rng)}


def no_threshold(histogram, rng):
    """Wrong: a key without users has no noise, so a new key shows."""
    return {page: round(visits + rng.laplace(0, SCALE)) for page, visits in histogram.items() if visits > 0}


def length(histogram, rng):
    """Wrong: names are left out, but not how many there are."""
    return [round(visits + rng.laplace(0, SCALE)) for visits in histogram.values()]


def padded(histogram, rng):
    """Right: ten numbers, whatever the data have (which hold ten keys at most)."""
    counts = sorted((round(visits + rng.laplace(0, SCALE)) for visits in histogram.values()), reverse=True)
    noise = [round(rng.laplace(0, SCALE)) for _ in range(10 - len(counts))]
    return sorted(counts + noise, reverse=True)


def refuses_small_data(histogram, rng):
    """Wrong: what is thought too small to be private is refused, exactly."""
    if sum(histogram.values()) < 20:
        raise ValueError("too few visits")
    return round(sum(histogram.values()) + rng.laplace(0, SCALE))


def refuses_noisily(histogram, rng):
    """Right: the noisy number is refused."""
    visits = round(sum(histogram.values()) + rng.laplace(0, SCALE))
    if visits < 20:
        raise ValueError("too few visits")
    return visits


def divides(histogram, rng):
    """Wrong: a division by zero is an output too."""
    rest = sum(histogram.values()) - 3
    return round(100 / rest + rng.laplace(0, 100))


def divides_noisily(histogram, rng):
    """Right: the divisor is noisy, and never zero."""
    rest = round(sum(histogram.values()) + rng.laplace(0, SCALE)) - 3
    return round(100 / max(1, rest))


def stops_at_a_small_one(histogram, rng):
    """Wrong: the true counts say when to stop."""
    shown = []
    for page, visits in sorted(histogram.items()):
        if visits <= 2:
            break
        if visits + rng.laplace(0, SCALE) > THRESHOLD:
            shown.append(page)
    else:
        shown.append("end")
    return shown


def names(histogram, rng):
    """Right: names alone."""
    return [page for page, visits in sorted(histogram.items()) if visits + rng.laplace(0, SCALE) > THRESHOLD]


def sampled(histogram, rng):
    """Wrong: a sample hides nothing of a key that it holds."""
    drawn = {page: int(rng.binomial(visits, 0.1)) for page, visits in histogram.items()}
    return {page: visits for page, visits in drawn.items() if visits}


def sampled_with_threshold(histogram, rng):
    """Right, at epsilon = 1, delta = .01 (Bharadwaj and Cormode 2022)."""
    drawn = {page: int(rng.binomial(visits, 0.1)) for page, visits in sorted(histogram.items())}
    return {page: visits for page, visits in drawn.items() if visits >= 9}


def selection_rounded_up(histogram, rng):
    """Wrong: the first user opens a partition with ten times the probability delta (claimed .01)."""
    return sorted(page for page, visits in histogram.items() if rng.random() < min(1, 0.1 * math.expm1(min(visits, 9))))


def selection(histogram, rng):
    """Right: the optimal probabilities at epsilon 1, delta .01, up to their middle (Desfontaines et al. 2022)."""
    return sorted(page for page, visits in histogram.items() if rng.random() < kept(visits))


def kept(visits, delta=0.01):
    """Return the probability with which a partition of so many users is kept."""
    chance = 0.0
    for _ in range(min(visits, 60)):
        chance = min(math.e * chance + delta, 1 - (1 - chance - delta) / math.e, 1.0)
    return chance


def top_three(histogram, rng):
    """Wrong: noise for one key, where a user has three."""
    counts = {page: visits + rng.laplace(0, SCALE) for page, visits in histogram.items()}
    best = sorted(counts, key=lambda page: -counts[page])[:3]
    return {page: round(counts[page]) for page in best if counts[page] > 15}


def top_three_right(histogram, rng):
    """Right: three times the noise, and a threshold for it."""
    counts = {page: visits + rng.laplace(0, 3) for page, visits in histogram.items()}
    best = sorted(counts, key=lambda page: -counts[page])[:3]
    return {page: round(counts[page]) for page in sorted(best) if counts[page] > 45}


def anonymous_set(histogram, rng):
    """Wrong: k-anonymity with k = 5."""
    return {page: visits for page, visits in histogram.items() if visits >= 5}


def sketch(histogram, rng):
    """Wrong: a sketch of eight cells has no noise."""
    cells = [0] * 8
    for page, visits in histogram.items():
        cells[sum(page.encode()) % 8] += visits
    return cells


def sketch_noisy(histogram, rng):
    """Right."""
    return [round(cell + rng.laplace(0, SCALE)) for cell in sketch(histogram, rng)]


def shuffled(histogram, rng):
    """Wrong: exact counts without names, shuffled."""
    return np.random.default_rng(int(rng.integers(2**32))).permutation(list(histogram.values())).tolist()


def threshold_of_no_user(histogram, rng):
    """Wrong: the threshold of a key with nobody, where a new one has somebody."""
    threshold = SCALE * math.log(1 / (2 * 1e-5))
    return sorted(page for page, visits in histogram.items() if visits + rng.laplace(0, SCALE) >= threshold)


def null_below(histogram, rng):
    """Wrong: what is not shown is named."""
    found = {page: round(visits + rng.laplace(0, SCALE)) for page, visits in sorted(histogram.items())}
    return {page: visits if visits > THRESHOLD + 0.5 else None for page, visits in found.items()}


def count_min(histogram, rng):
    """Wrong: a user is in three rows of the sketch, each with noise for one."""
    return [[round(cell + rng.laplace(0, SCALE)) for cell in row] for row in rows_of(histogram)]


def count_min_noisy(histogram, rng):
    """Right, for one user in one page."""
    return [[round(cell + rng.laplace(0, 3 * SCALE)) for cell in row] for row in rows_of(histogram)]


def rows_of(histogram):
    """Return three rows of eight cells."""
    rows = [[0] * 8 for _ in range(3)]
    for page, visits in histogram.items():
        for i, row in enumerate(rows):
            row[zlib.crc32(f"{i} {page}".encode()) % 8] += visits
    return rows


def selection_from_its_bound(histogram, rng):
    """Wrong: truncated noise reaches its bound, so that one user is shown where none may be (at delta = .005)."""
    return sorted(page for page, visits in histogram.items() if visits + truncated(rng) >= BOUND)


def selection_above_its_bound(histogram, rng):
    """Right (Desfontaines et al. 2022)."""
    return sorted(page for page, visits in histogram.items() if visits + truncated(rng) > BOUND)


def truncated(rng):
    """Return two-sided geometric noise of at most the bound."""
    p, noise = 1 - math.exp(-1), BOUND + 1
    while abs(noise) > BOUND:
        noise = int(rng.geometric(p)) - int(rng.geometric(p))
    return noise
