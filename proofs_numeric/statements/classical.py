"""The classical theorems that derivations use and nothing here proves, each with its reference."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ClassicalTheorem:
    """A named theorem of the literature."""

    name: str
    reference: str


BLACKWELL = ClassicalTheorem(
    "Blackwell's theorem",
    "Blackwell 1953, Equivalent comparisons of experiments: a pair with the smaller profile is a post-processing",
)
DATA_PROCESSING = ClassicalTheorem(
    "Data-processing inequality", "Csiszar 1967, of f-divergences; van Erven and Harremoes 2014, of Renyi divergences"
)
POISSON = ClassicalTheorem(
    "Poisson summation formula", "Stein and Weiss 1971, Introduction to Fourier Analysis on Euclidean Spaces, VII.2"
)
