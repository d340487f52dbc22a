"""The exact accountants of sample-and-threshold, audited like anybody else's."""

from auditor.accountant_audit.adapter import Accountant

ACCOUNTANTS = (
    Accountant(
        id="reference.sample_and_threshold.delta", title="Exact delta of sample-and-threshold, float64",
        against="bharadwaj2022.tight", function="mechanisms.sample_and_threshold.accountant:delta", tolerance="1e-12",
    ),
    Accountant(
        id="reference.sample_and_threshold.delta_replacement",
        title="Exact replacement delta of sample-and-threshold, float64",
        against="bharadwaj2022.tight.replacement.rate",
        function="mechanisms.sample_and_threshold.accountant:delta_replacement_at_rate", tolerance="1e-11",
    ),
    Accountant(
        id="reference.sample_and_threshold.delta_fixed_m",
        title="Exact delta of sample-and-threshold with m fixed, float64", against="bharadwaj2022.thm2.mfixed.exact",
        function="mechanisms.sample_and_threshold.accountant:delta_fixed_m", tolerance="1e-11",
    ),
)  # fmt: skip
