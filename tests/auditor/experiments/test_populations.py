"""The populations of the experiments: whole, fixed, and in the buckets that their rules say."""

import hashlib

import numpy as np
import pytest
from scipy import stats

from auditor.experiments.populations import CLIENTS, POPULATIONS, binomial, geometric, shakespeare, wrapped
from mechanisms.data import word_counts

SIZES = [2**6, 2**10, 2**14]


@pytest.mark.parametrize("buckets", SIZES)
@pytest.mark.parametrize("population", POPULATIONS, ids=lambda population: population.id)
def test_every_client_is_in_one_bucket(population, buckets):
    """B counts that sum to a million, or to the number of words of Shakespeare."""
    counts = population.counts(buckets)
    assert counts.shape == (buckets,)
    assert counts.sum() == (sum(word_counts().values()) if population.id == "shakespeare" else CLIENTS)
    assert not counts.flags.writeable


def test_values_outside_the_buckets_wrap_around():
    """Value v goes to bucket v mod B."""
    assert wrapped(np.array([1.0, 2.0, 4.0, 8.0, 16.0]), 2).tolist() == [21.0, 10.0]


@pytest.mark.parametrize("buckets", SIZES)
def test_synthetic_counts_follow_their_laws(buckets):
    """A chi-square statistic over the buckets that expect five clients, against its 1 - 1e-10 quantile."""
    values = np.arange(buckets)
    laws = {
        binomial: wrapped(stats.binom.pmf(np.arange(buckets + 1), buckets, 0.5), buckets),
        geometric: sum(stats.geom.pmf(values + 1 + turn * buckets, buckets**-0.5) for turn in range(60)),
    }
    for counts, law in laws.items():
        expected = law * CLIENTS
        many = expected >= 5
        statistic = float((((counts(buckets) - expected) ** 2)[many] / expected[many]).sum())
        assert statistic < stats.chi2.isf(1e-10, int(many.sum()))


def test_a_word_is_in_the_bucket_of_its_hash():
    """All occurrences of a word are together; buckets are nested, as 2^6 divides 2^10."""
    bucket = int(hashlib.sha256(b"the").hexdigest()[:16], 16) % 2**14
    assert shakespeare(2**14)[bucket] >= word_counts()["the"]
    assert (shakespeare(2**10).reshape(-1, 2**6).sum(axis=0) == shakespeare(2**6)).all()
