"""Classical ways to break a claim, as somebody writes them in a file of their own, each beside how it is done right.

Nothing is told of them but what they claim: epsilon and delta, and whose counts may differ where it is not one user's
in one key. Keys are named where the file is about keys of its own and says so (`keys`); most are left to be found.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROGRAMS = Path(__file__).with_name("programs")


@dataclass(frozen=True)
class Kind:
    """A wrong function and the right one, in one file.

    Attributes:
        file: name of the file, without `.py`.
        wrong, right: callables of the file.
        options: what the wrong one claims: arguments of `audit_mechanism`.
        of_right: what the right one claims besides, where it is not the same.
    """

    file: str
    wrong: str
    right: str
    options: Mapping[str, Any]
    of_right: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """File and wrong function."""
        return f"{self.file}:{self.wrong}"

    def target(self, name: str) -> str:
        """Return what to audit."""
        return f"{PROGRAMS / self.file}.py:{name}"


def _kinds(file: str, options: Mapping[str, Any], **pairs: str) -> tuple[Kind, ...]:
    return tuple(Kind(file, wrong, right, options) for wrong, right in pairs.items())


ONE = {"epsilon": "1"}
APPROXIMATE = {"epsilon": "1", "delta": "1e-5"}
FIVE = {"epsilon": "1", "c_u": 5}
MOVES = {"epsilon": "1", "adjacency": "replace"}
ANSWERS = {"epsilon": "1", "adjacency": "each-answer", "c_u": 10}
LOG_3 = {"epsilon": "1.1"}
ROWS = {"epsilon": "1", "rows": True, "per_key": 5, "keys": ("chess", "rowing")}

KINDS = (
    *_kinds(
        "counts", ONE, own_states_exact="own_states", half_the_scale="own_states", geometric_wrong_p="geometric",
        geometric_even="geometric", naive_laplace="own_states", single_precision="own_states",
        uniform_noise="own_states", clamped_noise="clamped_output", truncated_geometric="geometric",
        same_noise="own_states", seeded_by_the_data="own_states", fixed_seed="generator_ignored", no_noise="own_states",
        positive_noise="own_states", one_sided="own_states", noise_where_small="own_states",
        rounded_before="rounded_after", inverse_with_holes="inverse", snapped_noise="snapped_sum",
        noise_of_the_count="own_states", budget_spent_twice="budget_split", averaged="own_states", wearing="counting",
        memo="counting", cut_towards_zero="own_states", noise_by_count="own_states",
        cut_at_twice_the_median="cut_at_fifty", some_states="some_users", few_seeds="many_seeds",
    ),
    Kind("counts", "inverted_scale", "right_scale", {"epsilon": "0.5", "keys": ("NY", "CA", "TX")}),
    Kind("counts", "gaussian_too_small", "gaussian", {**APPROXIMATE, "keys": ("NY", "CA", "TX")}),
    Kind("counts", "box_muller_with_holes", "total", APPROXIMATE),
    *_kinds(
        "partitions", APPROXIMATE, hard_threshold="pages", low_threshold="pages", exact_above="pages",
        most_visited_first="noisy_order", no_threshold="pages", length="padded", refuses_small_data="refuses_noisily",
        divides="divides_noisily", stops_at_a_small_one="names", anonymous_set="pages", sketch="sketch_noisy",
        shuffled="padded", threshold_of_no_user="names", null_below="pages",
    ),
    *_kinds("partitions", ONE, count_min="count_min_noisy"),
    Kind("partitions", "selection_from_its_bound", "selection_above_its_bound", {"epsilon": "1", "delta": "0.005"}),
    Kind("partitions", "number_of_keys", "number_of_keys_noisy", {"epsilon": "2", "delta": "1e-5"}),
    Kind("partitions", "sampled", "sampled_with_threshold", {"epsilon": "1", "delta": "0.01"}),
    Kind("partitions", "selection_rounded_up", "selection", {"epsilon": "1", "delta": "0.01"}),
    Kind("partitions", "top_three", "top_three_right", {**APPROXIMATE, "c_u": 3}),
    *_kinds(
        "selection", FIVE, noisy_max_value="noisy_max", noisy_max_value_exponential="noisy_max",
        largest_with_its_count="largest_with_a_noisy_count", largest="noisy_max", gumbel_too_small="gumbel",
        ranking="noisy_ranking", two_winners="two_winners_right",
    ),
    *_kinds("selection", ONE, ties_by_the_count="ties_by_name"),
    Kind("selection", "exponential_too_sharp", "exponential", MOVES),
    *_kinds(
        "streams", ONE, one_noise="running", noise_for_each_total="noise_for_all_totals", differences="running",
        first_alarm="first_alarm_noisy", tree_too_little="tree", fading="running",
    ),
    *_kinds(
        "responses", ONE, response_wrong_probability="response", flags="flags_noisy", flags_little_noise="flags_noisy",
    ),
    Kind("responses", "response_with_its_coin", "response_of_coins", LOG_3),
    Kind("responses", "unary", "unary_right", {**LOG_3, "adjacency": "replace"}),
    Kind("responses", "bloom", "bloom_right", LOG_3),
    *_kinds(
        "numbers", ONE, mean_over_the_true_number="mean", median="median_private", quantile="median_private",
        oldest="median_private", shares="shares_noisy", variance="mean", rarest="rarest_noisy",
    ),
    *_kinds(
        "labels", ONE, label="label_noisy", sentence="sentence_noisy", record="record_noisy", crowded="crowded_noisy",
        stars="stars_noisy", missing="missing_noisy", grid="grid_noisy", tags="tags_noisy",
        as_wide_as_the_count="of_one_width", whole_where_empty="as_text",
    ),
    *_kinds("engines", ROWS, rows_clipped="users_clipped", users_twice="users_once"),
    *_kinds("engines", {**ROWS, "per_key": 1, "c_u": 2}, largest_kept="one_kept"),
    *_kinds(
        "sparse_vector", ANSWERS, variant_3="variant_1", variant_4="variant_2", variant_5="variant_1",
        variant_6="variant_1", above="above_name",
    ),
)  # fmt: skip
