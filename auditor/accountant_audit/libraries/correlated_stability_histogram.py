"""The exact accountants of the correlated stability histograms, audited like anybody else's."""

from auditor.accountant_audit.adapter import Accountant

ACCOUNTANTS = (
    Accountant(
        id="reference.correlated_stability_histogram.delta",
        title="Exact delta of the correlated stability histogram, float64", against="lebeda2025.csh.exact",
        function="mechanisms.correlated_stability_histogram.accountant:delta", box={"k": ("1", "1000")},
        tolerance="1e-12",
        note="if the certificate fails it returns the upper end of the bracket, which is never below the truth",
    ),
    Accountant(
        id="reference.discrete_correlated.delta",
        title="Exact delta of the discrete correlated stability histogram, float64", against="lebeda2025.thm21.exact",
        function="mechanisms.discrete_correlated.accountant:delta", tolerance="1e-10",
        note="below 1e-13 delta is an upper bound: it includes a bound on the tail outside the tables",
    ),
    Accountant(
        id="reference.discrete_correlated.delta_with_sums",
        title="Exact delta of the discrete correlated stability histogram with sums, float64",
        against="lebeda2025.thm21.sums", function="mechanisms.discrete_correlated.accountant:delta_with_sums",
        tolerance="1e-10",
        note="below 1e-13 delta is an upper bound: it includes a bound on the tail outside the tables",
    ),
    Accountant(
        id="reference.correlated_gaussian_sparse_users.delta",
        title="Exact delta of correlated noise for users of few counters, float64", against="lebeda2025.sparse.delta",
        function="mechanisms.correlated_gaussian.sparse_users:delta", tolerance="1e-12",
    ),
    Accountant(
        id="reference.correlated_stability_histogram_sparse_users.delta",
        title="Delta of the correlated stability histogram for users of few counters, float64",
        against="lebeda2025.sparse.histogram", function="mechanisms.correlated_stability_histogram.sparse_users:delta",
        box={"k": ("1", "1000")}, tolerance="1e-12",
        note="if a mixed pair may be the worst it returns the upper end of the bracket, which is never below the truth",
    ),
    Accountant(
        id="reference.correlated_releases.delta",
        title="Releases of the correlated stability histogram of the same data, float64",
        against="lebeda2025.composition.same",
        function="mechanisms.correlated_stability_histogram.composed_accountant:repeated_delta", tolerance="1e-10",
    ),
    Accountant(
        id="reference.correlated_adaptive_releases.delta",
        title="Adaptive releases of the correlated stability histogram, float64",
        against="lebeda2025.composition.adaptive",
        function="mechanisms.correlated_stability_histogram.composed_accountant:adaptive_delta", tolerance="1e-10",
    ),
    Accountant(
        id="reference.few_counters_releases.delta",
        title="Releases of the same data with sums, for users of few counters, float64",
        against="lebeda2025.sparse.releases",
        function="mechanisms.correlated_stability_histogram.composed_accountant:few_counters_delta",
        box={"k": ("8", "64"), "m": ("1", "8"), "gamma": ("1", "1000")}, tolerance="1e-10",
    ),
    Accountant(
        id="reference.few_counters_adaptive_releases.delta",
        title="Adaptive releases with sums, for users of few counters, float64",
        against="lebeda2025.sparse.releases.adaptive",
        function="mechanisms.correlated_stability_histogram.composed_accountant:few_counters_adaptive_delta",
        box={"k": ("8", "64"), "m": ("1", "8"), "gamma": ("1", "1000")}, tolerance="1e-10",
    ),
)  # fmt: skip
