"""The exact delta of the correlated stability histogram."""

from proofs_numeric.lebeda2025.exact.analysis import exact_delta
from proofs_numeric.lebeda2025.exact.cover import above_ends, off_chord
from proofs_numeric.lebeda2025.exact.oracle import delta_by_definition
from proofs_numeric.lebeda2025.exact.pair import forward, new_released, reverse
from proofs_numeric.lebeda2025.laws import COUNTERS
from proofs_numeric.lebeda2025.neighbours import STABILITY_HISTOGRAM
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.lebeda2025.section_3.certificate import BESIDE
from proofs_numeric.lebeda2025.section_3.reverse import HAZARD
from proofs_numeric.statements.shared import Between, Falling, Integrated
from proofs_numeric.statements.tactics import Resting

first, before, after, beyond = symbols("first before after beyond")
u, v, t, w, p, q, moved, factor = symbols("u v t w p q moved factor")
_place, _last = first + before, first + before + after
_d = _last + beyond
_pair = algorithm(forward)(k=l + _d)
_ends = {"d": _d, "j0": first, "j1": _last}
_mu_1 = sqrt(j * (_d - j) / _d) / sigma
_low, _high = _mu_1(j=first), _mu_1(j=_last)
_OF_CHORD = {
    "u": sqrt(_low), "v": sqrt(_high), "t": before / (before + after), "w": (before + after) ** 2 / _d / sigma**2,
}  # fmt: skip
"""What the statements about a chord call u, v, t and w."""
_chord = (1 - t) * u * u + t * v * v
_bend = w + (u**2 - v**2) ** 2
_root_of_quadratic = sqrt((1 - t) * u**4 + t * v**4 + t * (1 - t) * w)

_QUADRATIC = Box(
    (
        Parameter("u", "root of mu_1 at one end", open_lower=True), Parameter("v", "root of mu_1 at the other"),
        Parameter("t", "place between", upper=1, open_upper=True), Parameter("w", "(j_1 - j_0)^2/(d sigma^2)"),
    )
)  # fmt: skip
_CHANGES = (
    replace(K, name="first", description="j_0, changes at one end"), replace(K, name="before", description="j - j_0"),
    replace(K, name="after", description="j_1 - j"),
    replace(K, name="beyond", description="d - j_1, for d shared counters", lower=0, searched=(0, 10**6)),
)  # fmt: skip
_SEARCHED = Box((replace(L, lower=1, log=True), replace(J, log=True), *_CHANGES), BESIDE, "l < k and l + j <= k")
"""The pairs, and the places between two of them; what all new counters show needs no search."""
_CHORD = Between(
    first, _last, algorithm(off_chord)(**_ends, first=_low, last=_high),
    near=(
        ByClaim("lebeda2025.csh.exact.chord.below", _OF_CHORD), ByClaim("lebeda2025.csh.exact.chord.away", _OF_CHORD),
    ),
    move=ByClaim("lebeda2025.csh.exact.move"), bound=Symbolic(),
)  # fmt: skip


def largest_pair(reduced: Tactic | None = None) -> Resting:
    """The profile, and what the search for the largest pair goes by; ``reduced``: that reductions are neighbours."""
    searched = ByClaim("lebeda2025.sec3.cert.ceiling"), ByClaim("lebeda2025.csh.exact.chord")
    return Resting(Integrated(Falling(HAZARD), reduced), searched, _SEARCHED)


