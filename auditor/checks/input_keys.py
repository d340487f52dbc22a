"""Check of the declaration that a mechanism releases only keys of its input.

One-sample tests of keys of one neighbour assume this declaration. A single other key refutes it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from auditor.checks.check import Check, Context, Subject, finding, releasing
from auditor.checks.empirical import Setting
from auditor.findings.evidence import EnumerationEvidence, ReasonEvidence, WitnessEvidence
from auditor.findings.finding import Finding
from auditor.statistics.seeds import block_generator
from proofs_numeric.statements.verdict import Verdict

NAME = "empirical.input_keys"
_RELEASES = 256
"""Releases per histogram: a key of probability 1/40 is missed with probability below 0.002."""


def check_input_keys(subject: Subject, context: Context) -> Sequence[Finding]:
    """Release every declared histogram and search for keys that it lacks."""
    setting = Setting(subject, context)
    if not setting.mechanism.releases_only_input_keys:
        why = "the mechanism does not declare to release keys of its input only"
        return [finding(subject, NAME, context, Verdict.NOT_APPLICABLE, why, [ReasonEvidence(text=why)])]
    total = 0
    for pair in setting.pairs:
        for side, histogram in (("left", pair.left), ("right", pair.right)):
            rng = block_generator(context.seed, NAME, subject.id, pair.id, side)
            keys, values = setting.mechanism.release_many(histogram, _RELEASES, rng)
            released = np.any(~np.isnan(values), axis=0)
            total += _RELEASES
            strange = [key for key, out in zip(keys, released, strict=True) if out and not histogram.get(key, 0)]
            if strange:
                headline = (
                    f"differs from its specification: {strange[0]} is released on {pair.id} ({side}), which does not "
                    "hold it, though only keys of the input were declared"
                )
                evidence = WitnessEvidence(
                    parameters={"key": strange[0]},
                    relation="in",
                    pair=f"{pair.id}: {dict(pair.left)} against {dict(pair.right)}",
                    explanation=f"{len(strange)} such keys in {_RELEASES} releases",
                )
                return [finding(subject, NAME, context, Verdict.REFUTED, headline, [evidence])]
    evidence_cases = EnumerationEvidence(domain="releases of every declared histogram", cases=total, example={})
    headline = f"{total} releases held keys of their input only, as declared"
    return [finding(subject, NAME, context, Verdict.CONSISTENT, headline, [evidence_cases])]


CHECKS = (
    Check(
        name=NAME, title="Keys of the input only",
        explain="Releases both histograms of every declared pair and searches the releases for keys that are in "
        "neither histogram. The mechanisms declare that they release no such key. Tests of keys in one histogram only "
        "rely on the declaration.",
        assumes="The declared pairs represent other inputs. A key that is rarely released may be missed.",
        of="Mechanisms, controls, and faults that name this check, if they declare that they release input keys only.",
        applies=releasing(NAME), run=check_input_keys,
    ),
)  # fmt: skip
