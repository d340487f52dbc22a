"""The accountants of this project, audited like anybody else's."""

from auditor.accountant_audit.adapter import Accountant

ACCOUNTANTS = (
    Accountant(
        id="reference.gaussian_sparse_histogram.delta", title="Exact delta of the Gaussian sparse histogram, float64",
        against="wilkins2024.thm5.4", function="mechanisms.gaussian_sparse_histogram.accountant:delta",
        tolerance="1e-12",
    ),
    Accountant(
        id="reference.analytic_gaussian.delta", title="Exact delta of the Gaussian mechanism, float64",
        against="wilkins2024.thm2.2", function="mechanisms.baselines.analytic_gaussian_accountant:delta",
        box={"epsilon": ("0", "700")}, tolerance="1e-12",
    ),
    Accountant(
        id="reference.add_the_deltas.delta", title="Add-the-deltas bound, float64", against="wilkins2024.cor5.4.1.ub",
        function="mechanisms.gaussian_sparse_histogram.add_the_deltas_accountant:delta",
        box={"c_u": ("1", "1000000"), "sigma": ("0.01", "1000"), "mu_o": ("0", "1000")}, tolerance="1e-12",
    ),
    Accountant(
        id="reference.f_dp.delta", title="f-DP bound, float64", against="wilkins2024.thm7.1",
        function="mechanisms.gaussian_sparse_histogram.f_dp_accountant:delta", box={"c_u": ("1", "1000")},
        tolerance="1e-12",
    ),
    Accountant(
        id="reference.composed_releases.delta", title="Releases of three kinds, fixed in advance, float64",
        against="wilkins2024.composition.fixed",
        function="mechanisms.gaussian_sparse_histogram.composed_accountant:three_kinds_delta", tolerance="1e-12",
        note="an upper bound: one row of the best path may be fractional",
    ),
    Accountant(
        id="reference.adaptive_releases.delta", title="Adaptive releases, float64",
        against="wilkins2024.composition.adaptive",
        function="mechanisms.gaussian_sparse_histogram.composed_accountant:repeated_adaptive_delta", tolerance="1e-12",
    ),
    Accountant(
        id="reference.ledger.delta", title="Total cost of the budgets of a ledger, float64",
        against="wilkins2024.composition.filter",
        function="mechanisms.gaussian_sparse_histogram.ledger:delta_of_budgets", tolerance="1e-12",
    ),
    Accountant(
        id="reference.geometric_sparse_histogram.delta", title="Exact delta of the geometric sparse histogram, float64",
        against="thresholds.laplace.integer.profile", function="mechanisms.geometric_sparse_histogram.accountant:delta",
        tolerance="1e-11",
    ),
    Accountant(
        id="reference.weighted_set_union.delta", title="Exact delta of the weighted Gaussian set union, float64",
        against="thresholds.weighted.delta", function="mechanisms.weighted_set_union.accountant:delta",
        tolerance="1e-11",
    ),
    Accountant(
        id="reference.integer_sparse_histogram.delta", title="Exact delta of the integer sparse histogram, float64",
        against="thresholds.gaussian.integer.profile", function="mechanisms.integer_sparse_histogram.accountant:delta",
        tolerance="1e-11",
    ),
    Accountant(
        id="reference.integer_sparse_histogram.delta_with_sums",
        title="Exact delta of the integer sparse histogram with sums, float64",
        against="thresholds.gaussian.integer.sums",
        function="mechanisms.integer_sparse_histogram.accountant:delta_with_sums", tolerance="1e-9",
    ),
    Accountant(
        id="reference.integer_sparse_histogram.releases_delta",
        title="Ledger of releases of the integer sparse histogram, float64",
        against="thresholds.gaussian.integer.releases",
        function="mechanisms.integer_sparse_histogram.accountant:releases_delta", tolerance="1e-9",
    ),
)  # fmt: skip
