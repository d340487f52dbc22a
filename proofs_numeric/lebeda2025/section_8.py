"""Which mechanism has less noise where a user changes few of k counters, and what the paper leaves open (Section 8)."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.parameters import K, ours, printed
from proofs_numeric.lebeda2025.sparse_users import M, noise_of_change, total_noise
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.derivation import Derivation, SymbolicIdentity
from proofs_numeric.statements.kinds import Editorial, Identity, Inequality, Relation
from proofs_numeric.statements.tactics import Part, Product, Symbolic
from proofs_numeric.statements.verdict import Expectation


def _uncorrelated(A: Arithmetic, *, m: int, **_others: Any) -> Number:
    """Total variance of a counter at distance 1 under independent noise: m, where m counters change."""
    return A.number(m)


def _against_all_m(A: Arithmetic, *, m: int, slack: int) -> Any:
    """Correlated noise against a change of all m counters at k = m^2 + slack: no more than what the mechanism needs."""
    root = A.sqrt(A.number(m * m + slack))
    return noise_of_change(A, gamma=root, m=m, others=m * m + slack - m)


def _correlated(A: Arithmetic, *, k: int, m: int) -> Any:
    """Total variance of a counter at distance 1 under correlated noise, gamma = sqrt(k)."""
    return total_noise(A, k=k, m=m, gamma=A.sqrt(A.number(k)))


def _excess(A: Arithmetic, *, m: Number, root: Number) -> Any:
    return noise_of_change(A, gamma=root, m=m, others=root * root - m) - m


def _excess_factored(A: Arithmetic, *, m: Number, root: Number) -> Number:
    return A.number(m) * (root - m) / (A.number(root) * root)


def _margin(A: Arithmetic, *, m: Number, j: Number, root: Number) -> Any:
    return m - noise_of_change(A, gamma=root, m=j, others=root * root - j)


def _margin_below_root(A: Arithmetic, *, m: Number, j: Number, root: Number) -> Number:
    return (m - root) + (root - j) * (1 - j / (root * root))


def _margin_above_root(A: Arithmetic, *, m: Number, j: Number, root: Number) -> Number:
    return (m - j) + (j - root) * j / (root * root)


_ROOT = Parameter("root", "sqrt(k)", lower=1, upper=1000, log=True)

CLAIMS = (
    Claim(
        id="lebeda2025.sec8.few",
        source=printed("Section 8", reconstruction=True),
        title="independent noise is the less where a user changes fewer than sqrt(k) of k counters",
        statement=r"m < \sqrt k \Rightarrow m < (1 + 1/\sqrt k)(m - m^2/(k + \sqrt k)),\ k = m^2 + s",
        kind=Inequality(
            _uncorrelated,
            _against_all_m,
            Relation.LESS,
            proof=Product(
                (
                    Part(lambda A, *, m, slack: A.number(m) / (m * m + slack)),
                    Part(lambda A, *, m, slack: slack / (A.sqrt(A.number(m * m + slack)) + m)),
                )
            ),
        ),
        domain=Box((M, Parameter("slack", "k - m^2", "counters", 1, 10**6, integer=True, log=True))),
        note="Total variances of a counter at distance 1. The bound on the number of changes is lost in the paper's "
        "text; by lebeda2025.sec8.excess it is sqrt(k). What serves every change of at most m counters serves one of "
        "all m: the correlated mechanism needs no less than the right side.",
    ),
    Claim(
        id="lebeda2025.sec8.many",
        source=printed("Section 8", reconstruction=True),
        title="correlated noise is the less where a user may change more than sqrt(k) of k counters",
        statement=r"\sqrt k < m \le k \Rightarrow"
        r" (1 + 1/\sqrt k) \max_{j \le m} (j - j^2/(k + \sqrt k)) < m",
        kind=Inequality(
            _correlated,
            _uncorrelated,
            Relation.LESS,
            proof=Derivation(
                (
                    SymbolicIdentity(
                        "j <= sqrt(k): m - N_j = (m - sqrt k) + (sqrt k - j)(1 - j/k)",
                        _margin,
                        _margin_below_root,
                        ("m", "j", "root"),
                        ("m", "j", "root"),
                        "positive, as j <= sqrt(k) <= k",
                    ),
                    SymbolicIdentity(
                        "sqrt(k) < j <= m: m - N_j = (m - j) + (j - sqrt k) j/k",
                        _margin,
                        _margin_above_root,
                        ("m", "j", "root"),
                        ("m", "j", "root"),
                        "positive; so N_j < m for every change j that a user may make",
                    ),
                )
            ),
        ),
        domain=Box(
            (replace(K, lower=2, upper=10**5), replace(M, lower=2)),
            lambda *, k, m: k < m * m and m <= k,
            "sqrt(k) < m <= k",
        ),
        points=({"k": 100, "m": 11}, {"k": 100, "m": 100}, {"k": 10**5, "m": 317}),
    ),
    Claim(
        id="lebeda2025.sec8.excess",
        source=ours("Section 8"),
        title="correlated noise against m changes less independent noise has the sign of sqrt(k) - m",
        statement=r"(1 + 1/\sqrt k)(m - m^2/(k + \sqrt k)) - m = m (\sqrt k - m)/k",
        kind=Identity(_excess, _excess_factored, proof=Symbolic()),
        domain=Box((replace(M, integer=False), _ROOT)),
        note="At m = sqrt(k) the two need the same noise.",
    ),
    Claim(
        id="lebeda2025.sec8.open",
        source=printed("Section 8"),
        title="exact bounds for the mechanism: an open problem of the paper",
        statement=r"\text{it would be interesting to derive exact bounds for our mechanism as well}",
        kind=Editorial(
            printed="Theorem 12 is not tight; exact bounds are left open",
            corrected="lebeda2025.csh.exact computes them",
            reason="numerical, not closed form: O(k) for the certificate, O(k^2) pairs where it fails",
        ),
        expected=Expectation.NOT_CHECKABLE,
    ),
)
