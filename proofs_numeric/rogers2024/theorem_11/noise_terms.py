"""Theorem 11, proof item 1: how many noise terms a round adds."""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.rogers2024.binary_mechanism import LENGTHS, up_to
from proofs_numeric.rogers2024.enumeration import floor_levels, levels
from proofs_numeric.rogers2024.parameters import printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.kinds import FiniteStatement, Recurrence
from proofs_numeric.statements.tactics import Maximum, Part, Sign, Split, Steps


def popcount_is_bounded(L: int) -> bool:
    """``max_{l <= L} ones(l) = floor(log2(L+1)) <= ceil(log2(L+1))``."""
    return max(r.bit_count() for r in range(1, L + 1)) == floor_levels(L) <= levels(L)


def _too_many(A: Arithmetic, *, number: Number, power: Number, **_rest: Number) -> Any:
    """``2^ones(l) - (l + 1)``."""
    return A.number(power) - number - 1


def _apart(A: Arithmetic, *, all_ones: Number, its_power: Number, **_rest: Number) -> Any:
    return A.number(its_power) - all_ones - 1


def _doubled(A: Arithmetic, *, digit: Number, **_rest: Number) -> Any:
    return 1 + A.number(digit)


def _two(A: Arithmetic, **_parameters: Number) -> Any:
    return A.number(2)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm11.popcount",
        source=printed("Theorem 11, proof item 1"),
        title="Noise terms of any round",
        statement=r"\max_{\ell \le L}\text{ones}(\ell) = \lfloor\log_2(L+1)\rfloor \le \lceil\log_2(L+1)\rceil",
        kind=FiniteStatement(
            up_to,
            popcount_is_bounded,
            LENGTHS,
            "L",
            every=Recurrence(
                state=Box(
                    (
                        Parameter("number", "l, of the digits so far", "rounds"),
                        Parameter("power", "2^ones(l)", "rounds", lower=1),
                        Parameter("all_ones", "the number all of whose digits are 1", "rounds"),
                        Parameter("its_power", "2^ones of it", "rounds", lower=1),
                    )
                ),
                given=Box((Parameter("digit", "of l", "digits", upper=1, integer=True),)),
                start={"number": zero, "power": one, "all_ones": zero, "its_power": one},
                step={
                    "number": lambda A, *, number, digit, **_rest: 2 * A.number(number) + digit,
                    "power": lambda A, *, power, digit, **_rest: A.number(power) * (1 + digit),
                    "all_ones": lambda A, *, all_ones, **_rest: 2 * A.number(all_ones) + 1,
                    "its_power": lambda A, *, its_power, **_rest: 2 * A.number(its_power),
                },
                left=lambda A, **at: A.maximum(_too_many(A, **at), _apart(A, **at), -_apart(A, **at)),
                right=zero,
            ),
            proof=Maximum(
                (
                    Part(_too_many, Steps(proof=Split("digit", 0, Sign(), Sign()), factor=_doubled)),
                    Part(_apart, Steps(factor=_two)),
                    Part(lambda A, **at: -_apart(A, **at), Steps(factor=_two)),
                )
            ),
        ),
        note="ones(l) <= log2(l + 1) for every l, and 2^n - 1 has n ones: n <= floor(log2 x) exactly where 2^n <= x.",
    ),
)
