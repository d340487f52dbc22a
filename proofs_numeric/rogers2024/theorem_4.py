"""Theorem 4: the Gaussian mechanism."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.neighbours import COUNTS
from proofs_numeric.rogers2024.parameters import *

x, d, powers, beside, squared = symbols("x d powers beside squared")
_centre = x - (1 - alpha) * d

CLAIMS = (
    stated(
        "thm4.gauss", "Theorem 4", "The Gaussian mechanism is rho-CDP with sigma^2 = Delta_2^2 / (2 rho)",
        r"\prod_ip_i^\alpha q_i^{1-\alpha} = e^{\alpha(\alpha-1)\|d\|^2/2}\,\prod_i\varphi(x_i - (1-\alpha)d_i)",
        Recurrence(
            state=Box(
                (
                    Parameter("powers", "log of the product of powers", "nats", lower="-infinity"),
                    Parameter("beside", "log of the density on the right", "nats", lower="-infinity"),
                    Parameter("squared", "distance, squared"),
                )
            ),
            inputs=COORDINATE, start={"powers": zero, "beside": zero, "squared": zero},
            step={
                "powers": powers - (alpha * x**2 + (1 - alpha) * (x - d) ** 2) / 2,
                "beside": beside - _centre**2 / 2, "squared": squared + d**2,
            },
            left=powers, right=beside + alpha * (alpha - 1) * squared / 2, relation="=",
            proof=Steps(base=Symbolic(), proof=Symbolic()),
        ),
        domain=(ALPHA,), privacy=COUNTS,
        note="N(0, 1) and N(d_i, 1) in every coordinate, without the constant of the densities. The density on the "
        "right has the integral 1, so D_alpha = alpha rho at every order, at the distance Delta_2/sigma.",
    ),
)  # fmt: skip
