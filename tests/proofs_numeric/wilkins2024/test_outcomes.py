"""Hockey sticks over any number of outcomes: the sums are those of the laws, and what is a little more is refused."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from auditor.engine.registry import registry
from proofs_numeric.arithmetic.rational import Rational
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.box import Box
from proofs_numeric.wilkins2024 import outcomes
from proofs_numeric.wilkins2024.finite import RATIOS, hockey_stick, joint, merged

CLAIMS = registry().claims
excess, other, ratio = outcomes.excess, outcomes.other, outcomes.ratio
p, q, released, silent = outcomes.p, outcomes.q, outcomes.released, outcomes.silent
LEFT, RIGHT = (
    {0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)},
    {0: Fraction(1, 4), 1: Fraction(0), 2: Fraction(3, 4)},
)


def after(recurrence, steps, **parameters):
    """The state after the steps, exactly."""
    return recurrence.after(Rational(), steps, **parameters)


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("silent", [Fraction(1, 3), Fraction(1)])
def test_rows_at_tau_beside_others_have_the_sticks_of_their_laws(ratio, silent):
    """Given silence the rows above have LEFT and RIGHT; two outcomes show a row at tau."""
    released = {"a": (1 - silent) / 4, "b": 3 * (1 - silent) / 4}
    with_user = {o: silent * p for o, p in LEFT.items()} | released
    steps = [{"p": LEFT.get(o, 0), "q": RIGHT.get(o, 0), "released": released.get(o, 0)} for o in (*LEFT, *released)]
    forward = after(outcomes.MIXED_FORWARD, steps, ratio=ratio, silent=silent)
    assert forward["direct"] == hockey_stick(with_user, RIGHT, ratio)
    assert forward["other"] == 1 - silent + silent * hockey_stick(LEFT, RIGHT, ratio / silent)
    backward = after(outcomes.MIXED_BACKWARD, steps, ratio=ratio, silent=silent)
    assert backward["direct"] == hockey_stick(RIGHT, with_user, ratio)
    assert backward["other"] == hockey_stick(RIGHT, LEFT, ratio * silent)


@pytest.mark.parametrize("ratio", RATIOS)
def test_rows_at_tau_alone_have_the_sticks_of_their_laws(ratio):
    """Three rows, each hidden with a probability of its own; silence is all that is seen without the user."""
    hidden = [Fraction(1, 2), Fraction(2, 3), Fraction(1)]
    law = joint(joint({"-": hidden[0], 1: 1 - hidden[0]}, {"-": hidden[1], 1: 1 - hidden[1]}), {"-": hidden[2]})
    silence = {(("-", "-"), "-"): Fraction(1)}
    steps = [{"hidden": p} for p in hidden]
    found = after(outcomes.ROWS_FORWARD, steps, ratio=ratio)
    assert found["appears"] + max(0, found["silent"] - ratio) == hockey_stick(law, silence, ratio)
    found = after(outcomes.ROWS_BACKWARD, steps, ratio=ratio)
    assert found["appears"] + max(0, 1 - ratio * found["silent"]) == hockey_stick(silence, law, ratio)


@pytest.mark.parametrize("ratio", RATIOS)
def test_products_withheld_and_merged_outcomes_have_the_sticks_of_their_laws(ratio):
    """Outcomes that one law lacks among them."""
    pairs = list(product(LEFT, RIGHT))
    steps = [
        {"p_1": LEFT[a], "q_1": RIGHT[a], "p_2": RIGHT[b], "q_2": LEFT[b], "q_alone": Fraction(0)} for a, b in pairs
    ]
    found = after(outcomes.PRODUCT, steps, ratio=ratio)
    assert found["direct"] == hockey_stick(joint(LEFT, RIGHT), joint(RIGHT, LEFT), ratio)
    assert found["other"] == sum(p * hockey_stick(RIGHT, LEFT, ratio * RIGHT[a] / p) for a, p in LEFT.items())

    kept = [{"p": LEFT[0], "q": RIGHT[0], "r": Fraction(0), "s": Fraction(0)}]
    gone = [{"p": Fraction(0), "q": Fraction(0), "r": LEFT[o], "s": RIGHT[o]} for o in (1, 2)]
    found = after(outcomes.WITHHELD, kept + gone, ratio=ratio)
    one = {0: LEFT[0], None: LEFT[1] + LEFT[2]}
    other = {0: RIGHT[0], None: RIGHT[1] + RIGHT[2]}
    assert found["direct"] == hockey_stick(LEFT, RIGHT, ratio)
    assert found["hidden"] == one[None]
    assert found["released"] + max(0, found["hidden"] - ratio * found["hidden_q"]) == hockey_stick(one, other, ratio)

    blocks = (0, 0, 1)
    steps = [{"p": LEFT[o], "q": RIGHT[o], "new": int(o == 2)} for o in LEFT]
    found = after(outcomes.MERGED, steps, ratio=ratio)
    assert found["whole"] == hockey_stick(LEFT, RIGHT, ratio)
    last = max(0, found["block"] - ratio * found["block_q"])
    assert found["done"] + last == hockey_stick(merged(LEFT, blocks), merged(RIGHT, blocks), ratio)


def changed(identifier, domain=None, **parts):
    """A claim whose statement of every size has other parts."""
    claim = CLAIMS[f"wilkins2024.{identifier}"]
    every = replace(claim.kind.every, **parts)
    return replace(claim, kind=replace(claim.kind, every=every), domain=domain or claim.domain)


def step(recurrence, **parts):
    """The recurrence's step with other parts."""
    return {**recurrence.step, **parts}


