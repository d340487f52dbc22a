"""Theorem 11, proof item 1: how many noise terms a round adds."""

from collections.abc import Iterator
from fractions import Fraction

from proofs_numeric.expression import largest_of, maximum, symbols
from proofs_numeric.rogers2024.binary_mechanism import LENGTHS, up_to
from proofs_numeric.rogers2024.enumeration import floor_levels, levels
from proofs_numeric.rogers2024.parameters import stated
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import integer_of, one, zero
from proofs_numeric.statements.kinds import FiniteStatement, Instance, Recurrence
from proofs_numeric.statements.tactics import Sign, Split, Steps


def rounds_by_digits(L: int) -> Iterator[Instance]:
    """Each round up to L with its digits, and ``2^ones(l) - (l + 1)``, which is 0 at most."""
    for round_ in range(1, L + 1):
        digits = [Fraction(int(digit)) for digit in f"{round_:b}"]
        power, whole = 2 ** round_.bit_count(), 2 ** len(digits)
        yield Instance(
            at={}, given=tuple({"digit": digit} for digit in digits), left=Fraction(max(power - round_ - 1, 0)),
            right=Fraction(0),
            state={
                "number": Fraction(round_), "power": Fraction(power), "all_ones": Fraction(whole - 1),
                "its_power": Fraction(whole),
            },
        )  # fmt: skip


number, power, all_ones, its_power, digit = symbols("number power all_ones its_power digit")
_too_many = power - number - 1
"""``2^ones(l) - (l + 1)``."""
_apart = its_power - all_ones - 1

CLAIMS = (
    stated(
        "thm11.popcount", "Theorem 11, proof item 1", "Noise terms of any round",
        r"\max_{\ell \le L}\text{ones}(\ell) = \lfloor\log_2(L+1)\rfloor \le \lceil\log_2(L+1)\rceil",
        FiniteStatement(
            up_to, lambda L: max(r.bit_count() for r in range(1, L + 1)) == floor_levels(L) <= levels(L), LENGTHS, "L",
            every=Recurrence(
                state=Box(
                    (
                        Parameter("number", "l, of the digits so far", "rounds"),
                        Parameter("power", "2^ones(l)", "rounds", lower=1),
                        Parameter("all_ones", "the number all of whose digits are 1", "rounds"),
                        Parameter("its_power", "2^ones of it", "rounds", lower=1),
                    ),
                ),
                given=Box((Parameter("digit", "of l", "digits", upper=1, integer=True),)),
                start={"number": zero, "power": one, "all_ones": zero, "its_power": one},
                step={
                    "number": 2 * number + digit, "power": power * (1 + digit), "all_ones": 2 * all_ones + 1,
                    "its_power": 2 * its_power,
                },
                left=maximum(_too_many, _apart, -_apart), right=zero,
            ),
            instances=rounds_by_digits,
            proof=largest_of(
                (_too_many, Steps(proof=Split("digit", 0, Sign(), Sign()), factor=1 + digit)),
                (_apart, Steps(factor=integer_of(2))), (-_apart, Steps(factor=integer_of(2)))
            ),
        ),
        note="ones(l) <= log2(l + 1) for every l, and 2^n - 1 has n ones: n <= floor(log2 x) exactly where 2^n <= x.",
    ),
)  # fmt: skip
