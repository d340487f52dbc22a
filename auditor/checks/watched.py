"""Wrapper of a registered mechanism that attributes its errors to the mechanism, not to the check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.target.target import Misbehaved, MisbehavedError
from auditor.target.worker import UnusableOutputError, check_release_many, exception_text, one_line

if TYPE_CHECKING:
    from mechanisms.histogram import Histogram, Released
    from mechanisms.mechanism import Mechanism

SAME_RELEASES = "ignores its rng: equal releases for each block"
OWN_RANDOMNESS = "ignores its rng: it draws from its own randomness, so no finding about it can be reproduced exactly"
REPLAYED = 4
"""Releases that are first drawn twice from one state of the generator."""


@dataclass
class WatchedMechanism:
    """A mechanism whose batches of releases use a copy of the input.

    Raises:
        MisbehavedError: `release_many` raises, returns an invalid release, changes its input, or uses its generator and
            is not deterministic given it.
    """

    mechanism: Mechanism
    name: str
    replayed: bool = False
    rng_used: bool = False
    """Whether it has drawn from a given generator."""
    own_randomness: bool = False
    """Whether releases differ for one generator state, without a draw from the generator."""

    @property
    def releases_only_input_keys(self) -> bool:
        """Whether the mechanism declares that it releases only keys of its input."""
        return self.mechanism.releases_only_input_keys

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """Return n independent releases; see `Mechanism.release_many`."""
        if not self.replayed:
            self.replayed = True
            self._replay(histogram)
        return self._batch(histogram, n, rng)

    def _replay(self, histogram: Histogram) -> None:
        (keys, first), (other_batch, again) = (
            self._batch(histogram, REPLAYED, np.random.Generator(np.random.PCG64(0))) for _ in range(2)
        )
        if keys != other_batch or not np.array_equal(first, again, equal_nan=True):
            if self.rng_used:
                raise self._misbehaved("is not deterministic given its rng: equal generators gave different releases")
            self.own_randomness = True

    def _batch(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        copied, before = dict(histogram), None if self.rng_used else rng.bit_generator.state
        try:
            keys, values = check_release_many(self.mechanism.release_many(copied, n, rng), n)
        except UnusableOutputError as error:
            raise self._misbehaved(str(error)) from None
        except (Exception, SystemExit) as error:
            raise self._misbehaved(f"release_many raises {exception_text(error)}") from error
        if list(copied.items()) != list(histogram.items()):
            raise self._misbehaved("mutates its input")
        self.rng_used = self.rng_used or rng.bit_generator.state != before
        return keys, np.asarray(values, dtype=np.float64).reshape(n, len(keys))

    def notes(self) -> list[str]:
        """Return observations about the generator, one line each."""
        if self.rng_used or not self.replayed:
            return []
        return [OWN_RANDOMNESS if self.own_randomness else SAME_RELEASES]

    def add_notes(self, headline: str) -> str:
        """Return the headline followed by the notes."""
        return "; ".join([headline, *self.notes()])

    def _misbehaved(self, what: str) -> MisbehavedError:
        return MisbehavedError(Misbehaved("misbehaves", one_line(f"{self.name}: {what}")))


def watch_mechanism(build: Callable[..., Mechanism], parameters: Mapping[str, Any], name: str) -> WatchedMechanism:
    """Return a built mechanism in its wrapper.

    Raises:
        MisbehavedError: the mechanism cannot be built.
    """
    try:
        return WatchedMechanism(build(**parameters), name)
    except (Exception, SystemExit) as error:
        detail = one_line(f"{name}: cannot be built with {dict(parameters)}: {exception_text(error)}")
        raise MisbehavedError(Misbehaved("misbehaves", detail)) from error
