"""The accountants of the unknown-domain algorithms, audited like anybody else's."""

from auditor.accountant_audit.adapter import Accountant

ACCOUNTANTS = (
    Accountant(
        id="reference.unknown_domain_gaussian.delta",
        title="Exact delta of Algorithm 1 of rogers2024 with Gaussian noise, float64",
        against="rogers2024.thm7.gaussian.exact",
        function="mechanisms.unknown_domain.histogram.accountant:gaussian_delta", tolerance="1e-12",
    ),
    Accountant(
        id="reference.unknown_domain_laplace.delta",
        title="Exact delta of Algorithm 1 of rogers2024 with Laplace noise, float64",
        against="rogers2024.thm7.laplace.exact",
        function="mechanisms.unknown_domain.histogram.accountant:laplace_delta", tolerance="1e-12",
    ),
    Accountant(
        id="reference.unknown_domain_gumbel.delta",
        title="Delta of Algorithm 3 of rogers2024 by bounded range, float64", against="rogers2024.range.gumbel",
        function="mechanisms.unknown_domain.gumbel.accountant:delta", box={"k": ("1", "6")}, tolerance="1e-9", cost=200,
    ),
    Accountant(
        id="reference.pay_what_you_get.delta", title="Delta of Algorithm 4 of rogers2024 by bounded range, float64",
        against="rogers2024.range.pay", function="mechanisms.unknown_domain.gumbel.accountant:stream_delta",
        box={"k_star": ("1", "6")}, tolerance="1e-9", cost=200,
    ),
    Accountant(
        id="reference.pay_what_you_get_ledger.delta", title="Ledger of Algorithms 3 and 4 of rogers2024, float64",
        against="rogers2024.range.pool", function="mechanisms.unknown_domain.gumbel.accountant:stream_ledger_delta",
        box={"k_star": ("1", "6")}, tolerance="1e-9", cost=100,
    ),
)  # fmt: skip
