"""Search for the smallest refuted pair: fewer keys, then smaller counts, with ties kept where possible."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from auditor.inputs.shrinking import shrunk_from
from auditor.mechanism_audit.pair_search import size, without_user
from proofs_numeric.statements.neighbours import Neighbours


def changed_keys(pair: Neighbours) -> list[str]:
    """Return the keys that the user changes."""
    return [key for key in pair.left if pair.left[key] != pair.right.get(key, 0)]


def restricted(pair: Neighbours, keys: Sequence[str]) -> Neighbours:
    """Return the pair on some of its keys, renamed k0, k1, ... in order."""
    remaining = [key for key in pair.left if key in keys]
    left = {f"k{i}": pair.left[key] for i, key in enumerate(remaining)}
    return shrunk_from(pair, left, {f"k{i}": pair.right[key] for i, key in enumerate(remaining) if key in pair.right})


def lowered(pair: Neighbours, keys: Sequence[str], by: int) -> Neighbours:
    """Return the pair with the counts of some keys lowered by `by` on both sides."""
    left = {key: count - by * (key in keys) for key, count in pair.left.items()}
    return shrunk_from(pair, left, without_user(left, changed_keys(pair)))


def halved(pair: Neighbours) -> Neighbours:
    """Return the pair with half the counts, rounded down, at least 1; the ratios of counts stay close."""
    left = {key: max(1, count // 2) for key, count in pair.left.items()}
    return shrunk_from(pair, left, without_user(left, changed_keys(pair)))


def fewer_keys(pair: Neighbours) -> Iterator[Neighbours]:
    """Yield the pair on fewer keys, fewest first: one changed key, all of them, halves, all but one."""
    changed = changed_keys(pair)
    rest = [key for key in pair.left if key not in changed]
    choices = [
        changed[:1],
        changed,
        [*changed[:1], *rest[:1]],
        [*changed[: len(changed) // 2], *rest],
        [*changed, *rest[: len(rest) // 2]],
        *([key for key in pair.left if key != dropped] for dropped in reversed(list(pair.left))),
    ]
    for keys in choices:
        if set(keys) & set(changed) and len(keys) < len(pair.left):
            yield restricted(pair, keys)


@dataclass
class Shrinking:
    """A descent to ever smaller pairs that a test accepts.

    Attributes:
        accepts: returns whether a pair is still refuted; None, if time has run out, ends the descent.
        pairs: the initial pair and every smaller pair accepted, in order.
    """

    accepts: Callable[[Neighbours], bool | None]
    pairs: list[Neighbours]
    _tried_texts: set[str] = field(default_factory=set)
    _over: bool = False

    def run(self) -> list[Neighbours]:
        """Descend until no smaller pair is accepted; return all pairs found."""
        size_before = None
        while size_before != size(self.pairs[-1]) and not self._over:
            size_before = size(self.pairs[-1])
            while any(self._take(smaller) for smaller in fewer_keys(self.pairs[-1])):
                pass
            self._lower(list(self.pairs[-1].left))
            while self._take(halved(self.pairs[-1])):
                pass
            for key in list(self.pairs[-1].left):
                self._lower([key])
        return self.pairs

    def _take(self, candidate: Neighbours) -> bool:
        text = f"{candidate.left}|{candidate.right}"
        if self._over or text in self._tried_texts or size(candidate) >= size(self.pairs[-1]):
            return False
        self._tried_texts.add(text)
        answer = self.accepts(candidate)
        self._over = answer is None
        if answer:
            self.pairs.append(candidate)
        return bool(answer)

    def _lower(self, keys: Sequence[str]) -> None:
        """Lower the counts of some keys together by bisection, starting with the largest possible step."""
        pair = self.pairs[-1]
        low, high = 0, min(pair.left[key] for key in keys)
        by = high - 1
        while by > low:
            low, high = (by, high) if self._take(lowered(pair, keys, by)) else (low, by)
            by = (low + high) // 2


def shrunk(pair: Neighbours, accepts: Callable[[Neighbours], bool | None]) -> list[Neighbours]:
    """Return the pair and every smaller pair that the test accepted, smallest last."""
    return Shrinking(accepts, [pair]).run()
