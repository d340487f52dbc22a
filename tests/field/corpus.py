"""The corpus as data: what was reported where, what an ordinary user tells the audit, and what must come out.

Targets are ours and small; each models one fault of a report, and nothing else of the library. Data are made up.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

HERE = Path(__file__).parent
DATA = HERE / "data"
Kind = Literal["inputs", "scale", "threshold", "key", "floating point", "composition", "sampling", "accountant"]
Version = Literal["wrong", "right"]
DEFAULT_SECONDS = 60.0
"""CPU seconds that an audit may spend by default."""


@dataclass(frozen=True)
class Audit:
    """One audit to run.

    Attributes:
        name: `case:wrong`, `case:right` or `right:mechanism`.
        file: the target's file.
        function: the function of the file.
        options: arguments of the API's function.
        accountant: whether the target is an accountant, not a mechanism.
        seconds: CPU seconds that the audit may spend.
    """

    name: str
    file: Path
    function: str
    options: Mapping[str, Any]
    accountant: bool = False
    seconds: float = DEFAULT_SECONDS

    @property
    def target(self) -> str:
        """What to audit, as the API takes it."""
        return f"{self.file}:{self.function}"


@dataclass(frozen=True)
class Case:
    """One public report, and two versions of a target: `wrong` as reported, `right` as mended.

    Attributes:
        name: the target's file, without `.py`.
        report: address of the report.
        fault: what is wrong, in one sentence.
        kind: what has to be found.
        options: what an ordinary user tells the audit: arguments of the API's function.
        accountant: whether the target is an accountant, not a mechanism.
        undecided_wrong: reason why the wrong version is not refuted; empty: it is refuted.
        undecided_right: reason why the right version is undecided; empty: it is not.
        needs: a package that the target imports, beyond those of every installation.
        seconds: CPU seconds within which both versions have to be decided.
    """

    name: str
    report: str
    fault: str
    kind: Kind
    options: Mapping[str, Any] = field(default_factory=dict)
    accountant: bool = False
    undecided_wrong: str = ""
    undecided_right: str = ""
    needs: str = ""
    seconds: float = DEFAULT_SECONDS

    @property
    def file(self) -> Path:
        """The target's file."""
        return HERE / "targets" / f"{self.name}.py"

    def audit(self, version: Version) -> Audit:
        """Return the audit of one version."""
        return Audit(f"{self.name}:{version}", self.file, version, self.options, self.accountant, self.seconds)


@dataclass(frozen=True)
class Right:
    """A right mechanism, as an ordinary user writes it, and its promise.

    Attributes:
        name: the file, without `.py`; its function is `release`.
        options: the promise, and what an ordinary user tells the audit beside it.
    """

    name: str
    options: Mapping[str, Any]

    @property
    def file(self) -> Path:
        """The target's file."""
        return HERE / "right" / f"{self.name}.py"

    def audit(self) -> Audit:
        """Return the audit of the mechanism."""
        return Audit(f"right:{self.name}", self.file, "release", self.options)


def csv(name: str) -> str:
    """Return the path of a data set."""
    return str(DATA / f"{name}.csv")


def own(name: str, function: str) -> str:
    """Return a function of a target's file, as the API takes it."""
    return f"{HERE / 'targets' / name}.py:{function}"


