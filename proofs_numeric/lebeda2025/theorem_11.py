"""Theorem 11: add-the-deltas for the correlated stability histogram, and the intermediate histogram of its proof."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from proofs_numeric.lebeda2025.definition_9.sparse_monotone import Counts, neighbour_cases
from proofs_numeric.lebeda2025.exact.cover import two_terms
from proofs_numeric.lebeda2025.laws import COUNTERS, added
from proofs_numeric.lebeda2025.lemma_8 import LEMMA_8, delta_gauss
from proofs_numeric.lebeda2025.lemma_10 import POWER_BELOW, TANGENT, log_split_probability, printed_share
from proofs_numeric.lebeda2025.neighbours import STABILITY_HISTOGRAM
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.noise import OfSharedNoise
from proofs_numeric.statements.shared import CounterProfile

_all_hidden, _one_factor_fewer = -(k + 1) * log_split_probability, -k * log_split_probability
delta_infinite_bound = -expm1((k + 1) * log_split_probability)
"""``1 - psi^{k+1}``."""
theorem_11_power = delta_gauss - expm1(k * log_split_probability)
"""``delta_gauss + 1 - psi^k``: Theorem 11 with one factor fewer, for tau >= 0."""
theorem_11 = delta_gauss + delta_infinite_bound
"""``delta_gauss + delta_inf``; may exceed 1, where it says nothing."""
ADDED = CounterProfile(added(_all_hidden, *LEMMA_8), _all_hidden, OfSharedNoise(Symbolic(), printed_share))
"""The proof of Theorem 11."""


def intermediate(left: Mapping[str, int], right: Mapping[str, int]) -> Counts:
    """The histogram between neighbours (Theorem 11): support of the smaller, counts of the larger."""
    larger, smaller = (left, right) if len(left) >= len(right) else (right, left)
    return {key: larger[key] for key in smaller}


def key_by_key(case: tuple[Counts, Counts, int]) -> Iterator[Instance]:
    """Keys with the smaller count and the rise; what is wrong with the intermediate histogram, and how many are new."""
    smaller, larger = sorted(case[:2], key=lambda histogram: sum(histogram.values()))
    between = intermediate(larger, smaller)
    keys = set(larger) | set(smaller)
    new = [key for key in larger if key not in between]
    wrong = len(set(between) ^ set(smaller)) + sum(larger.get(key, 0) != between[key] for key in between)
    wrong += sum(larger[key] != 1 for key in new)
    wrong += sum(between.get(key, 0) - smaller.get(key, 0) not in {0, 1} for key in keys)
    yield Instance(
        at={},
        inputs=tuple(
            {"count": Fraction(smaller.get(key, 0)), "rise": Fraction(larger.get(key, 0) - smaller.get(key, 0))}
            for key in sorted(keys)
        ),
        left=Fraction(max(wrong, len(new) - len(larger))),
        right=Fraction(0),
        state={name: Fraction(x) for name, x in (("wrong", wrong), ("new", len(new)), ("keys", len(larger)))},
    )


# --- key by key, of any number of keys --------------------------------------------------------------------------------


wrong, new, keys, count, rise = symbols("wrong new keys count rise")
_larger = count + rise
_present, _present_after = minimum(1, count), minimum(1, _larger)
"""1 where a count is above zero, else 0."""
_between = _present * _larger
"""The intermediate histogram's count: the larger's where the smaller has any."""
_present_between = minimum(1, _between)
_wrong = (
    wrong
    + maximum(_present_between - _present, _present - _present_between)
    + _present * maximum(_larger - _between, _between - _larger)
    + (1 - _present) * _present_after * maximum(_larger - _between - 1, 1 - _larger + _between)
    + maximum(0, _between - count - 1, count - _between)
)
"""Adds up by how much a key has another support, another count there, another count than one where it is new."""
_BY_COUNT = Steps(proof=Split("count", 0, Split("rise", 0, Sign(), Sign()), Split("rise", 0, Sign(), Sign())))

CLAIMS = (
    stated(
        "thm11", "Theorem 11", "add-the-deltas for the correlated stability histogram",
        r"\delta = f(\sqrt{k + \sqrt{k}}/(2\sigma), \epsilon) + 1 - \psi^{k+1}",
        DeltaBound(theorem_11, exact=two_terms, pairs=COUNTERS, proof=ADDED), domain=(EPSILON, K, SIGMA, GAP),
        falls=("epsilon", "gap"), role=Role.UPPER, privacy=STABILITY_HISTOGRAM,
        loose="Lemma 10 against the exact probability, and two worst cases that no pair has at once: see csh.exact",
    ),
    own(
        "thm11.power", "Theorem 11", "Theorem 11 with psi^k, for tau >= 0",
        r"\delta = f(\sqrt{k + \sqrt{k}}/(2\sigma), \epsilon) + 1 - \psi^k, \tau \ge 0",
        DeltaBound(
            theorem_11_power, exact=two_terms, pairs=COUNTERS,
            proof=CounterProfile(
                added(_one_factor_fewer, *LEMMA_8), _one_factor_fewer, OfSharedNoise(POWER_BELOW, tangent=TANGENT),
            ),
        ),
        domain=(EPSILON, K, SIGMA, replace(GAP, lower=0)), role=Role.UPPER, privacy=STABILITY_HISTOGRAM, cost=2,
    ),
    stated(
        "thm11.proof", "Theorem 11, proof", "the intermediate histogram exists for every pair of neighbours",
        r"supp(\hat H) = supp(H), \hat H = H' \text{ there}; H' - \hat H = 1 \text{ outside}",
        FiniteStatement(
            neighbour_cases, Instances(key_by_key), sizes(2, 3, 4), "largest count",
            every=Recurrence(
                state=Box(tuple(Parameter(name, "", lower="-infinity") for name in ("wrong", "new", "keys"))),
                inputs=Box(
                    (
                        Parameter("count", "of the smaller histogram", "counts", integer=True),
                        Parameter("rise", "to the larger's", "counts", upper=1, integer=True),
                    ),
                ),
                start=dict.fromkeys(("wrong", "new", "keys"), zero),
                step={"wrong": _wrong, "new": new + _present_after * (1 - _present), "keys": keys + _present_after},
                left=maximum(wrong, new - keys), right=zero,
            ),
            proof=largest_of((wrong, _BY_COUNT), (new - keys, _BY_COUNT)),
        ),
    ),
)  # fmt: skip
