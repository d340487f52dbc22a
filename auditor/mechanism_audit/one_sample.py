"""One-sample exact tests for targets that release only keys of their input.

Under this declaration the neighbour releases a key it lacks with probability 0. The other side may then release the key
with probability at most delta, for every epsilon. Releases of one side decide. If keys get independent noise, one
release of many single-user keys gives as many trials.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.black_box.audit import BlackBoxResult, EventStatus
from auditor.errors import UsageError
from auditor.mechanism_audit.pair_search import size
from auditor.mechanism_audit.sampler import has_key, released
from auditor.statistics.exact_tests import OneSampleTest, impossible_event_bet, impossible_event_wealth, one_run_test
from auditor.statistics.seeds import seed_of
from proofs_numeric.statements.neighbours import Direction, Neighbours
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from auditor.mechanism_audit.promise import Level
    from auditor.mechanism_audit.sampler import Sampler

SHARE = 0.5
"""Share of alpha of these tests if they are requested; fixed before the first draw."""
BLOCK = 8_192
SMALLEST, GROWTH = 16, 16
"""Releases of a block: the smallest number, or the fraction 1 / `GROWTH` of the earlier releases, at most `BLOCK`."""
MOST_TRIALS = 2**20
HINT = (
    "released keys of its input only: if it always does, --only-input-keys tests on one sample the keys that the "
    "neighbour lacks, which takes fewer releases"
)
ASSUMPTION = "the target releases only keys of its input (declared)"
INDEPENDENT_KEYS = "keys get independent noise and only keys of the input are released (declared by --one-run)"


@dataclass(frozen=True, eq=False)
class Exposed:
    """A pair and a direction in which one side holds keys that the other lacks."""

    pair: Neighbours
    direction: Direction
    keys: tuple[str, ...]

    @property
    def histogram(self) -> Mapping[str, int]:
        """Return the side that holds the keys."""
        return self.pair.left if self.direction is Direction.FORWARD else self.pair.right


def exposed(pairs: Sequence[Neighbours], directions: Sequence[Direction]) -> list[Exposed]:
    """Return every pair and direction in which P holds a key that Q lacks, smallest pair first."""
    targets = []
    for pair in sorted(pairs, key=size):
        for direction in directions:
            p, q = (pair.left, pair.right) if direction is Direction.FORWARD else (pair.right, pair.left)
            keys = tuple(key for key, count in p.items() if count and not q.get(key, 0))
            if keys:
                targets.append(Exposed(pair, direction, keys))
    return targets


def new_key(pair: Neighbours, directions: Sequence[Direction]) -> Direction | None:
    """Return the only direction in which P holds a key that Q lacks; None if there is none, or if there are two."""
    targets = exposed([pair], directions)
    return targets[0].direction if len(targets) == 1 else None


def most_telling(targets: Sequence[Exposed]) -> list[Exposed]:
    """Return the smallest target and the target with the most keys: more targets would divide alpha and time."""
    return list(dict.fromkeys([*targets[:1], *sorted(targets, key=lambda target: -len(target.keys))[:1]]))


def hint(sampler: Sampler, pairs: Sequence[Neighbours], directions: Sequence[Direction]) -> list[str]:
    """Return the hint to the one-sample test if it applies and all released keys were input keys; else none."""
    if sampler.foreign or not exposed(pairs, directions):
        return []
    return [HINT]


def keys_test(
    sampler: Sampler, targets: Sequence[Exposed], level: Level, alpha: float, seed: int, samples: int
) -> list[tuple[BlackBoxResult, Neighbours]]:
    """Test the exposed pairs one after another, with even shares of alpha, until one is refuted.

    Only `samples` and the budget limit the number of releases, never their values. Releases after a refutation tighten
    its lower bound. The result reports the releases up to the decision as its samples.

    Raises:
        UsageError: the given block counts leave no release for this test.
    """
    share = alpha / len(targets)
    pace = sampler.pace
    results = []
    for target in targets:
        limit = pace.limit()
        hits = trials = block = decided = 0
        delta_lower = 0.0
        while trials < min(samples, MOST_TRIALS) and (
            block < limit if limit is not None else trials == 0 or not pace.over()
        ):
            n = min(samples - trials, BLOCK, max(SMALLEST, trials // GROWTH))
            path = seed_of(seed, "impossible key", target.pair.id, target.direction.value, block)
            hits += int(has_key(sampler.batch(target.histogram, n, path), target.keys).sum())
            trials, block = trials + n, block + 1
            if not decided and impossible_event_wealth(hits, trials, level.delta) >= -math.log(share):
                decided, delta_lower = trials, impossible_event_bet(hits, trials, level.delta, share).delta_lower
        pace.blocks.append(block)
        if not trials:
            raise UsageError("--blocks are not those of this audit: the test of keys on one sample has none")
        test = impossible_event_bet(hits, trials, level.delta, share)
        test = replace(test, rejected=decided > 0, delta_lower=max(delta_lower, test.delta_lower))
        event = f"releases {' or '.join(target.keys)}"
        result = result_of(test, level, share, target, event, hits / trials, trials, block)
        results.append((replace(result, samples=decided or trials, pair_samples=decided or trials), target.pair))
        if decided:
            break
    return results


def one_run(
    sampler: Sampler, keys: int, c_u: int, level: Level, alpha: float, seed: int
) -> tuple[BlackBoxResult, Neighbours, int]:
    """Test one release of `keys` keys of one user each.

    A trial is a group of `c_u` keys, the most that one user may have. Without this user the keys are absent, so a trial
    may release one of them with probability at most delta.

    Returns:
        The result, the pair of one trial, and the number of released keys outside the input.
    """
    names = [f"u{i}" for i in range(keys)]
    batch = sampler.batch(dict.fromkeys(names, 1), 1, seed_of(seed, "one run"))
    numbers = {key for key, value in zip(batch.columns, batch.values[0].tolist(), strict=True) if not math.isnan(value)}
    foreign = released(batch) - numbers
    trials, releases = keys // c_u, [name in numbers or name in foreign for name in names]
    hits = sum(any(releases[c_u * trial : c_u * (trial + 1)]) for trial in range(trials))
    user = dict.fromkeys(names[:c_u], 1)
    pair = Neighbours("one user's key" if c_u == 1 else f"one user's {c_u} keys", user, {})
    test = one_run_test(hits, trials, level.delta, alpha)
    what = "the key of a single user" if c_u == 1 else f"a key of one user of {c_u} keys"
    event = f"{what} is released ({hits} of {trials} in one release)"
    result = result_of(test, level, alpha, Exposed(pair, Direction.FORWARD, (*user,)), event, hits / trials, trials, 1)
    as_keys = foreign.isdisjoint(names)  # otherwise the columns of numbers, list indices for example, are no keys
    return result, pair, len(numbers - set(names)) if as_keys else 0


def result_of(
    test: OneSampleTest, level: Level, alpha: float, target: Exposed, event: str, rate: float, trials: int, blocks: int
) -> BlackBoxResult:
    """Return the result of a test on one side of a pair, given that the other side never releases the event."""
    forward = target.direction is Direction.FORWARD
    return BlackBoxResult(
        verdict=Verdict.REFUTED if test.rejected else Verdict.CONSISTENT,
        epsilon=level.epsilon,
        alpha=alpha,
        delta_lower=test.delta_lower,
        epsilon_lower=math.inf if test.rejected else 0.0,
        pair=target.pair.id,
        direction=target.direction,
        event=event,
        event_status=EventStatus.CONFIRMED,
        event_left=rate if forward else 0.0,
        event_right=0.0 if forward else rate,
        event_samples=trials,
        samples=trials,
        pair_samples=trials,
        blocks=blocks,
        confirmation_blocks=0,
        log_wealth=0.0,
        delta_claimed=level.delta,
        detectable_delta=test.detectable_delta,
        power=test.detectable_delta,
        lacking=0,
        efficiency=None,
        profile=(),
        tradeoff=(),
        view=None,
        seconds=0.0,
    )
