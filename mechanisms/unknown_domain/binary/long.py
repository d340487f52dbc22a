"""The Unknown Domain Binary Mechanism over a stream long enough for counts far above T: the pair U2.

The same code as `unknown_domain_binary`, audited where a change of the path of cells shows without censoring; the new
items of U1 and U3, whose laws are integrals over few rounds, are audited there.
"""

from dataclasses import replace

from mechanisms.mechanism import MechanismSpec
from mechanisms.unknown_domain.binary.mechanism import CALIBRATOR as SHORT
from mechanisms.unknown_domain.binary.mechanism import build, law
from proofs_numeric.rogers2024.neighbours import UNKNOWN_STREAM

MECHANISM = MechanismSpec(
    id="unknown_domain_binary_long", title="Unknown Domain Binary Mechanism, 64 rounds", build=build,
    parameters={"L": 64, "delta_0": 1, "sigma": 1, "delta": "1/20"}, guarantee_claim="rogers2024.thm11.profile",
    privacy=UNKNOWN_STREAM, law=law, source="rogers2024, Section 4.3; Theorem 11",
)  # fmt: skip

CALIBRATOR = replace(SHORT, id=MECHANISM.id)