ONE_ROW = {"c_u": 1, "per_key": 1}
"""What a user says of data in which everybody has one row."""
GITHUB = "https://github.com/"
CASES = (
    Case(
        "nan_sum", f"{GITHUB}google/differential-privacy/pull/405", "A NaN passes the clamp, so the sum is NaN.",
        "inputs", {"epsilon": "1", "dataset": csv("spend"), **ONE_ROW},
        undecided_wrong="no amount in the user's data is NaN, and the user did not declare NaN",
    ),
    Case(
        "fill_missing", f"{GITHUB}opendp/opendp/issues/2936",
        "Missing values are replaced by NaN in a column that is declared to have no NaN.", "inputs",
        {"epsilon": "1", "dataset": csv("scores"), **ONE_ROW},
    ),
    Case(
        "approximate_bounds", f"{GITHUB}opendp/smartnoise-sdk/pull/580",
        "A value outside of all bins raises an exception, which reveals the value.", "inputs",
        {"epsilon": "1", "dataset": csv("incomes"), **ONE_ROW},
    ),
    Case(
        "quantile_underflow", f"{GITHUB}opendp/smartnoise-sdk/issues/572",
        "If many values are equal, all weights of a quantile underflow. One more value raises an exception.", "inputs",
        {"epsilon": "1", "dataset": csv("zeros")},
    ),
    Case(
        "free_count", f"{GITHUB}opendp/opendp/issues/2939",
        "A step makes values missing in a column that is declared to have none, so their count gets no noise.",
        "inputs", {"epsilon": "1", "adjacency": "replace", "dataset": csv("answers"), **ONE_ROW},
    ),
    Case(
        "group_length", f"{GITHUB}opendp/opendp/issues/2945",
        "The largest number of rows of a group is used as the largest change, but twice as many rows can change.",
        "inputs", {"epsilon": "1", "dataset": csv("wards")},
    ),
    Case(
        "first_seen_codes", f"{GITHUB}opendp/opendp/issues/2944",
        "Codes of bins follow the order of appearance, so one row at the front changes all other codes.", "inputs",
        {"epsilon": "1", "dataset": csv("ages"), **ONE_ROW},
    ),
    Case(
        "resize", f"{GITHUB}opendp/opendp/issues/357",
        "Data are truncated to a number of rows, and the sensitivity ignores the order of rows.", "inputs",
        {"epsilon": "1", "dataset": csv("shops"), **ONE_ROW},
    ),
    Case(
        "pairs_of_rows", f"{GITHUB}opendp/opendp/issues/2950",
        "Rows are truncated to an even number and paired, so one more row changes all pairs.", "inputs",
        {"epsilon": "1", "dataset": csv("study"), **ONE_ROW},
    ),
    Case(
        "vector_sum", f"{GITHUB}OpenMined/PipelineDP/issues/551",
        "The total of a partition is clipped, not the contribution of each user.", "inputs",
        {"epsilon": "1", "dataset": csv("cities"), **ONE_ROW},
    ),
    Case(
        "clipped_batch", f"{GITHUB}APPFL/APPFL/issues/349",
        "The gradient of the batch is clipped, not the gradient of each sample.", "inputs",
        {"mu": "1", "dataset": csv("batch"), **ONE_ROW},
    ),
    Case(
        "raw_gradient", f"{GITHUB}dayu11/Differentially-Private-Deep-Learning/issues/7",
        "The gradient of the backward pass stays in the buffer to which clipped gradients are added.", "inputs",
        {"mu": "1", "dataset": csv("batch"), **ONE_ROW},
    ),
    Case(
        "unused_clip", f"{GITHUB}meta-pytorch/opacus/pull/664",
        "The clipping norm is a parameter, but the code does not use it.", "inputs",
        {"epsilon": "1", "dataset": csv("gradients"), **ONE_ROW},
        undecided_wrong="every gradient in the user's data is below the norm, and the user declared none above",
    ),
    Case(
        "covariance", f"{GITHUB}opendp/smartnoise-sdk/issues/622",
        "Columns are clipped, but the covariance is computed from the unclipped columns.", "inputs",
        {"epsilon": "1", "dataset": csv("squares"), **ONE_ROW},
        undecided_wrong="every value in the user's data is within the bounds, and the user declared no other values",
    ),
    Case(
        "wrapping_tree", f"{GITHUB}opendp/opendp/issues/2925", "Inner nodes of a tree of counts wrap around.", "inputs",
        {"epsilon": "1", "largest_count": 40_000},
    ),
    Case(
        "opendp_tree", f"{GITHUB}opendp/opendp/issues/2925",
        "The fault of `wrapping_tree` in the library itself, with 32-bit integers.", "inputs", {"epsilon": "1"},
        needs="opendp",
    ),
    Case(
        "distinct_per_key", f"{GITHUB}google/differential-privacy/pull/84",
        "Duplicate values of all users are removed before users are bounded, so one user changes values of others.",
        "inputs", {"epsilon": "1", "dataset": csv("products")},
    ),
    Case(
        "bounds_from_data", f"{GITHUB}IBM/differential-privacy-library/issues/20",
        "If the caller passes no bounds, the code reads them from the data.", "scale",
        {"epsilon": "1", "dataset": csv("ages"), **ONE_ROW},
    ),
    Case(
        "mean_by_n", f"{GITHUB}opendp/smartnoise-core/issues/356",
        "The sensitivity of a mean uses the number of rows, which itself changes by one.", "scale",
        {"epsilon": "1", "dataset": csv("ages"), **ONE_ROW},
    ),
    Case(
        "regression_bounds", f"{GITHUB}IBM/differential-privacy-library/issues/105",
        "The sensitivity of a coefficient is computed from the lower bound twice.", "scale",
        {"epsilon": "1", "dataset": csv("features"), **ONE_ROW},
    ),
    Case(
        "halved_range", f"{GITHUB}opendp/opendp/issues/314",
        "The sensitivity is half of a range of integers. For an odd range it is rounded down.", "scale",
        {"epsilon": "1", "dataset": csv("rooms"), **ONE_ROW},
    ),
    Case(
        "marginals", f"{GITHUB}opendp/smartnoise-sdk/issues/472",
        "The scale of a measurement is divided by the number of columns.", "scale", {"epsilon": "1"},
    ),
    Case(
        "merged_groups", f"{GITHUB}opendp/opendp/issues/2949",
        "Groups are merged after contributions to each of them were bounded.", "scale",
        {"rho": "0.5", "dataset": csv("visits")},
    ),
    Case(
        "clipped_by_layer", f"{GITHUB}fedbiomed/fedbiomed/issues/1443",
        "Each parameter of an update is clipped, not the norm of the whole update.", "scale",
        {"mu": "1", "dataset": csv("layers")},
        undecided_right="an update that is NaN passes the norm; the data have none, and nobody declared that",
    ),
    Case(
        "joined_rows", f"{GITHUB}uber-archive/sql-differential-privacy/issues/1",
        "A join gives a customer many rows, but the sensitivity of the count is one.", "scale",
        {"epsilon": "1", "dataset": csv("orders")},
    ),
    Case(
        "inverted_formula", f"{GITHUB}WICG/attribution-reporting-api/issues/1329",
        "The documentation prints the inverse of the scale of Laplace noise.", "scale",
        {"epsilon": "2", "dataset": csv("buckets")},
    ),
    Case(
        "conditional_counts", f"{GITHUB}DataResponsibly/DataSynthesizer/issues/34",
        "Noise for shares of tuples, which are small, is added to counts.", "scale",
        {"epsilon": "1", "adjacency": "replace"},
    ),
    Case(
        "uncapped_impressions", f"{GITHUB}world-federation-of-advertisers/cross-media-measurement/issues/4342",
        "Impressions without a cap get no noise, and the result names a noise mechanism.", "scale",
        {"epsilon": "1", "dataset": csv("orders")},
    ),
    Case(
        "gaussian_sign", f"{GITHUB}opendp/smartnoise-core/issues/316",
        "The analytic Gaussian mechanism omits a sign, so sigma is too small.", "scale",
        {"epsilon": "1", "delta": "0.001"},
    ),
    Case(
        "gaussian_large_epsilon", f"{GITHUB}opendp/smartnoise-sdk/issues/462",
        "The classical formula of sigma is used at an epsilon above one, where it does not hold.", "scale",
        {"epsilon": "10", "delta": "0.01"},
        undecided_wrong="delta is 0.04, not 0.01, and four million releases at epsilon 10 are too few to detect it",
        undecided_right="60 CPU seconds of releases at epsilon 10 are too few; the proposed command decides it in 150",
    ),
    Case(
        "wishart", f"{GITHUB}IBM/differential-privacy-library/issues/23",
        "Wishart noise is added to a covariance; this mechanism is not private.", "scale",
        {"epsilon": "1", "dataset": csv("features"), **ONE_ROW},
    ),
    Case(
        "permute_and_flip", f"{GITHUB}opendp/opendp/issues/2911",
        "Permute-and-flip is charged the zCDP cost of the exponential mechanism, which is too small.", "scale",
        {"rho": "0.5", "adjacency": "replace"},
    ),
    Case(
        "marginal_scores", f"{GITHUB}ryan112358/mbi/issues/65",
        "A score is the difference of two errors, but the sensitivity is for one error.", "scale",
        {"epsilon": "1", "dataset": csv("cells")},
    ),
    Case(
        "threshold_inclusive", f"{GITHUB}opendp/opendp/issues/2922",
        "Counts equal to the threshold are released, but the tail bound excludes them.", "threshold",
        {"epsilon": "1", "delta": "0.004927"},
    ),
    Case(
        "raw_minimum", f"{GITHUB}world-federation-of-advertisers/cross-media-measurement/pull/2767",
        "The raw number is compared with the minimum below which nothing is released.", "threshold", {"epsilon": "1"},
    ),
    Case(
        "threshold_truncated", f"{GITHUB}google/differential-privacy/pull/101",
        "A real threshold is truncated to an integer, so counts just below it are released.", "threshold",
        {"epsilon": "1", "delta": "0.0055"},
    ),
    Case(
        "domain_from_data", f"{GITHUB}alan-turing-institute/reprosyn/issues/38",
        "The domain of synthetic data is that of the data, so rare values give themselves away.", "key",
        {"epsilon": "1", "dataset": csv("ages"), **ONE_ROW},
    ),
    Case(
        "bins_from_data", f"{GITHUB}opendp/smartnoise-sdk/issues/473",
        "The bins of a histogram depend on the data, so their number reveals the largest value.", "key",
        {"epsilon": "1", "dataset": csv("hours"), **ONE_ROW},
    ),
    Case(
        "row_order", f"{GITHUB}opendp/opendp/issues/1826", "Groups are released in their order in the data.", "key",
        {"epsilon": "1", "delta": "0.01", "dataset": csv("pages"), **ONE_ROW},
    ),
    Case(
        "unsent_weights", f"{GITHUB}NVIDIA/NVFlare/issues/343",
        "Weights that pass the noisy test, but are not selected, are sent without noise.", "key", {"epsilon": "1"},
    ),
    Case(
        "gap_svt",
        f"{GITHUB}cmla-psu/checkdp/blob/01e31ae5c567b7336001d3ed72851ab436d532a3/examples/badgapsparsevector.c",
        "A sparse vector releases the gap of the true answer, not the gap of the noisy answer.", "inputs",
        {"epsilon": "1", "adjacency": "each-answer", "c_u": 6},
    ),
    Case(
        "textbook_laplace", f"{GITHUB}IBM/differential-privacy-library/issues/19",
        "The last bits of a double reveal the number to which Laplace noise was added.", "floating point",
        {"epsilon": "1"},
    ),
    Case(
        "four_gaussians", f"{GITHUB}meta-pytorch/opacus/issues/616",
        "Even the sum of a count and several draws of noise can reach only some doubles.", "floating point",
        {"mu": "1", "dataset": csv("gradients"), **ONE_ROW},
    ),
    Case(
        "repeated_rounding", f"{GITHUB}google/differential-privacy/issues/126",
        "Rounding in every addition makes a sum change by more than its sensitivity.", "floating point",
        {"epsilon": "1", "dataset": own("repeated_rounding", "data"), **ONE_ROW},
    ),
    Case(
        "deviations", f"{GITHUB}opendp/opendp/issues/2923",
        "The rounding error of a mean affects every deviation from the mean, and the sensitivity ignores it.",
        "floating point", {"epsilon": "1", "dataset": own("deviations", "data"), **ONE_ROW},
    ),
    Case(
        "budget_not_split", f"{GITHUB}opendp/smartnoise-sdk/issues/200",
        "Each aggregation of one query spends the whole budget.", "composition",
        {"epsilon": "1", "dataset": csv("purchases"), **ONE_ROW},
    ),
    Case(
        "shared_slice", f"{GITHUB}IBM/differential-privacy-library/issues/104",
        "The means of two columns are paid for once, and each is released at that price.", "composition",
        {"epsilon": "1", "dataset": csv("features"), **ONE_ROW},
    ),
    Case(
        "adaptive_clip", f"{GITHUB}google-parfait/tensorflow-federated/pull/1080",
        "The noisy count that adapts the clipping norm is released, but the accountant does not charge it.",
        "composition", {"mu": "1", "dataset": csv("updates"), **ONE_ROW},
    ),
    Case(
        "reused_key", f"{GITHUB}jax-ml/jax/pull/3646",
        "Several components get equal noise, because they use one key of the random generator.", "sampling",
        {"epsilon": "1"},
    ),
    Case(
        "seeded_by_data", f"{GITHUB}world-federation-of-advertisers/cross-media-measurement/issues/4455",
        "The noise is seeded by the data, so each data set has one result.", "sampling",
        {"epsilon": "1", "delta": "0.001"},
    ),
    Case(
        "lying_response", f"{GITHUB}opendp/opendp/issues/480",
        "Randomised response draws its random answer from all answers, the true one included.", "sampling",
        {"epsilon": "1.0987", "adjacency": "replace", "dataset": csv("votes")},
    ),
    Case(
        "bernoulli_bits", f"{GITHUB}opendp/smartnoise-core/issues/278",
        "A biased coin reads the binary digits of its probability from a wrong position.", "sampling", {"epsilon": "1"},
    ),
    Case(
        "fixed_batches", f"{GITHUB}meta-pytorch/opacus/issues/80",
        "Batches have a fixed size, but the accountant assumes Poisson sampling.", "sampling",
        {"privacy_profile": own("fixed_batches", "promised"), "dataset": csv("tasks"), **ONE_ROW},
    ),
    Case(
        "accumulated_batches", f"{GITHUB}google-deepmind/jax_privacy/pull/271",
        "An update accumulates several batches, but the accountant uses the sampling rate of one batch.", "sampling",
        {"privacy_profile": own("accumulated_batches", "promised"), "dataset": csv("tasks"), **ONE_ROW},
    ),
    Case(
        "dp_sgd_step", f"{GITHUB}meta-pytorch/opacus/issues/571",
        "The noisy gradient is divided by the expected batch size, which reveals the number of records.", "scale",
        {"mu": "0.5", "dataset": csv("tasks"), **ONE_ROW},
    ),
    Case(
        "ledger", f"{GITHUB}OpenMined/PySyft/issues/6914", "The ledger charges less for a release with less noise.",
        "accountant",
        {"solves": "epsilon", "box": {"delta": ("1e-9", "0.1"), "sigma": ("0.3", "100")}, "falls": ("sigma",)},
        accountant=True,
    ),
    Case(
        "negative_epsilon", f"{GITHUB}opendp/opendp/issues/621",
        "A conversion returns a negative epsilon if delta is large.", "accountant",
        {"solves": "epsilon", "box": {"delta": ("1e-9", "0.999"), "rho": ("1e-6", "10")}, "rises": ("rho",)},
        accountant=True,
        undecided_wrong="a negative epsilon is a valid bound if its delta is below the target, so no promise is broken",
    ),
    Case(
        "clt_mu", f"{GITHUB}meta-pytorch/opacus/issues/715",
        "The mu of subsampled steps is computed for infinitely many steps. It is too small for few steps.",
        "accountant",
        {
            "against": "standard.subsampled_gaussian.composition.both",
            "box": {"epsilon": ("0.01", "5"), "sigma": ("0.5", "5"), "rate": ("0.01", "0.5"), "k": (1, 100)},
            "max_examples": 60,
        },
        accountant=True,
        undecided_right="the claim's constraint admits little of the box; the proposed command with k = 100 decides it",
    ),
)  # fmt: skip
RIGHT = (
    Right("rounded_count", {"epsilon": "1"}),
    Right("geometric_counts", {"epsilon": "1"}),
    Right("bounded_sum", {"epsilon": "1", "dataset": csv("spend"), **ONE_ROW}),
    Right("noisy_mean", {"epsilon": "1", "dataset": csv("ages"), **ONE_ROW}),
    Right("noisy_variance", {"epsilon": "1", "dataset": csv("spend"), **ONE_ROW}),
    Right("thresholded_histogram", {"epsilon": "1", "delta": "0.001"}),
    Right("selected_names", {"epsilon": "1", "delta": "0.01"}),
    Right("noisy_max", {"epsilon": "1"}),
    Right("noisy_max_with_gap", {"epsilon": "1", "c_u": 4}),
    Right("exponential_choice", {"epsilon": "1", "dataset": csv("spend"), **ONE_ROW}),
    Right("median_choice", {"epsilon": "1", "dataset": csv("ages"), **ONE_ROW}),
    Right("randomised_response", {"epsilon": "1", "adjacency": "replace", "dataset": csv("votes")}),
    Right("gaussian_histogram", {"rho": "0.5", "c_u": 2}),
    Right("gaussian_sum", {"mu": "1", "dataset": csv("gradients"), **ONE_ROW}),
    Right("bounded_rows", {"epsilon": "1", "dataset": csv("orders")}),
    Right("distinct_users", {"epsilon": "1", "dataset": csv("orders")}),
    Right("pandas_groupby", {"epsilon": "1", "dataset": csv("visits")}),
    Right("first_above", {"epsilon": "1", "adjacency": "each-answer", "c_u": 5}),
    Right("total_and_parts", {"epsilon": "1"}),
    Right("running_total", {"epsilon": "1"}),
    Right("three_largest", {"epsilon": "1"}),
    Right("sampled_count", {"epsilon": "1"}),
    Right("binomial_batch", {"privacy_profile": own("fixed_batches", "promised"), "dataset": csv("tasks"), **ONE_ROW}),
)


def audits() -> dict[str, Audit]:
    """Return every audit of the corpus by name."""
    versions: tuple[Version, ...] = ("wrong", "right")
    planned = [case.audit(version) for case in CASES for version in versions]
    return {audit.name: audit for audit in [*planned, *(mechanism.audit() for mechanism in RIGHT)]}