WRONG = {
    "5.1 forward, at e^epsilon below one": changed("lem5.1.fwd", Box((outcomes.RATIO,))),
    "5.1 forward, rows that appear twice": changed(
        "lem5.1.fwd", step=step(outcomes.ROWS_FORWARD, appears=outcomes.appears + 1 - outcomes.hidden)
    ),
    "5.1 backward, what appears counts": changed(
        "lem5.1.bwd", step=step(outcomes.ROWS_BACKWARD, appears=outcomes.ROWS_FORWARD.step["appears"])
    ),
    "5.2 forward, at epsilon for epsilon_2": changed(
        "lem5.2.fwd", step=step(outcomes.MIXED_FORWARD, other=other + (released + silent * excess(p, q)))
    ),
    "5.2 forward, without what appears": changed(
        "lem5.2.fwd", step=step(outcomes.MIXED_FORWARD, other=other + silent * excess(p, q, ratio / silent))
    ),
    "5.2 backward, at epsilon for epsilon_3": changed(
        "lem5.2.bwd", step=step(outcomes.MIXED_BACKWARD, other=other + excess(q, p))
    ),
    "products, at one level": changed(
        "lem5.3.product", step=step(outcomes.PRODUCT, other=other + outcomes.p_1 * excess(outcomes.p_2, outcomes.q_2))
    ),
    "untouched rows that tell a little": changed(
        "sec5.rows", step=step(outcomes.UNTOUCHED, other=other + outcomes.u * outcomes.u * excess(p, q))
    ),
    "withheld at half of its chance": changed(
        "lem5.3.withheld", step=step(outcomes.WITHHELD, hidden=outcomes.hidden + outcomes.r / 2)
    ),
    "merging raises it": changed("A.6", left=outcomes.MERGED.right, right=outcomes.MERGED.left),
    "merging, of less than there is": changed(
        "A.6", step=step(outcomes.MERGED, whole=outcomes.whole + excess(p, q) / 2)
    ),
}


@pytest.mark.parametrize("attack", WRONG)
def test_what_the_lemmas_do_not_say_is_refused(attack):
    """Each is false for some laws."""
    with pytest.raises(TacticError):
        prove(WRONG[attack], CLAIMS)
