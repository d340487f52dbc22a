"""From what a theorem promises to the privacy profile: the proof that the claims of profiles share."""

from collections.abc import Callable, Mapping
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.concentrated import best_log_excess
from proofs_numeric.statements.profiles import Converted
from proofs_numeric.statements.tactics import ByClaim, Root, Symbolic, Tactic

Promise = Callable[..., tuple[Any, Any]]
"""Delta and rho, of the parameters of a profile without its level."""


def converted(theorem: Tactic, promise: Promise, box: Box, **more: Any) -> Converted:
    """The proof of a profile over a box that a theorem promises, at the best order."""

    def rho(A: Arithmetic, at: Mapping[str, Any]) -> Any:
        return promise(A, **{name: at[name] for name in box.names if name != "epsilon"})[1]

    def log_excess(A: Arithmetic, *, epsilon: Number, **at: Any) -> Any:
        return best_log_excess(A, rho(A, at), epsilon)

    def falls(A: Arithmetic, *, epsilon: Number, x: Number, **_rest: Any) -> Any:
        return epsilon + A.log1p(1 / A.exp(A.number(x)))

    def rises(A: Arithmetic, *, x: Number, **at: Any) -> Any:
        return (1 + 2 * A.exp(A.number(x))) * rho(A, at)

    return Converted(
        theorem=theorem,
        log_excess=log_excess,
        order=ByClaim("rogers2024.thm3.cdp_to_dp.order"),
        end=Root(Parameter("x", "log(alpha - 1)", lower="-infinity"), falls, rises, Symbolic()),
        **more,
    )
