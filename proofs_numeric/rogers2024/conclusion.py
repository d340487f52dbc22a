"""Section 5: conclusion."""

from proofs_numeric.rogers2024.parameters import EPSILON, printed
from proofs_numeric.rogers2024.theorem_5 import em_rho, em_rho_naive
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Inequality
from proofs_numeric.statements.tactics import Sign

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.concl",
        source=printed("Section 5"),
        title="The CDP route improves the exponential mechanism's rho",
        statement=r"\varepsilon^2/8 \le \varepsilon^2/2",
        kind=Inequality(em_rho, em_rho_naive, proof=Sign()),
        domain=Box((EPSILON,)),
        note="For Laplace see rogers2024.rem7.gain, for Gaussian rogers2024.rem7.cmp.",
    ),
)
