"""A plain Python function: `auditor mechanism plain_function.py:release --epsilon 1 --delta 1e-3`."""


def release(histogram, rng):
    """Laplace noise of scale 1/2, where epsilon 1 asks for 1; a count is shown from 4 on."""
    noisy = {key: round(count + rng.laplace(0, 0.5), 2) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= 4}
