"""Tests before counting: keys that a neighbour lacks, at deltas for which counting takes too many releases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from auditor.mechanism_audit import draws, many_keys, one_sample, shared_keys
from auditor.mechanism_audit.outcome import Outcome
from auditor.mechanism_audit.pair_search import usable, without_user
from auditor.mechanism_audit.request import NEXT_TO_NOTHING, SAMPLES
from auditor.mechanism_audit.result import real
from auditor.mechanism_audit.stages import is_slow
from proofs_numeric.statements.neighbours import Neighbours
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from auditor.mechanism_audit.draws import SteeredTest
    from auditor.mechanism_audit.many_keys import ManyKeysTest
    from auditor.mechanism_audit.promise import Level, Promise
    from auditor.mechanism_audit.request import MechanismRequest
    from auditor.mechanism_audit.sampler import Sampler
    from auditor.mechanism_audit.shared_keys import SharedKeysTest

KNOWN_COUNT = 50
"""Count of known keys for the test of a value that both sides release."""
IMPORTANCE_SAMPLING = "importance sampling"
BY_COUNTING = "an event of probability delta takes about 1/delta releases"
NOT_STEERED = (
    "it draws neither from the generator that it is given nor from unseeded ones of NumPy or the standard library, so "
    f"importance sampling is not possible: {BY_COUNTING}"
)


@dataclass(frozen=True)
class Evidence:
    """Results of the tests so far.

    Attributes:
        refutation: outcome that refutes the claim; None if no test does.
        steered: importance-sampling tests; None if importance sampling fails.
        suspected: test that rejects under an unproved assumption.
        many_keys: test on releases of many single-user keys.
        shared_keys: test by guesses of who holds shared keys.
    """

    refutation: Outcome | None = None
    steered: tuple[SteeredTest, ...] | None = ()
    suspected: SteeredTest | None = None
    many_keys: ManyKeysTest | None = None
    shared_keys: SharedKeysTest | None = None


class Test(NamedTuple):
    """A test at a level of its own.

    Attributes:
        name: what the progress shows.
        alpha: false-alarm probability.
        run: returns the evidence with the test's result, given the pairs and the evidence so far.
    """

    name: str
    alpha: float
    run: Callable[[Sequence[Neighbours], Evidence], Evidence]


@dataclass(frozen=True)
class EarlyTests:
    """The tests of one target and claim that come before counting.

    Attributes:
        sampler: source of the releases.
        promise: claim.
        request: options.
        has_pairs: whether the caller or the claim gives pairs; then each of them is tested on one sample.
        notes: notes of the audit; the tests append to them.
    """

    sampler: Sampler
    promise: Promise
    request: MechanismRequest
    has_pairs: bool
    notes: list[str]

    def tests(self, alpha: float) -> tuple[Test, ...]:
        """Return the tests that apply, each with its share of alpha."""
        shares = (
            ("testing keys on one sample", one_sample.SHARE, self._one_sample, self._lacks_nothing),
            (IMPORTANCE_SAMPLING, draws.ALPHA_SHARE, self._steered, self._steerable),
            ("releasing many keys at once", many_keys.ALPHA_SHARE, self._many_keys, self._releases_many),
            ("guessing who holds shared keys", shared_keys.ALPHA_SHARE, self._shared_keys, self._is_slow),
        )
        return tuple(
            Test(name, share * alpha, partial(run, share * alpha)) for name, share, run, applies in shares if applies()
        )

    def _lacks_nothing(self) -> bool:
        return bool(self.sampler.target.releases_only_input_keys)

    def _releases_many(self) -> bool:
        return many_keys.applies(self.sampler, self.promise, self.request)

    def _is_slow(self) -> bool:
        """Return whether many keys may be invented at will, and counting lacks the time for two pairs."""
        levels = self.promise.levels
        if not (self._releases_many() and len(levels) == 1 and levels[0].delta > NEXT_TO_NOTHING):
            return False
        self.sampler.slow = is_slow(self.sampler)
        return self.sampler.slow

    def _steerable(self) -> bool:
        """Return whether importance sampling is needed, because counting is too slow, and possible."""
        claimed, request = smallest(self.promise).delta, self.request
        if not request.steer or claimed <= NEXT_TO_NOTHING or request.required_delta(claimed) >= draws.RARE:
            return False
        if not self.sampler.sees_draws:
            self.notes.append(NOT_STEERED)
            return False
        return True

    def _one_sample(self, alpha: float, pairs: Sequence[Neighbours], evidence: Evidence) -> Evidence:
        """Test on one sample the keys that a neighbour lacks."""
        request = self.request
        exposed = one_sample.exposed(pairs, request.directions)
        if not exposed:
            return evidence
        exposed = exposed if self.has_pairs else one_sample.most_telling(exposed)
        self.notes.append(
            f"assumed: {one_sample.ASSUMPTION}; keys that the neighbour lacks are tested on one sample, at "
            "half of alpha"
        )
        most = request.samples or SAMPLES
        tested = one_sample.keys_test(self.sampler, exposed, self.promise.never, alpha, request.seed, most)
        refuted = next((one for one in tested if one[0].verdict is Verdict.REFUTED), None)
        if refuted is not None:
            return replace(evidence, refutation=Outcome(*refuted, tuple(pairs)))
        least = min((one for one, _pair in tested), key=lambda one: one.detectable_delta)
        self.notes.append(
            f"keys that the neighbour lacks show no violation in {least.samples} releases, which would have found a "
            f"delta >= {real(least.detectable_delta, down=False)} with probability 0.95"
        )
        return evidence

    def _steered(self, alpha: float, pairs: Sequence[Neighbours], evidence: Evidence) -> Evidence:
        """Test keys by importance sampling at half of alpha, and values with Gaussian noise at the other half."""
        tests = self._steered_keys(alpha / 2, pairs)
        rejected = next((test for test in tests or () if test.rejected), None)
        if rejected is None:
            return replace(evidence, steered=tests, suspected=self._suspected(alpha / 2, pairs))
        result, pair = draws.result_of_test(rejected, smallest(self.promise)), rejected.exposed.pair
        return replace(evidence, refutation=Outcome(result, pair, (*pairs, pair), tests or ()))

    def _steered_keys(self, alpha: float, pairs: Sequence[Neighbours]) -> tuple[SteeredTest, ...] | None:
        """Return the tests of the smallest exposed pair and of that with most keys; None if importance sampling fails.

        The tests share alpha evenly. Keys that may not be renamed are tested only if the target declares to release no
        others.
        """
        sampler, request = self.sampler, self.request
        declared = bool(sampler.target.releases_only_input_keys)
        level, tests = smallest(self.promise), list[draws.SteeredTest]()
        delta = request.required_delta(level.delta)
        named_keys = request.keys or sampler.target.public_partitions or self.promise.keys or sampler.fixed_keys
        free = request.searches and not named_keys
        exposed = one_sample.most_telling(one_sample.exposed(pairs, request.directions)) if free or declared else []
        for target in exposed:
            share = alpha / len(exposed)
            try:
                test = draws.steered_test(sampler, target, level, share, request.seed, delta, declared=declared)
            except draws.UnsteeredError as error:
                self.notes.append(f"{error}: {BY_COUNTING}")
                return None
            if test is None:
                continue
            tests.append(test)
            if test.rejected:
                return tuple(tests)
            self.notes.append(
                f"importance sampling ({test.tilted}): a key that the neighbour lacks is released with probability "
                f"{test.estimate:.2g} by estimate, at least {real(test.lower, down=True, digits=2)} "
                f"(pair {target.pair.id})"
            )
        return tuple(tests)

    def _suspected(self, alpha: float, pairs: Sequence[Neighbours]) -> SteeredTest | None:
        """Return a test of a value that both sides release; it refutes only under an unproved assumption."""
        sampler, adjacency = self.sampler, self.promise.adjacency
        keys = tuple(sampler.keys or sampler.looked_up)
        if keys and self.request.searches:  # other keys change nothing
            changed = keys[: adjacency.most_changed]
            left = dict.fromkeys(changed, KNOWN_COUNT)
            far_above = Neighbours(f"{len(changed)} known keys far above", left, without_user(left, changed))
            far = usable(far_above, sampler, adjacency)
            pairs = [*(pair for pair in pairs if {*pair.changes} <= {*keys}), *([] if far is None else [far])]
        same = draws.most_telling(pairs)
        if same is None:
            return None
        direction, level = self.request.directions[0], smallest(self.promise)
        test = draws.gaussian_value_test(self.sampler, same, direction, level, alpha, self.request.seed)
        return test if test is not None and test.rejected else None

    def _many_keys(self, alpha: float, pairs: Sequence[Neighbours], evidence: Evidence) -> Evidence:
        """Test single-user keys in releases of many, unless importance sampling has the required power."""
        request = self.request
        required_delta = max(request.required_delta(self.promise.never.delta), request.required_delta(draws.SMALLEST))
        if evidence.steered and all(test.power <= required_delta for test in evidence.steered):
            return evidence
        test = many_keys.many_keys_test(self.sampler, self.promise, request, alpha, self.notes)
        if test is None or not test.rejected:
            return replace(evidence, many_keys=test)
        pair = test.neighbours
        outcome = Outcome(test.result(), pair, (*pairs, pair), evidence.steered or (), many_keys=test)
        return replace(evidence, refutation=outcome, many_keys=test)

    def _shared_keys(self, alpha: float, pairs: Sequence[Neighbours], evidence: Evidence) -> Evidence:
        """Test counts and thresholds of shared keys, if new keys are tested in releases of many."""
        if evidence.many_keys is None:
            return evidence
        test = shared_keys.shared_keys_test(self.sampler, self.promise, self.request, alpha, self.notes)
        evidence = replace(evidence, shared_keys=test)
        if test is None or not test.rejected:
            return evidence
        outcome = Outcome(
            test.result(), test.neighbours, (*pairs, test.neighbours), evidence.steered or (),
            many_keys=evidence.many_keys, shared_keys=test,
        )  # fmt: skip
        return replace(evidence, refutation=outcome)


def evidence_of(tests: Iterable[Test], sampler: Sampler, pairs: Sequence[Neighbours]) -> Evidence:
    """Return the evidence of the tests, run in order until one refutes the claim."""
    evidence = Evidence()
    for test in tests:
        if evidence.refutation is None:
            with sampler.doing(test.name):
                evidence = test.run(pairs, evidence)
    return evidence


def smallest(promise: Promise) -> Level:
    """Return the level of smallest delta: an event that is impossible on the neighbour refutes it first."""
    return min(promise.levels, key=lambda level: level.delta)
