"""The intermediate histogram in the proof of Theorem 11."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.definition_9.sparse_monotone import Counts, neighbour_cases, neighbours
from proofs_numeric.lebeda2025.parameters import stated
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.kinds import FiniteStatement, Instance, Recurrence
from proofs_numeric.statements.tactics import Maximum, Part, Sign, Split, Steps


def intermediate(left: Mapping[str, int], right: Mapping[str, int]) -> Counts:
    """The histogram between neighbours (Theorem 11): support of the smaller, counts of the larger."""
    larger, smaller = (left, right) if len(left) >= len(right) else (right, left)
    return {key: larger[key] for key in smaller}


def _intermediate_holds(case: tuple[Counts, Counts, int]) -> bool:
    left, right, k = case
    larger, smaller = (left, right) if len(left) >= len(right) else (right, left)
    between = intermediate(left, right)
    new = {key for key in larger if key not in between}
    return (
        set(between) == set(smaller)
        and set(smaller) <= set(larger)
        and all(larger[key] == between[key] for key in between)
        and all(larger[key] == 1 for key in new)
        and neighbours(between, smaller, k)
        and len(new) <= k
    )


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
        given=tuple(
            {"count": Fraction(smaller.get(key, 0)), "rise": Fraction(larger.get(key, 0) - smaller.get(key, 0))}
            for key in sorted(keys)
        ),
        left=Fraction(max(wrong, len(new) - len(larger))),
        right=Fraction(0),
        state={name: Fraction(x) for name, x in (("wrong", wrong), ("new", len(new)), ("keys", len(larger)))},
    )


# --- key by key, of any number of keys --------------------------------------------------------------------------------


def _present(A: Arithmetic, count: Number) -> Any:
    """1 where a count is above zero, else 0."""
    return A.minimum(1, A.number(count))


def _between(A: Arithmetic, count: Number, rise: Number) -> Any:
    """The intermediate histogram's count: the larger's where the smaller has any."""
    return _present(A, count) * (A.number(count) + rise)


def _wrong(A: Arithmetic, *, wrong: Number, count: Number, rise: Number, **_rest: Number) -> Any:
    """Adds up by how much a key has another support, another count there, another count than one where it is new."""
    between, larger = _between(A, count, rise), A.number(count) + rise
    support = A.maximum(_present(A, between) - _present(A, count), _present(A, count) - _present(A, between))
    kept = _present(A, count) * A.maximum(larger - between, between - larger)
    new = (1 - _present(A, count)) * _present(A, larger) * A.maximum(larger - between - 1, 1 - larger + between)
    apart = A.maximum(0, between - count - 1, count - between)
    return A.number(wrong) + support + kept + new + apart


def _new_keys(A: Arithmetic, *, new: Number, count: Number, rise: Number, **_rest: Number) -> Any:
    return A.number(new) + _present(A, A.number(count) + rise) * (1 - _present(A, count))


def _keys(A: Arithmetic, *, keys: Number, count: Number, rise: Number, **_rest: Number) -> Any:
    return A.number(keys) + _present(A, A.number(count) + rise)


def _more_new(A: Arithmetic, *, new: Number, keys: Number, **_rest: Number) -> Any:
    return A.number(new) - keys


_BY_COUNT = Steps(proof=Split("count", 0, Split("rise", 0, Sign(), Sign()), Split("rise", 0, Sign(), Sign())))

CLAIMS = (
    stated(
        "thm11.proof", "Theorem 11, proof", "the intermediate histogram exists for every pair of neighbours",
        r"supp(\hat H) = supp(H), \hat H = H' \text{ there}; H' - \hat H = 1 \text{ outside}",
        FiniteStatement(
            cases=neighbour_cases, holds=_intermediate_holds, sizes={"quick": 2, "standard": 3, "deep": 4},
            size_text="largest count",
            every=Recurrence(
                state=Box(tuple(Parameter(name, "", lower="-infinity") for name in ("wrong", "new", "keys"))),
                given=Box(
                    (
                        Parameter("count", "of the smaller histogram", "counts", integer=True),
                        Parameter("rise", "to the larger's", "counts", upper=1, integer=True),
                    ),
                ),
                start=dict.fromkeys(("wrong", "new", "keys"), zero),
                step={"wrong": _wrong, "new": _new_keys, "keys": _keys},
                left=lambda A, **state: A.maximum(parameter_named("wrong")(A, **state), _more_new(A, **state)),
                right=zero,
            ),
            instances=key_by_key,
            proof=Maximum((Part(parameter_named("wrong"), _BY_COUNT), Part(_more_new, _BY_COUNT))),
        ),
    ),
)  # fmt: skip
