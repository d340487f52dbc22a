"""Attacks on both orders of a pair: levels below zero close by those above, nothing near them."""

from dataclasses import replace

from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact
from tests.proofs_numeric.kernel.attacks import refusals, times
from tests.proofs_numeric.kernel.rules.profiles import BELOW_ZERO, HIDDEN, ROWS, SLOW, fixed, mirrored, of

WRONG = {
    "below zero: a little less": times(BELOW_ZERO, "0.999999999"),
    "below zero: a little more": times(BELOW_ZERO, "1.000000001"),
    "below zero: (5.8) itself": of(BELOW_ZERO, delta_exact),
    "below zero: not reflected": of(BELOW_ZERO, proof=BELOW_ZERO.kind.proof.proof),
    "below zero: above zero": replace(BELOW_ZERO, domain=ROWS.domain),
    "below zero: twice": mirrored(BELOW_ZERO, proof=BELOW_ZERO.kind.proof),
    "below zero: of one row": mirrored(BELOW_ZERO, opposite=fixed(ROWS, c_u=1).kind.formula),
    "below zero: of one order": mirrored(HIDDEN, opposite=HIDDEN.kind.formula, proof=HIDDEN.kind.proof),
}


test_what_is_false_or_another_statement_is_refused = refusals(WRONG, SLOW)
