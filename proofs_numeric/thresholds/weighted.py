r"""Weighted Gaussian set union: a user of t keys adds 1/sqrt(t) to each; a key whose noisy weight passes T is shown.

Source: Gopi and others, ICML 2020, of which the abstract and public descriptions were read, not the paper. The noisy
weights are shown too, here; the paper's set of keys is a function of that.

A user of t keys is one of Theorem 5.4 of wilkins2024 with t rows, in units of the weight: the noise is
``sigma sqrt(t)`` and the gap ``T sqrt(t) - 1``. All shared keys together are ``1/sigma`` apart whatever t, so the exact
delta of users of at most C_u keys is

    max{ f(1/sigma, epsilon),  max over t of 1 - Phi((T - 1/sqrt(t))/sigma)^t }.

The largest t-th term is that of t = 1 or of t = C_u. With ``L = -log Phi`` the term's logarithm is
``-(sqrt(L(x))/w)^2`` at ``w = 1/sqrt(t)`` and ``x = (T - w)/sigma``. The root of L is convex in x
(``thresholds.weighted.root``), and a convex function over a positive linear one has no interior maximum
(``thresholds.weighted.ends``). Convexity says ``h < 2 L rho`` with ``h = phi/Phi`` and ``rho = x + h``: the difference
``2 L - h/rho`` falls to 0, by Sampford's ``rho (rho + h) > 1``.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.gaussian import gaussian_mu
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.adjacency import AddRemoveUser
from proofs_numeric.statements.box import points
from proofs_numeric.statements.neighbours import MOST_CHANGED_KEYS, ByParameters, Neighbours, Privacy
from proofs_numeric.statements.profiles import AnyRows, OfAnyNumber, SparseRows
from proofs_numeric.statements.releases import Noisy
from proofs_numeric.thresholds.parameters import C_U, own
from proofs_numeric.wilkins2024.parameters import DELTA, EPSILON
from proofs_numeric.wilkins2024.theorem_5_4.collapse import larger_delta
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_on_pairs
from proofs_numeric.wilkins2024.theorem_5_4.hazard import hazard, rho

_HERE = "weighted Gaussian set union"
_ID = "thresholds.weighted"
x, t, y, left, right, light, mid, top = symbols("x t y left right light mid top")
weight, threshold, sigma = symbols("weight threshold sigma")

# --- the root of -log Phi is convex -----------------------------------------------------------------------------------

_turn = 2 * t - 1 / t
_tail = phi(_turn) * t / (1 - t**2) - Phi(_turn)
_tail_rises = product_of(2 * t**4 * phi(_turn) / (1 - t**2) ** 2)
_ABOVE_TURN = Split(
    "t", 1, product_of((1 - t**2) / (t * Phi(_turn)), (_tail, Derivative("t", "lower", _tail_rises))),
    sum_of(phi(_turn) / Phi(_turn), (t**2 - 1) / t), without="lower",
)  # fmt: skip
_conjugate = sqrt(x**2 + 8)
_least = (x + _conjugate) / 4
"""What rho exceeds: the t with ``2 t - 1/t = x``."""
_TURN = Split(
    "x", 0, ByClaim(f"{_ID}.sampford.turn", {"t": 2 / (_conjugate - x)}), ByClaim(f"{_ID}.sampford.turn", {"t": _least})
)
_POSITIVE, _ABOVE = ByClaim("wilkins2024.thm5.4.collapse.rho"), ByClaim(f"{_ID}.sampford.root")
_conjugates = (_conjugate - x) / 2, Split("x", 0, Sign(), product_of(4 / (_conjugate + x)))
"""``1/t`` at that t."""
_SAMPFORD = product_of(
    (rho - _least, _ABOVE), (2 * rho + _conjugates[0], sum_of(factors(2, (rho, _POSITIVE)), _conjugates))
)
_lost = -log(Phi(x))
_ratio = 1 - x * _conjugates[0]
"""``1 - x/t``, more than h/rho on the left."""
_ratio_rises = sum_of(factors(2, (rho - _least, _ABOVE)), -4 * x / (_conjugate * (_conjugate - x)))
_LEFT = sum_of(
    factors((rho, _POSITIVE), (2 * _lost - _ratio, Derivative("x", "upper", _ratio_rises))),
    factors(-x, (rho - _least, _ABOVE), _conjugates[0]),
)
_falls = product_of(hazard / rho**2, (rho * (x + 2 * hazard) - 1, ByClaim(f"{_ID}.sampford")))
_CURVED = Split("x", 0, _LEFT, product_of(rho, (2 * _lost - hazard / rho, Derivative("x", "upper", _falls))))
root = sqrt(_lost)
root_slope = -hazard / (2 * root)
_SLOPE_RISES = Slope(product_of(hazard / (4 * _lost * root), (2 * _lost * rho - hazard, ByClaim(f"{_ID}.root"))))
_curvature = hazard / (4 * _lost * root)
_ends_of = {"x": y + left, "x_2": y + left + right}
_left_slope, _right_slope = (root_slope(x=_ends_of[name]) for name in ("x", "x_2"))
_bent = (2 * _lost * rho - hazard)(x=y + left), ByClaim(f"{_ID}.root", {"x": y + left})
_below_tangent = root(x=y) + left * _left_slope - root(x=y + left)
_CHORD = Derivative(
    "right", "lower",
    sum_of(
        factors(left, (_right_slope - _left_slope, ByClaim(f"{_ID}.root.slope", _ends_of))),
        (_below_tangent, Derivative("left", "lower", product_of(left * _curvature(x=y + left), _bent))),
    ),
)  # fmt: skip

# --- weights ----------------------------------------------------------------------------------------------------------

_weights = light + mid + top, light + mid, light
_heavy, _weight, _light = ((w, root(x=(threshold - w) / sigma)) for w in _weights)
_loss_of = -log_cdf((threshold - weight) / sigma) / weight**2
_losses = tuple(_loss_of(weight=w) for w in _weights)
"""``t L`` at ``w = 1/sqrt(t)``."""
_at_chord = {"y": (threshold - _weights[0]) / sigma, "left": top / sigma, "right": mid / sigma}
_chord = right * root(x=y) + left * root(x=y + left + right) - (left + right) * root(x=y + left)
_BELOW_CHORD = ByClaim(f"{_ID}.root.chord", _at_chord)


def _at_end(larger: int, smaller: int, part_of_smaller: Expression) -> Part:
    """Where the loss is larger at that end: what the weight leaves is a part of what the other end does, and chords."""
    ends = (_heavy, _weight, _light)
    over, under, other = (each / w for w, each in (ends[larger], _weight, ends[smaller]))
    more = 1 / (over + other), (_losses[larger] - _losses[smaller], Hypothesis())
    chords = sigma * _chord(**_at_chord), product_of(sigma, (_chord(**_at_chord), _BELOW_CHORD))
    parts = sum_of(factors(part_of_smaller, (over - other, product_of(*more))), chords)
    left_over = product_of(1 / (_weights[1] * (mid + top)), (_weights[1] * (mid + top) * (over - under), parts))
    return Part(_losses[larger], product_of(over + under, (over - under, left_over)))


_ENDS = Split(
    "mid", 0, Symbolic(), Maximum((_at_end(0, 2, top * light), _at_end(2, 0, mid * _weights[0])), inside=True),
    without="upper",
)  # fmt: skip

# --- delta ------------------------------------------------------------------------------------------------------------

epsilon, keys, c_u, place, lost = symbols("epsilon keys c_u place lost")
_gaussian = profile(epsilon, 1 / sigma)
_of_keys = {n: _loss_of(weight=1 / sqrt(n)) for n in (keys, place + 1, c_u)}
_of_one = _loss_of(weight=1)
delta_of_keys = maximum(-expm1(-_of_keys[keys]), _gaussian)
"""Exact delta of users of that many keys; epsilon >= 0."""
most_lost = maximum(_of_one, _of_keys[c_u])
delta_weighted = maximum(-expm1(-most_lost), _gaussian)
"""Exact delta of users of at most c_u keys, in O(1); epsilon >= 0."""
_ROWS = keys, -log_cdf((threshold - 1 / sqrt(keys)) / sigma), 1 / (keys * sigma**2)

_number = place + 1
_weights_of = {"light": 1 / sqrt(c_u), "mid": 1 / sqrt(_number) - 1 / sqrt(c_u), "top": 1 - 1 / sqrt(_number)}
_NO_MORE_LOST = ByClaim(
    f"{_ID}.ends", _weights_of,
    {
        "mid": product_of(c_u - _number, 1 / (sqrt(c_u) * sqrt(_number) * (sqrt(c_u) + sqrt(_number)))),
        "top": product_of(place, 1 / (sqrt(_number) * (sqrt(_number) + 1))),
    },
)  # fmt: skip
_here = maximum(-expm1(-_of_keys[_number]), _gaussian)


def _likelier(less: Expression, more: Expression, proof: Tactic) -> Tactic:
    """That ``1 - e^-less`` is at most ``1 - e^-more``, by a proof that less is at most more."""
    box = Box((Parameter("lost", ""),))
    grows = Substitute(box, {"lost": more - less}, Sign(), lift(0), 1 - exp(-lost), {"lost": proof})
    return product_of(exp(-less), (1 - exp(-(more - less)), grows))


_BELOW = largest_of(
    (
        -expm1(-_of_keys[_number]),
        Through(-expm1(-most_lost), _likelier(_of_keys[_number], most_lost, _NO_MORE_LOST), Symbolic())
    ),
    (_gaussian, Symbolic())
)  # fmt: skip


def _attained(loss: Expression) -> Part:
    """Where the most is lost there: users of one key, or of all."""
    return Part(loss, Through(maximum(-expm1(-loss), _gaussian), Symbolic(), Hypothesis()))


_ATTAINED = largest_of(
    (-expm1(-most_lost), Maximum((_attained(_of_one), _attained(_of_keys[c_u])), inside=True)), (_gaussian, Symbolic())
)  # fmt: skip

_WEIGHTED = OfAnyNumber(
    delta_of_keys, larger_delta(*_ROWS), Largest("place", Both(_BELOW, _ATTAINED), (lift(0), c_u - 1))
)
FAR = 40
"""Standard deviations above T at which a key is released but for a probability below 1e-349."""
adjacency = ByParameters(AddRemoveUser, {"c_u": "c_u"})
"""One user, of at most c_u records."""


def of_records(c_u: int, far: int = 0, threshold: str = "T") -> list[Neighbours]:
    """Return the records of a user of one key, and of most: alone there, and far above the threshold, if that is given.

    A key ``user/key`` of these histograms is a record of that user; a plain key counts users who have it alone.
    """
    most = min(c_u, MOST_CHANGED_KEYS // 2)
    records = {t: {f"u/k{i}": 1 for i in range(t)} for t in dict.fromkeys((1, most))}
    pairs = [Neighbours(f"new_{t}", mine, {}, f"a user of {t} keys, alone") for t, mine in records.items()]
    others = {f"k{i}": far for i in range(most)}
    moved = Neighbours("moved", others | records[most], others, f"a user of {most} keys far above {threshold}")
    return [*pairs, moved] if far else pairs


def worst_cases(parameters: Mapping[str, Any]) -> tuple[Neighbours, ...]:
    """Return `of_records`, far above T where T and sigma are given."""
    if not {"threshold", "sigma"} <= parameters.keys():
        return tuple(of_records(int(parameters["c_u"])))
    far = math.ceil(Fraction(parameters["threshold"]) + FAR * Fraction(parameters["sigma"]))
    return tuple(of_records(int(parameters["c_u"]), max(1, far)))


WEIGHTED = Privacy(
    adjacency, worst_cases, records=True,
    release=Noisy(sigma * sqrt(keys), keys=keys, margin=threshold * sqrt(keys) - 1),
)  # fmt: skip
"""In units of the weight of a user of ``keys`` keys."""


def by_pairs(A: Arithmetic, *, epsilon: Number, sigma: Number, threshold: Number, c_u: int) -> Any:
    """Every pair of every number of keys, in both orders, by quadrature in units of the weight."""
    return A.maximum(
        *(of_keys_by_pairs(A, epsilon=epsilon, sigma=sigma, threshold=threshold, keys=t) for t in range(1, c_u + 1))
    )


def of_keys_by_pairs(A: Arithmetic, *, epsilon: Number, sigma: Number, threshold: Number, keys: int) -> Any:
    """Every pair of users of that many keys: those of Theorem 5.4 in units of the weight."""
    root_of = A.sqrt(A.number(keys))
    unit = {"sigma": A.number(sigma) * root_of, "gap": A.number(threshold) * root_of - 1}
    return delta_on_pairs(A, epsilon=epsilon, c_u=keys, mu_o=0, **unit)


delta, value = symbols("delta value")
_sigma_at = 1 / algorithm(gaussian_mu)()
"""Least noise with ``f(1/sigma, epsilon) <= delta``: ``thresholds.gaussian.sigma``."""
least_threshold = maximum(
    1 + sigma * quantile_complement(delta), 1 / sqrt(c_u) + sigma * quantile_complement(-expm1(log1p(-delta) / c_u))
)
"""Least T at which new keys of any user leak at most delta."""
_NOISE_SUFFICES = at_most(_gaussian, delta)


def _met_at(largest: Expression, less: Expression, losses: tuple[Expression, Expression], number: Expression) -> Part:
    """Where that threshold is the larger: by new keys users of its number leak delta, those of ``number`` no more."""
    first, other = (loss(threshold=largest) for loss in losses)
    leaked = -expm1(-maximum(first, other))
    at = {"threshold": less, "threshold_2": largest, "keys": number}
    falls = ByClaim(f"{_ID}.keys.lost", at, {"threshold < threshold_2": Hypothesis()})
    met = losses[1](threshold=less)
    no_more = Through(-expm1(-met), _likelier(other, met, falls), Symbolic())
    below = largest_of((first, Symbolic()), (other, no_more), inside=True)
    more = Through(-expm1(-first), Symbolic(), _likelier(first, other, Hypothesis()))
    above = largest_of((first, Symbolic()), (other, more), inside=True)
    reached = largest_of((leaked, below), (_gaussian, Hypothesis()))
    return Part(largest, Both(reached, Through(leaked, above, Symbolic())))


_by_one, _by_all = least_threshold.arguments
_MET = Maximum(
    (
        _met_at(_by_one, _by_all, (_of_one, _of_keys[c_u]), c_u),
        _met_at(_by_all, _by_one, (_of_keys[c_u], _of_one), lift(1)),
    ),
    inside=True,
)
_half = {"sigma": _sigma_at(delta=delta / 2), "delta": delta / 2}
_least_at = least_threshold(sigma=_sigma_at(epsilon=1, delta=delta))
_thresholds = tuple(_least_at(delta=each, c_u=100) for each in (lift("1e-5"), lift("5e-6")))
_noises = tuple(_sigma_at(epsilon=1, delta=each) for each in (lift("1e-5"), lift("5e-6")))

_REAL = Box((Parameter("x", "any real", lower="-infinity"),))
_SIGMA = Parameter("sigma", "standard deviation of the noise on weights", "weights", "1e-3", 10**4, log=True)
_THRESHOLD = Parameter(
    "threshold", "T: what a noisy weight passes", "weights", "-infinity", "infinity", searched=(-(10**5), 10**5)
)
_KEYS = Parameter("keys", "t, keys of the user", "keys", 1, 10**6, integer=True, log=True, default=1)
_MODERATE = Parameter("delta", "target delta", "probability", "1e-30", "1e-2", log=True)
_MORE: dict[str, Any] = {"falls": ("epsilon", "threshold"), "assumptions": ("weights of the others unbounded",)}


def _nowhere(*, c_u: Value, **at: Value) -> SpecialValue | None:
    reason = "delta is below f(1/sigma, epsilon): the noise alone exceeds it; raise sigma or delta"
    return None if _NOISE_SUFFICES(**at) else SpecialValue("infinity", reason)


CLAIMS = (
    own(
        "weighted.sampford.turn", _HERE, "rho where Sampford's inequality would turn", None, t < rho(x=_turn),
        proof=_ABOVE_TURN, domain=(Parameter("t", "a value of rho", open_lower=True),),
    ),
    own(
        "weighted.sampford.root", _HERE, "Sampford's inequality, solved for rho", None, _least < rho, proof=_TURN,
        domain=_REAL,
    ),
    own(
        "weighted.sampford", _HERE, "The hazard of the normal law is convex (Sampford)", r"\rho(\rho + h) > 1",
        rho * (x + 2 * hazard) > 1, proof=_SAMPFORD, domain=_REAL,
    ),
    own(
        "weighted.root", _HERE, "The root of -log Phi is convex", r"h < -2\rho\ln\Phi(x)", hazard < 2 * _lost * rho,
        proof=_CURVED, domain=_REAL,
    ),
    own(
        "weighted.root.slope", _HERE, "Its slope rises", None, Monotonicity(root_slope, "x", increasing=True),
        proof=_SLOPE_RISES, domain=_REAL,
    ),
    own(
        "weighted.root.chord", _HERE, "It is below its chords", None,
        (left + right) * root(x=y + left) <= right * root(x=y) + left * root(x=y + left + right), proof=_CHORD,
        domain=(
            Parameter("y", "any real", lower="-infinity"), Parameter("left", "part of the chord"),
            Parameter("right", "the rest of it"),
        ),
    ),
    own(
        "weighted.ends", _HERE, "By new keys those users leak most who weigh most or least", None,
        _losses[1] <= maximum(_losses[0], _losses[2]), proof=_ENDS,
        domain=(
            Parameter("light", "least weight", "weights", open_lower=True),
            Parameter("mid", "what the weight is above it", "weights"),
            Parameter("top", "what the largest weight is above the weight", "weights"),
            Parameter("threshold", "T", "weights", "-infinity"),
            Parameter("sigma", "standard deviation of the noise", "weights", open_lower=True),
        ),
    ),
    own(
        "weighted.keys", _HERE, "Exact delta of the weighted Gaussian set union for users of so many keys",
        r"\max\{1 - \Phi((T - 1/\sqrt t)/\sigma)^t,\ f(1/\sigma, \varepsilon)\}",
        DeltaBound(
            delta_of_keys, of_keys_by_pairs,
            points("epsilon sigma threshold keys", ("1", "2", "6", 1), ("1/2", "3", "5", 3), ("0", "1", "2", 2)),
            pairs=SparseRows(*_ROWS), proof=larger_delta(*_ROWS),
        ),
        domain=(EPSILON, _SIGMA, _THRESHOLD, _KEYS), **_MORE,
    ),
    own(
        "weighted.keys.lost", _HERE, "New keys lose less at a higher threshold", None,
        Monotonicity(_of_keys[keys], "threshold", increasing=False), proof=Slope(),
        domain=(
            replace(_THRESHOLD, lower="-infinity", upper="infinity"),
            replace(_SIGMA, lower=0, upper="infinity", open_lower=True), replace(_KEYS, upper="infinity"),
        ),
    ),
    own(
        "weighted.delta", _HERE, "Exact delta of the weighted Gaussian set union, in O(1)",
        r"\max\{f(1/\sigma, \varepsilon),\ 1 - \Phi((T - 1)/\sigma),\ 1 - \Phi((T - 1/\sqrt{C_u})/\sigma)^{C_u}\}",
        DeltaBound(
            delta_weighted, by_pairs,
            points("epsilon sigma threshold c_u", ("1", "2", "6", 1), ("1/2", "3", "5", 3), ("0", "1", "2", 4)),
            pairs=AnyRows("keys", c_u, SparseRows(*_ROWS)), proof=_WEIGHTED,
        ),
        domain=(EPSILON, _SIGMA, _THRESHOLD, C_U), rises=("c_u",), privacy=WEIGHTED,
        moves={"c_u": derived(Unchecked("users of fewer keys", "users of fewer keys are among those of at most more"))},
        **_MORE,
        turns=(Turn("sigma", {"epsilon": "1/2", "threshold": 6, "c_u": 2}, (1, 2, 10)),),
        points=points("epsilon sigma threshold c_u", ("1", "3.8", "17.2", 100), ("1", "3.8", "17.2", 10)),
        note="The worst user of new keys has one key or C_u: thresholds.weighted.ends.",
    ),
    own(
        "weighted.threshold", _HERE, "Least threshold of the weighted Gaussian set union",
        r"T = \max_{t \in \{1, C_u\}} 1/\sqrt t + \sigma\Phi^{-1}((1 - \delta)^{1/t})"
        r"\text{ for } f(1/\sigma, \varepsilon) \le \delta",
        Calibration(
            least_threshold, delta_weighted(threshold=value), answered=_NOISE_SUFFICES,
            by=Achieved("thresholds.weighted.delta", {"threshold": value}), proof=_MET,
        ),
        domain=(EPSILON, DELTA, _SIGMA, C_U), falls=("delta",), rises=("c_u",), privacy=WEIGHTED,
        special_value=_nowhere, points=({"epsilon": 1, "delta": "1e-5", "sigma": "3.74", "c_u": 100},),
    ),
    own(
        "weighted.rule", _HERE, "The rule in use, half of delta for the noise and for the threshold each, keeps half",
        r"f(1/\sigma, \varepsilon) = \delta/2,\ T = \max_t 1/\sqrt t + \sigma\Phi^{-1}((1 - \delta/2)^{1/t}):\ "
        r"\delta(\varepsilon) = \delta/2",
        Identity(
            delta_weighted(sigma=_half["sigma"], threshold=least_threshold(**_half)), delta / 2,
            proof=derived(
                Premise("thresholds.gaussian.sigma", "at delta/2: the noise alone has delta/2"),
                Premise("thresholds.weighted.threshold", "at that noise and delta/2: the threshold meets delta/2"),
            ),
        ),
        domain=(replace(EPSILON, upper=20), _MODERATE, C_U),
        note="The rule as public descriptions have it; its maximum over t is at t = 1 or t = C_u.",
    ),
    own(
        "weighted.gain.noise", _HERE, "At (1, 1e-5) the exact delta needs 4 % less noise than the rule in use",
        r"\sigma(\delta)/\sigma(\delta/2) = 3.7306/3.8841", Quantity(_noises[0] / _noises[1], "0.96048"),
        quantity=QuantityKind.RATIO,
    ),
    own(
        "weighted.gain.threshold", _HERE, "And for users of up to a hundred keys a threshold lower by 6 %",
        r"19.497/20.790", Quantity(_thresholds[0] / _thresholds[1], "0.93781"), quantity=QuantityKind.RATIO,
    ),
)  # fmt: skip