CLAIMS = (
    own(
        "csh.exact", "Section 8 (open problem)", "exact delta of the correlated stability histogram",
        r"\delta(\epsilon) = \max_{l, j} \delta_{l,j}^{\to}(\epsilon)",
        DeltaBound(
            exact_delta, delta_by_definition,
            points("epsilon k sigma gap", ("0.3", 2, 2, 3), ("0.3", 1, "1.5", 6), (0, 2, "363109.174", "2320662.02")),
            pairs=COUNTERS, proof=largest_pair(),
        ),
        domain=(EPSILON, K, SIGMA, GAP),
        assumptions=(SPARSE_MONOTONIC, ENOUGH_KEYS),
        falls=("epsilon", "gap"), moves={"gap": moves.THRESHOLD},
        turns=(
            Turn("sigma", {"epsilon": 1, "k": 4, "gap": 10}, (1, 3, 30)),
            Turn("k", {"epsilon": 5, "sigma": 1, "gap": 5}, (1, 2, 60)),
        ),
        privacy=STABILITY_HISTOGRAM,
        bracketed="where the certificate of sec3.cert fails and 3000 boxes do not tell which pair is the largest",
        points=points(
            "epsilon k sigma gap", ("0.349", 10, "17.741998402", "96.753015889"),
            ("0.349", 51914, "1116.683797699", "7005.638328965"), (0, 2, "363109.174", "2320662.02"),
            (0, 20, 100000, 500000), (0, 20, 100000, "541385.345262"),
        ),
        note="max(A_k, G_k) where certified, else the searched forward pairs. Where both ends are delta, the "
        "certificate was seen to fail at an epsilon of the order of delta alone. A maximum is certified by cells that "
        "cover all pairs, which a check apart from the search bounds one by one. At 1e-5 and epsilon = 0 the exact "
        "delta is 1.018 of max(A_k, G_k) at k = 20, 1.011 at 64, 1.004 at 128, and just that at 256, 1000 and 10^4, "
        "where ceilings alone leave a quarter; at 10^5 boxes leave a bracket of 2e-4 above it.",
        cost=3,
        quoted=(
            Quoted(
                "ten counters, correlated noise, once",
                {"epsilon": "0.349", "k": 10, "sigma": "17.741998402", "gap": "96.753015889"},
            ),
        ),
    ),
    own(
        "csh.exact.chord", "Section 8 (open problem)", "a pair between two numbers of changes is hardly above both",
        r"\delta_{l,j} \le \max_{i=0,1} \delta_{l,j_i} + e^\epsilon(\tfrac{\varphi(1)}4|\mu(j_1)-\mu(j_0)|^2 + "
        r"2\Phi(\tfrac a2) - 1),\ a = \frac{(j_1-j_0)^2/(d\sigma^2) + "
        r"(\mu_1(j_1)-\mu_1(j_0))^2}{2(\sqrt{\mu_1(j_0)}+\sqrt{\mu_1(j_1)})^2}",
        _pair(j=_place) <= maximum(_pair(j=first), _pair(j=_last)) + algorithm(above_ends)(k=l + _d, **_ends),
        proof=_CHORD, domain=(EPSILON, SIGMA, GAP, replace(L, log=True), *_CHANGES), quantity=QuantityKind.PROBABILITY,
        points=points(
            "epsilon sigma gap l first before after beyond", (0, 2, 6, 10, 3, 5, 9, 5), ("1/2", 5, 20, 2, 2, 4, 4, 0),
        ),
        note="k = l + d", cost=10,
    ),
    own(
        "csh.exact.chord.away", "Section 8 (open problem)",
        "a root of a quadratic function of the place near its chord",
        r"\sqrt{(1-t)u^4 + tv^4 + t(1-t)w} \le (1-t)u^2 + tv^2 + \frac{w + (u^2 - v^2)^2}{2(u+v)^2}",
        _root_of_quadratic <= _chord + _bend / (2 * (u + v) ** 2),
        proof=Through(
            (_root_of_quadratic**2 + _chord**2) / (2 * _chord),
            product_of((_root_of_quadratic - _chord) ** 2, 1 / (2 * _chord)),
            product_of(_bend, ((1 - t) * u - t * v) ** 2, 1 / (2 * _chord * (u + v) ** 2)),
        ),
        domain=_QUADRATIC,
    ),
    own(
        "csh.exact.chord.below", "Section 8 (open problem)",
        "a root of a quadratic function of the place above its chord", None, _chord <= _root_of_quadratic,
        proof=product_of(t * (1 - t), _bend, 1 / (_root_of_quadratic + _chord)), domain=_QUADRATIC,
    ),
    own(
        "csh.exact.move", "Section 8 (open problem)",
        "a hockey stick grows by at most e^epsilon times what its second law loses",
        r"(p - e^\epsilon q)_+ \le (p - e^\epsilon q')_+ + e^\epsilon (q' - q)_+",
        maximum(0, p - factor * q) <= maximum(0, p - factor * moved) + factor * maximum(0, moved - q),
        proof=largest_of(Part(zero), p - factor * q),
        domain=(
            Parameter("p", "density with the user", "density"), Parameter("q", "density without", "density"),
            Parameter("moved", "density without, of another pair, q'", "density"),
            Parameter("factor", "e^epsilon", open_lower=True),
        ),
    ),
    own(
        "csh.exact.all_new", "Section 3", "the reverse direction of the all-new pair is not 0",
        r"\delta_{k,0}^{\leftarrow}(\epsilon) = \max(0, 1 - e^\epsilon (1 - A_k))",
        eq(algorithm(reverse)(l=k, j=0), maximum(0, 1 - exp(epsilon) * (1 - new_released(l=k)))),
        domain=(replace(EPSILON, upper=5), K, SIGMA, GAP), cost=3,
    ),
)  # fmt: skip
