"""The mechanism audit: violations are named with a small pair, misbehaviour is named and never a pass."""

import csv
import json
import math
import os
import re
import shlex
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from auditor.black_box.pair_audit import PairAudit, Side, confirm
from auditor.engine.registered import find_registered
from auditor.engine.registry import registry
from auditor.errors import ExitCode, UsageError
from auditor.front.cli import invoke
from auditor.mechanism_audit import sampler
from auditor.mechanism_audit.audit import GIVEN_DATA
from auditor.mechanism_audit.audit import audit_mechanism as audit_request
from auditor.mechanism_audit.pair_search import draw_pairs, families, release_threshold, size
from auditor.mechanism_audit.pair_shrinking import fewer_keys, lowered, shrunk
from auditor.mechanism_audit.promise import given_pair, promise_of_claim
from auditor.mechanism_audit.request import MechanismRequest
from auditor.mechanism_audit.result import inputs_text
from auditor.mechanism_audit.sampler import FEWEST_LOOKS, LOOKS, PACED, Pace, Sampler
from auditor.statistics.betting import hypothesis
from auditor.statistics.sample import Sample
from auditor.target.process import task_times
from auditor.target.target import BudgetSpentError, Target
from proofs_numeric.statements.adjacency import AddRemoveUser, SparseMonotone
from proofs_numeric.statements.box import Box, Parameter, ParameterError
from proofs_numeric.statements.claim import Claim, QuantityKind, Source
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.neighbours import Direction, Neighbours, Privacy
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

NASTY = Path(__file__).parents[1] / "target" / "nasty.py"
PAIR = {"left": {"k0": 2}, "right": {"k0": 1}}
KEYS = ("k0", "k1", "k2", "k3", "k4", "s0", "s1", "s2")


class Noisy:
    """Integer-valued Laplace noise on a fixed set of keys."""

    def __init__(self, scale):
        self.scale = scale

    def release_many(self, histogram, n, rng):
        counts = np.array([histogram.get(key, 0) for key in KEYS])
        return KEYS, np.round(counts + rng.laplace(0, self.scale, (n, len(KEYS))))


def audit(target, **options):
    """Audit at (1, 0); a silence needs no power to speak of unless a test asks for some."""
    return audit_mechanism(target, **{"epsilon": "1", "delta": "0", "detect": "0.9", "seed": 3, **options})


def watched(target, watch, **options):
    """Audit at (1, 0), and show the progress to a function."""
    return audit_request(MechanismRequest.of(target, None, {}, epsilon="1", delta="0", **options), watch)


def test_the_command_names_the_path_below_the_working_folder(tmp_path, monkeypatch):
    """The path is relative to the working folder; a file outside it has an absolute path."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/noise.py").write_text("def release(histogram, rng):\n    return len(histogram)\n", "utf-8")
    options = {"pair": PAIR, "samples": 40}
    monkeypatch.chdir(tmp_path)
    assert shlex.split(audit("mine/noise.py:release", **options).reproduce)[2] == "mine/noise.py:release"
    monkeypatch.chdir(tmp_path / "mine")
    assert shlex.split(audit("../mine/noise.py:release", **options).reproduce)[2] == "noise.py:release"
    assert shlex.split(audit(f"{NASTY}:release", **options).reproduce)[2] == f"{NASTY}:release"


def test_the_event_of_an_exception_names_its_line(tmp_path, capsys):
    """The target raises for one neighbour alone; each of two exceptions has its own line."""
    file = tmp_path / "one_side.py"
    lines = [
        "def release(histogram, rng):",
        "    if len(histogram) > 1:",
        '        raise ValueError("too many")',
        '    raise ValueError("too many keys" if histogram["k0"] > 1 else "few")',
    ]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    result = audit(f"{file}:release", pair={"left": {"k0": 2, "k1": 1}, "right": {"k0": 2}}).result
    places = {"too many": 3, "too many keys": 4}
    named = re.fullmatch(r"output is (?:not )?raised ValueError: (.*) at one_side\.py:(\d)", result.event)
    assert named is not None, result.event
    assert places[named[1]] == int(named[2])
    pair = json.dumps({"left": {"k0": 2, "k1": 1}, "right": {"k0": 2}})
    words = ["mechanism", f"{file}:release", "--epsilon", "1", "--pair", pair, "--budget", "5"]
    assert invoke(words) == ExitCode.FINDINGS
    (line,) = re.findall(r"^  event .*", capsys.readouterr().out, re.MULTILINE)
    assert re.search(r" at one_side\.py:[34]$", line), line


@pytest.mark.slow
def test_half_the_noise_is_refuted_on_a_small_pair():
    """The verdict names a pair of neighbours, an event and a lower bound on delta."""
    result = audit(Noisy(0.5), samples=5000)
    assert result.verdict is Verdict.REFUTED, result.detail
    assert result.exit_code is ExitCode.FINDINGS
    AddRemoveUser(c_u=1).check(result.pair.left, result.pair.right)
    assert len(result.pair.left) <= 2
    assert 0 < float(result.to_json()["delta_lower"]) < 0.39


@pytest.mark.slow
def test_the_right_noise_is_not_refuted_and_says_what_would_have_been_caught():
    """Silence comes with its power."""
    result = audit(Noisy(1.0), pair=PAIR, samples=3000)
    assert result.verdict is Verdict.CONSISTENT
    assert result.exit_code is ExitCode.OK
    assert "would have found epsilon" in result.detail
    assert 0 < float(result.to_json()["detectable_delta"]) <= 1


@pytest.mark.slow
def test_a_fixed_number_of_samples_gives_the_same_document():
    """Without the clock the document is a function of the seed."""
    first, again = (audit(Noisy(1.0), pair=PAIR, samples=500).to_json() for _ in range(2))
    assert first == again


@pytest.mark.slow
def test_a_claim_brings_its_own_worst_cases():
    """Threshold one too low for the claimed gap: refuted on the claim's own pair."""
    from mechanisms.gaussian_sparse_histogram.mechanism import build

    parameters = {"epsilon": "1", "c_u": 1, "sigma": 2, "gap": 5}
    claim = registry().claim("wilkins2024.thm5.4")
    wrong = build(c_u=1, sigma=2, gap=2, mu_o=0, tau=1)
    result = audit_mechanism(wrong, claim, parameters=parameters, budget=60.0, samples=20_000, seed=1)
    assert result.verdict is Verdict.REFUTED, result.detail
    assert result.pair.id.startswith("wc")
    assert float(result.delta_claimed) == pytest.approx(0.006829594983114575, rel=1e-12)


@pytest.mark.slow
@pytest.mark.usefixtures("every_epsilon")
def test_what_refutes_the_claimed_curve_is_the_pair_and_event_that_violate_it(capsys):
    """Permute-and-flip of two dishes at 2 against rho 1/2: the exact delta of the named event is above the curve."""
    dishes = ("soup", "salad")
    target = Path(__file__).parents[2] / "field/targets/permute_and_flip.py"
    options = {"rho": "0.5", "adjacency": "replace", "seed": 0}
    audit = audit_mechanism(f"{target}:wrong", **options)
    assert audit.verdict is Verdict.REFUTED, audit.detail
    (named,) = re.findall(r'^output is "(\w+)"$', audit.result.event)
    chosen = []
    for side in (audit.pair.left, audit.pair.right):
        behind = max(side.get(dish, 0) for dish in dishes) - side.get(named, 0)
        ahead = max(side.get(dish, 0) for dish in dishes) - min(side.get(dish, 0) for dish in dishes)
        chosen.append(math.exp(-behind) / 2 if behind else 1 - math.exp(-ahead) / 2)
    more, less = chosen if audit.result.direction is Direction.FORWARD else chosen[::-1]
    delta = more - math.exp(audit.result.epsilon) * less
    assert audit.result.delta_claimed < audit.result.delta_lower < delta
    assert invoke([*shlex.split(audit.reproduce)[1:], "--json"]) == ExitCode.FINDINGS
    again = json.loads(capsys.readouterr().out)
    assert {**again, "target": audit.target} == audit.to_json()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("release_integer_keys", "returns the key 1 of type int"),
        ("release_dies", "exited with status 9"),
        ("WrongShape", "shape"),
    ],
)
def test_a_mechanism_that_cannot_be_audited_is_never_a_pass(name, words):
    """The verdict is ERROR with one line, and the exit code is not zero."""
    result = audit(f"{NASTY}:{name}", pair=PAIR, samples=200)
    assert result.verdict is Verdict.ERROR
    assert words in result.detail
    assert result.exit_code is ExitCode.USAGE
    assert result.to_json()["samples"] == 0


@pytest.mark.slow
def test_a_mechanism_that_hangs_costs_its_limit():
    """A release that never comes is named."""
    result = audit(f"{NASTY}:release_hangs", pair=PAIR, answer_seconds=0.5)
    assert "no answer within 0.5 s" in result.detail
    assert result.verdict is Verdict.ERROR


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("release_mutates", "mutates its input"),
        ("release_ignores_rng", "ignores its rng: its randomness cannot be replayed"),
        ("release_not_deterministic", "not deterministic given its rng"),
        ("release_sometimes_raises", " rows at nasty.py:144)"),
        ("release_slowly", "is slow"),
    ],
)
def test_what_was_noticed_beside_the_outputs_is_said(name, words):
    """Allowed oddities are notes; the audit goes on."""
    result = audit(f"{NASTY}:{name}", pair=PAIR, samples=40, delta="0.5")
    assert any(words in note for note in result.notes)
    assert result.verdict is Verdict.UNDECIDED
    assert "40 releases per dataset are too few to see any violation" in result.detail


@pytest.mark.slow
@pytest.mark.parametrize(
    ("of", "keyed"),
    [
        (dict, True),
        (lambda noisy: max(noisy, default="none"), False),
        (lambda noisy: [*noisy], False),
        (lambda noisy: {"n": f"{len(noisy)}"}, False),
    ],
)
def test_only_counts_by_key_may_all_be_of_keys_of_the_input(of, keyed):
    """A label or a list releases no key: --only-input-keys is not what to declare of it."""

    def release(histogram, rng):
        return of({key: count + rng.normal() for key, count in histogram.items()})

    notes = audit(release, pair={"left": {"k0": 1}, "right": {}}, samples=40, delta="0.5").notes
    assert any("--only-input-keys" in note for note in notes) is keyed


@pytest.mark.slow
def test_a_mechanism_that_waits_longer_than_the_budget_allows_is_no_pass():
    """It computes nothing, so its CPU seconds never end: the clock on the wall ends it."""

    def release(histogram, rng):
        time.sleep(0.3)
        return {}

    result = audit(release, pair=PAIR, budget=0.2)
    assert result.verdict is Verdict.UNDECIDED
    assert result.exit_code is ExitCode.UNDECIDED
    assert "makes fewer than 16 releases within the budget of 0.2 CPU seconds" in result.detail


def test_a_target_too_slow_for_its_budget_is_undecided_at_once():
    """Two looks at its speed suffice; the answer names the speed and the command that would decide."""

    def release(histogram, rng):
        started = time.process_time()
        while time.process_time() < started + 0.02:
            pass
        return {key: count + round(rng.laplace()) for key, count in histogram.items()}

    with Target("slow", "mechanism", live_object=release) as target:
        short = Sampler(target, Pace(0.2))
        with pytest.raises(BudgetSpentError):
            short.check_speed({"k": 1}, 1)
        assert (short.release_count, short.pace.blocks) == (2 * PACED, [0])
        longer = Sampler(target, Pace(3.0))
        longer.check_speed({"k": 1}, 1)
        assert (longer.looks, longer.pace.blocks) == (FEWEST_LOOKS, [FEWEST_LOOKS])
        replay = Sampler(target, Pace(3.0, planned=(LOOKS,)))
        replay.check_speed({"k": 1}, 1)
        assert (replay.looks, replay.release_count) == (LOOKS, 0)
        ended = Sampler(target, Pace(0.2, planned=(0,)))
        with pytest.raises(BudgetSpentError):
            ended.check_speed({"k": 1}, 1)
        assert (ended.release_count, ended.few) == (2 * PACED, True)  # the speed that the first audit stated
    result = audit(release, pair=PAIR, budget=0.2)
    assert result.verdict is Verdict.UNDECIDED
    assert "a release takes about 0.0" in result.detail
    assert result.would_take is not None
    assert result.would_take.seconds > 50


@pytest.mark.slow
def test_what_ended_the_draws_is_said_and_a_replay_says_the_same(capsys):
    """A decision, the releases allowed, or the seconds; a replay draws the same last block."""
    for noisy, options, stopped in (
        (0.5, {"samples": 20_000}, "decision"),
        (2.0, {"samples": 700}, "samples"),
        (2.0, {"blocks": (3,)}, "seconds"),
        (2.0, {"detect": "0.5"}, "power"),
    ):
        assert audit(Noisy(noisy), pair=PAIR, **options).to_json()["stopped"] == stopped
    pair = json.dumps(PAIR)
    words = [
        "mechanism",
        f"{NASTY}:release",
        "--epsilon",
        "1",
        "--delta",
        "0.5",
        "--pair",
        pair,
        "--samples",
        "700",
        "--detect",
        ".9",
    ]
    assert invoke([*words, "--json"]) == ExitCode.OK
    first = json.loads(capsys.readouterr().out)
    assert (first["stopped"], first["samples"]) == ("samples", 700)
    assert invoke([*shlex.split(first["reproduce"])[1:], "--json"]) == ExitCode.OK
    assert json.loads(capsys.readouterr().out) == first


@pytest.mark.slow
@pytest.mark.usefixtures("every_epsilon")
def test_the_terminal_says_every_bound(capsys):
    """Epsilon, the profile, the trade-off function and the efficiency with its law, as the JSON has them."""
    words = ["mechanism", "half_noise", "--samples", "4000", "--pair", '{"left": {"k0": 8}, "right": {"k0": 7}}']
    assert invoke(words) == ExitCode.FINDINGS
    output = capsys.readouterr().out
    assert invoke([*words, "--json"]) == ExitCode.FINDINGS
    document = json.loads(capsys.readouterr().out)
    assert f"epsilon is at least {document['epsilon_lower']} at delta=" in output
    assert f"delta is at least, by epsilon and all at once: {document['profile_lower']['0']} at 0, " in output
    corner = document["tradeoff"]["corners"][1]
    assert f"({corner['fpr']}, {corner['fnr']})" in output
    assert f"efficiency about {document['efficiency']}, by the {document['efficiency_law']} law" in output
    assert "stopped by its decision" in output


@pytest.mark.slow
def test_too_few_releases_are_no_pass(capsys):
    """One block decides nothing: exit code 3."""
    pair = '{"left": {"k0": 1}, "right": {}}'
    words = ["mechanism", f"{NASTY}:release", "--epsilon", "1", "--delta", "0.5", "--pair", pair, "--blocks", "1"]
    assert invoke(words) == ExitCode.UNDECIDED
    output = capsys.readouterr().out
    assert output.startswith("undecided")
    assert "event" not in output  # none tells anything


# --- power ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_silence_of_less_power_than_asked_for_is_undecided():
    """The same releases, asked for more: what they showed, what was asked, and what it would take."""
    enough = audit(Noisy(1.0), pair=PAIR, samples=3000, detect="0.2")
    short = audit(Noisy(1.0), pair=PAIR, samples=3000, detect="0.001")
    assert (enough.verdict, short.verdict) == (Verdict.CONSISTENT, Verdict.UNDECIDED)
    assert (enough.exit_code, short.exit_code) == (ExitCode.OK, ExitCode.UNDECIDED)
    power = float(short.to_json()["power"])
    assert 0.001 < power == float(enough.to_json()["power"]) <= 0.2
    assert "would have found epsilon >= 1.4 (claimed 1) with probability 0.95" in short.detail
    assert f"and a delta >= {power:g} in an event that is impossible on the neighbour" in short.detail
    assert "--detect 0.001 asks for 0.001; that takes about" in short.detail
    assert float(short.to_json()["would_take"]["samples"]) > 3000
    assert enough.to_json()["would_take"] is None
    (budget,) = re.findall(r"the same call with budget=([\d.]+), samples=None", short.would_take.command)
    decided = audit(Noisy(1.0), pair=PAIR, detect="0.001", budget=float(budget))
    assert decided.verdict is Verdict.CONSISTENT


def test_no_audit_is_proposed_where_no_number_of_releases_decides():
    """At epsilon 50 an event of the neighbour would have to be less likely than e^-50; at 5 more releases decide."""
    out_of_reach, in_reach = (
        audit(Noisy(1.0), pair=PAIR, samples=200, epsilon=epsilon, delta="1e-3") for epsilon in ("50", "5")
    )
    assert {out_of_reach.verdict, in_reach.verdict} == {Verdict.UNDECIDED}
    assert (
        "no number of releases can prove that an event of the neighbour is less likely than e^-50"
        in out_of_reach.detail
    )
    assert out_of_reach.would_take is None
    assert in_reach.would_take is not None


@pytest.mark.slow
def test_twice_a_small_pure_epsilon_has_to_be_seen():
    """At epsilon .1, 3,000 releases do not show .2, and the audit says what would; so must a delta of .01."""
    short, enough = (
        audit(Noisy(10.0), epsilon="0.1", pair=PAIR, samples=3000, detect=detect) for detect in ("3x", "9x")
    )
    assert (short.verdict, enough.verdict) == (Verdict.UNDECIDED, Verdict.UNDECIDED)
    assert "the delta for that multiple of epsilon; that takes about" in short.detail
    assert "asks for 0.01; that takes about" in enough.detail  # a delta of .01 has to be seen besides
    assert short.detect < enough.detect == 0.01


@pytest.mark.slow
def test_releases_are_drawn_until_the_power_is_reached():
    """Not told how many, an audit goes on to what --detect takes, and not far beyond."""
    result = audit(Noisy(1.0), pair=PAIR, delta="0.001", detect="1.5x")
    assert result.verdict is Verdict.CONSISTENT
    assert float(result.to_json()["power"]) <= 0.0015
    assert 100_000 < result.result.samples < 1_000_000
    assert result.stopped == "power"


@pytest.mark.parametrize(
    ("detect", "words"),
    [
        ("1x", "above 1x"),
        ("x", "as a multiple of the claimed delta"),
        ("0", "between the claimed delta 0 and 1"),
        ("0.4", "between the claimed delta 0.5 and 1"),
        ("2", "and 1, got 2"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(detect, words):
    """A violation is more than what is claimed."""
    with pytest.raises(UsageError, match=words):
        audit(f"{NASTY}:release", delta="0.5", pair=PAIR, detect=detect)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("release", "words"),
    [
        (
            lambda histogram, rng: {key: count for key, count in histogram.items() if key in {"NY", "TX"}},
            "nothing was releas",
        ),
        (lambda histogram, rng: 7, "only one outcome was ever seen"),
        (lambda histogram, rng: round(rng.normal(), 3), "no key was found to which it responds: with equal"),
        (
            lambda histogram, rng: dict(sorted(histogram.items()))["NY"],
            "it refuses every tried input: raises KeyError: 'NY'",
        ),
        (
            lambda table, rng: sorted(key for key in set(zip(*map(str, table), strict=False)) if rng.laplace() > 9),
            "nothing was released in over 90% of the releases of each input, whatever its counts; give --input rows",
        ),
    ],
)
def test_an_audit_that_saw_nothing_is_undecided_and_says_what(release, words):
    """No release, one outcome, no input, no key that it knows: each is named, with the option that mends it."""
    result = audit(release, samples=500)
    assert result.verdict is Verdict.UNDECIDED
    assert words in result.detail
    assert "--keys" in result.detail
    assert result.exit_code is ExitCode.UNDECIDED


@pytest.mark.parametrize(("scale", "gross"), [(0.5, True), (0.9, False)])
def test_a_gross_violation_needs_no_search(scale, gross):
    """Plain pairs refute half of the noise at a fiftieth of alpha; nine tenths of the noise take the search."""
    stages = set()
    result = watched(
        lambda histogram, rng: {key: round(histogram.get(key, 0) + rng.laplace(0, scale), 2) for key in ("a", "b")},
        lambda seen: stages.add(seen.stage),
        keys=["a", "b"],
        budget=20.0,
    )
    assert ("searching data sets" not in stages) is gross
    assert result.verdict is Verdict.REFUTED or not gross


def test_a_target_that_raises_on_every_input_costs_no_bets():
    """Every side of every pair is looked at a few times."""
    drawn = [0]
    result = watched(lambda rows, rng: [a + b for a, b in rows], lambda seen: drawn.append(seen.releases))
    assert "it refuses every tried input: raises ValueError: too many values to unpack" in result.detail
    assert drawn[-1] < 50_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "release",
    [
        lambda histogram, rng: {key: histogram[key] for key in ("NY", "TX") if key in histogram},
        lambda histogram, rng: histogram["NY"],
    ],
)
def test_keys_that_a_target_looks_up_are_tried(release):
    """Exact counts of keys that nobody named are refuted: what a target asks its input for is heard."""
    assert audit(release, samples=2000).verdict is Verdict.REFUTED


@pytest.mark.slow
def test_a_pair_on_which_almost_every_release_raises_is_no_audit():
    """What remains shows too little."""

    def release(histogram, rng):
        if rng.random() < 0.99:
            raise RuntimeError("busy")
        return {}

    result = audit(release, pair=PAIR, samples=2000)
    assert result.verdict is Verdict.UNDECIDED
    assert "releases raised (RuntimeError: busy at test_audit.py:" in result.detail


@pytest.mark.slow
def test_exact_counts_of_keys_that_are_named_are_refuted():
    """The same function that nothing was seen of, on keys that it knows."""
    result = audit(
        lambda histogram, rng: {key: histogram[key] for key in ("NY", "TX") if key in histogram}, keys=("NY",)
    )
    assert result.verdict is Verdict.REFUTED
    assert set(result.pair.left) == {"NY"}
    assert "--keys NY" in result.reproduce


@pytest.mark.slow
def test_the_command_of_keys_with_blanks_and_quotes_works_in_bash():
    """The shell passes on the keys as they were given."""
    keys = ("New York", 'the "big" apple\'s', "a,b", "$HOME")
    command = f"printf '%s\\n' {audit(f'{NASTY}:release', keys=keys, pair=PAIR, samples=40).reproduce}"
    words = subprocess.check_output(["/bin/bash", "-c", command], text=True).splitlines()  # noqa: S603 - our own command
    assert tuple(next(csv.reader([words[words.index("--keys") + 1]]))) == keys


@pytest.mark.slow
def test_an_input_that_the_target_refuses_is_left_out():
    """A right mechanism with a key set of its own is not refuted for what it raises on keys that nobody has."""

    def release(histogram, rng):
        if not histogram.keys() <= {"k0", "k1"}:
            raise ValueError(str(dict(histogram)))
        return {key: histogram.get(key, 0) + round(rng.laplace(0, 1)) for key in ("k0", "k1")}

    result = audit(release, samples=6000)
    assert result.verdict is Verdict.CONSISTENT, result.detail
    [note] = [note for note in result.notes if "refuses" in note and "left out" in note]
    assert re.search(
        r"raises ValueError: (\{.+\}) at test_audit.py:\d+, given \1;", note
    )  # what it says of that very input


@pytest.mark.slow
def test_a_busy_machine_gives_the_same_document():
    """The target waits in every block: seconds on the wall decide nothing."""

    class Waiting(Noisy):
        def release_many(self, histogram, n, rng):
            time.sleep(0.01)
            return super().release_many(histogram, n, rng)

    first, again = (audit(kind(1.0), pair=PAIR, detect="0.01") for kind in (Noisy, Waiting))
    same = {**again.to_json(), "target": "Noisy"}
    assert first.verdict is Verdict.CONSISTENT
    assert same == first.to_json()


@pytest.mark.slow
def test_a_target_that_misbehaves_is_no_crashed_check(capsys):
    """On the terminal the target is named for what it does."""
    words = ["mechanism", f"{NASTY}:release_dies", "--epsilon", "1", "--delta", "0", "--budget", "20"]
    assert invoke(words) == ExitCode.USAGE
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [f"cannot be audited: {NASTY}:release_dies", "  dies: exited with status 9, given {'k0': 2}"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draws", "ignores"),
    [(lambda count: count >= 50, False), (lambda count: count >= 10**9, True), (lambda count: count <= 1, False)],
    ids=["many users", "nobody", "few users"],
)
def test_a_target_that_draws_at_some_counts_does_not_ignore_its_rng(draws, ignores):
    """The audit tries large counts and small counts before it reports anything."""

    def release(histogram, rng):
        return {key: count + round(rng.normal(), 2) for key, count in histogram.items() if draws(count)}

    notes = audit(release, pair=PAIR, samples=40, delta="0.5").notes
    assert any("ignores its rng" in note for note in notes) is ignores


@pytest.mark.slow
@pytest.mark.parametrize("known", [False, True])
def test_a_target_that_raises_before_it_draws_does_not_ignore_its_rng(known):
    """Nothing is known of its draws where every release raises; where one does not, it drew none."""

    def release(histogram, rng):
        if known and histogram.get("k0", 0) > 50:
            return {"k0": 1}
        raise ValueError("no such key")

    notes = audit(release, pair=PAIR, samples=40, delta="0.5").notes
    assert any("ignores its rng" in note for note in notes) is known
    assert not any("importance sampling is not possible" in note for note in notes)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pair": {"left": {"a": 1}, "right": {"a": 1}}}, "histograms that differ"),
        ({"pair": {"left": {"a": -1}, "right": {}}}, "integer count >= 0"),
        ({"pair": {"left": {"a": 1}}}, "expected a pair"),
        ({"epsilon": "-1"}, "0 <= epsilon <= 700"),
        ({"delta": "1"}, "0 <= delta < 1"),
        ({"epsilon": None}, "--epsilon E --delta D"),
        ({"direction": "up"}, "both, forward or backward"),
        ({"alpha": "2"}, "0 < alpha < 1"),
        ({"budget": 0.0}, "budget > 0"),
        ({"samples": 0}, "1 <= samples"),
        ({"keys": ("a", "a")}, "distinct keys"),
        ({"c_u": 0}, "c_u >= 1"),
    ],
)
def test_unusable_arguments_are_refused(options, words):
    """One line: what, value, allowed."""
    with pytest.raises(UsageError, match=words):
        audit(f"{NASTY}:release", **options)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"gap": 3, "tau": "1.5"}, "expected 1 <= tau, an integer (users), got tau=1.5"),
        ({"gap": 3, "tau": 0}, "expected 1 <= tau, an integer (users), got tau=0"),
        ({"tau_star": 0}, "expected 0 < tau_star (users), got tau_star=0"),
        ({"tau_star": "nan"}, "tau_star: "),
        ({"gap": 3, "tau_star": 4}, "expected gap or tau_star, got gap=3 and tau_star=4"),
    ],
)
def test_thresholds_out_of_range_are_refused_in_one_line(parameters, words):
    """Both thresholds beside a claim on their gap: what, value, allowed."""
    claim = registry().claim("wilkins2024.thm5.4")
    with pytest.raises((UsageError, ParameterError), match=re.escape(words)):
        audit_mechanism(f"{NASTY}:release", claim, parameters={"epsilon": 1, "c_u": 1, "sigma": 2, **parameters})


def test_a_claim_without_thresholds_takes_none():
    """What nothing would use is refused, not ignored."""
    with pytest.raises(ParameterError, match="unknown parameter tau"):
        audit_mechanism(
            f"{NASTY}:release", registry().claim("wilkins2024.thm2.2"), parameters={"epsilon": 1, "mu": 1, "tau": 3}
        )


def test_the_thresholds_may_stand_for_the_gap():
    """tau_star = tau + gap, with tau = 1 unless given: the same promise on the same pairs."""
    claim, rest = registry().claim("wilkins2024.thm5.4"), {"epsilon": 1, "c_u": 1, "sigma": 2}
    by_gap, by_threshold = (promise_of_claim(claim, {**rest, **p}) for p in ({"gap": 3}, {"tau_star": 4}))
    assert by_gap == by_threshold
    by_gap, by_threshold = (
        promise_of_claim(claim, {**rest, "tau": 5, **p}) for p in ({"gap": "7/2"}, {"tau_star": "8.5"})
    )
    assert by_gap == by_threshold


@pytest.mark.parametrize("claim", ["wilkins2024.A.14", "wilkins2024.cor5.4.2", "wilkins2024.def2.1"])
def test_a_claim_that_promises_nothing_of_a_mechanism_says_so(claim):
    """Whatever its parameters, the reason comes first."""
    with pytest.raises(UsageError, match=r"promises no delta or rho .*; give a claim that does, or --epsilon and"):
        audit_mechanism(f"{NASTY}:release", registry().claim(claim))


def test_parameters_without_neighbours_are_refused_in_one_line():
    """In the claim's domain, and yet no counts of users differ by half a user."""
    claim = registry().claim("rogers2024.thm1.laplace")
    with pytest.raises(UsageError, match=r"rogers2024.thm1.laplace has no neighbours at .*: expected delta_1 >= 1"):
        audit_mechanism(f"{NASTY}:release", claim, parameters={"epsilon": 1, "delta_1": "1/2", "b": 10})


def test_a_pair_must_be_neighbours_under_the_claim():
    """Two changed keys are no neighbours for c_u = 1."""
    claim = registry().claim("wilkins2024.thm5.4")
    parameters = {"epsilon": 1, "c_u": 1, "sigma": 2, "gap": 5}
    pair = {"left": {"a": 1, "b": 1}, "right": {}}
    with pytest.raises(UsageError, match="at most c_u=1 changed keys"):
        audit_mechanism(f"{NASTY}:release", claim, parameters=parameters, pair=pair)


SPARSE = {"epsilon": 1, "k": 2, "sigma": 4}


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (
            {"left": {"a": 1, "b": 1, "c": 1}, "right": {"a": 1, "b": 1}},
            "at most k=2 non-zero counters, got 3 on the left",
        ),
        ({"left": {"a": 2}, "right": {"a": 1, "b": 1}}, "all changes of one sign"),
    ],
)
def test_a_pair_must_be_sparse_and_monotone_under_a_claim_with_k(pair, message):
    """The rule that is broken is named before anything is released."""
    claim = registry().claim("lebeda2025.csh.exact")
    with pytest.raises(UsageError, match=message):
        audit_mechanism(f"{NASTY}:release", claim, parameters={**SPARSE, "gap": 5}, pair=pair)


@pytest.mark.parametrize("name", ["csh.exact", "thm11", "thm21"])
def test_a_claim_with_k_is_audited_on_sparse_neighbours_that_differ_in_up_to_k_counters(name):
    """All counters new and all counters changed are among them; none has more than k."""
    claim = registry().claim(f"lebeda2025.{name}")
    promise = promise_of_claim(claim, {**SPARSE, "gap": 5})
    for pair in promise.pairs:
        promise.adjacency.check(pair.left, pair.right)
    assert promise.adjacency == SparseMonotone(k=2)
    assert promise.adjacency.most_changed == 2
    assert {"n1", "n2"} <= {pair.id for pair in promise.pairs}
    given_pair({"left": {"a": 1, "b": 1}, "right": {}}, promise.adjacency)


@pytest.mark.slow
def test_a_pair_of_no_neighbours_is_told_where_two_numbers_are_promised():
    """Two numbers say nothing of a count that moves by four; the audit of the pair goes on, with a warning."""

    def release(histogram, rng):
        return {"k0": float(np.rint(histogram["k0"] + rng.laplace()))}

    far, near = (
        audit_mechanism(release, epsilon="1", delta="0.1", pair={"left": {"k0": 9}, "right": {"k0": right}}, samples=64)
        for right in (5, 8)
    )
    assert any(note.startswith("--pair is no neighbouring pair (") for note in far.notes)
    assert not any("--pair" in note for note in near.notes)


def test_a_claim_about_one_pair_is_no_promise():
    """Other neighbours may exceed it, so it refutes nothing."""
    claim = registry().claim("lebeda2025.csh.exact.pair")
    with pytest.raises(UsageError, match="one pair of neighbours"):
        promise_of_claim(claim, {**SPARSE, "gap": 5, "l": 1, "j": 1, "direction": "forward"})


@pytest.mark.slow
@pytest.mark.parametrize("c_u", [1, 3])
def test_every_searched_pair_is_a_pair_of_neighbours(c_u):
    """Families, drawn pairs and whatever is tried on the way to the smallest keep the adjacency."""
    relation = AddRemoveUser(c_u=c_u)
    candidates = [*families(c_u, 1, 7), *draw_pairs(c_u, 7, 64, seed=1)]
    assert len(candidates) >= 70
    assert any(len(set(pair.left.items()) ^ set(pair.right.items())) > 2 for pair in candidates) is (c_u > 1)

    def larger_than(pair):
        def accepts(smaller):
            relation.check(smaller.left, smaller.right)
            assert size(smaller) < size(pair)
            return sum(smaller.left.values()) % 3 == 1

        return accepts

    for pair in candidates:
        relation.check(pair.left, pair.right)
        sizes = [size(found) for found in shrunk(pair, larger_than(pair))]
        assert sizes == sorted(set(sizes), reverse=True)


def test_the_threshold_is_found_by_bisection():
    """The least released count, and 1 where every key is released."""
    assert release_threshold(lambda count: count >= 37) == 37
    assert release_threshold(lambda count: count >= 1) == 1
    assert release_threshold(lambda count: False) == 1


def test_a_pair_shrinks_to_its_changed_key():
    """Unchanged keys go first, then counts: to nothing where everything is accepted."""
    pair = Neighbours("x", {"a": 5, "b": 4}, {"a": 5, "b": 3})
    first = next(fewer_keys(pair))
    assert (first.left, first.right) == ({"k0": 4}, {"k0": 3})
    smallest = shrunk(pair, lambda _pair: True)[-1]
    assert (smallest.left, smallest.right) == ({"k0": 1}, {})


@pytest.mark.parametrize(
    ("needs", "smallest"),
    [
        (lambda left, right: left.get("k0", 0) >= 7 > right.get("k0", 0), {"k0": 7}),
        (lambda left, right: len(left) >= 3, {"k0": 1, "k1": 1, "k2": 1}),
        (lambda left, right: len(left) >= 2 and len(set(left.values())) == 1, {"k0": 1, "k1": 1}),
        (lambda left, right: len(left) == 2 and min(left.values()) >= 4, {"k0": 4, "k1": 4}),
        (lambda left, right: len(right) == 2 and len(set(right.values())) == 1, {"k0": 1, "k1": 2}),
    ],
)
def test_what_a_violation_needs_is_what_is_left(needs, smallest):
    """A threshold, a number of keys, a tie, a tie of large counts, a tie without the user: nothing else is left."""
    for left, changed in (({"a": 60, "b": 60, "c": 60, "d": 60}, "b"), ({"a": 8, "b": 7, "c": 7}, "a")):
        pair = lowered(Neighbours("x", left, {**left, changed: left[changed] - 1}), [], 0)
        if needs(pair.left, pair.right):
            result = shrunk(pair, lambda smaller: needs(smaller.left, smaller.right))[-1]
            assert (len(result.left), sorted(result.left.values())) == (len(smallest), sorted(smallest.values()))


def test_a_descent_ends_when_there_is_no_time():
    """What was accepted before stays."""
    answers = iter([True, False, None])
    pair = Neighbours("x", {"a": 9, "b": 9}, {"a": 9, "b": 8})
    assert [dict(found.left) for found in shrunk(pair, lambda _pair: next(answers))] == [pair.left, {"k0": 9}]


class OneNormal:
    """One count with normal noise on a grid of hundredths."""

    def __init__(self, sigma):
        self.sigma = sigma

    def release_many(self, histogram, n, rng):
        return ("a",), np.round(histogram.get("a", 0) + self.sigma * rng.standard_normal((n, 1)), 2)


@pytest.mark.slow
def test_a_concentrated_claim_is_audited_through_its_delta():
    """A third of the noise breaks rho = 1/2 at a point of its curve; rho is in the document."""
    pair = {"left": {"a": 2}, "right": {"a": 1}}
    claim = Claim(
        id="toy.rho",
        source=Source("toy", "none"),
        title="toy",
        statement="rho",
        kind=DeltaBound(lambda A, sigma: 1 / (2 * A.number(sigma) ** 2)),
        domain=Box((Parameter("sigma", "noise", lower="0.1", upper=100),)),
        quantity=QuantityKind.RHO,
        privacy=Privacy(lambda _: AddRemoveUser(c_u=1), lambda _: (Neighbours("joins", **pair),)),
    )
    result = audit_mechanism(OneNormal(0.33), claim, parameters={"sigma": 1}, pair=pair, samples=20_000, steer=False)
    document = result.to_json()
    assert result.verdict is Verdict.REFUTED
    assert document["rho"] == "0.5"
    assert float(document["delta_lower"]) > float(document["delta_claimed"])
    silence = audit(
        OneNormal(1.0), epsilon=None, delta=None, mu="1", pair=pair, samples=4000, detect="0.9", steer=False
    )
    assert silence.verdict is Verdict.CONSISTENT, silence.detail
    assert f" at epsilon={silence.result.epsilon:g} with probability 0.95" in silence.detail


class Thresholded:
    """Independent normal noise on the keys of the input, released from a threshold on; perhaps with a foreign key."""

    releases_only_input_keys = True

    def __init__(self, threshold, foreign=()):
        self.threshold, self.foreign = threshold, tuple(foreign)

    def release_many(self, histogram, n, rng):
        keys = (*histogram, *self.foreign)
        counts = np.array([*histogram.values(), *[1e9] * len(self.foreign)], dtype=float)
        values = np.round(counts + rng.standard_normal((n, len(keys))), 3)
        values[values < self.threshold] = np.nan
        return keys, values


NEW_KEY = {"left": {"k0": 1, "s0": 100}, "right": {"s0": 100}}
UNDERSTATED = {"delta": "1e-4", "pair": NEW_KEY, "samples": 20_000}


@pytest.mark.slow
def test_a_declared_key_set_is_tested_on_one_sample():
    """A new key released with probability .0228 against delta 1e-4: refuted by its releases alone, assumption said."""
    result = audit(Thresholded(3.0), **UNDERSTATED)
    assert result.verdict is Verdict.REFUTED
    assert result.result.event == "releases k0"
    assert result.result.alpha == pytest.approx(0.45e-6)  # half of what the last bits leave
    assert 0.015 < result.result.delta_lower < 0.0228
    assert any("(declared)" in note for note in result.notes)


@pytest.mark.slow
def test_without_the_declaration_there_is_no_one_sample_test():
    """Nothing is assumed of a target that declares nothing."""
    target = Thresholded(3.0)
    target.releases_only_input_keys = False
    result = audit(target, **UNDERSTATED)
    assert not any("assumed" in note for note in result.notes)
    assert result.result.event != "releases k0"


@pytest.mark.slow
def test_a_silent_one_sample_test_says_what_it_would_have_caught():
    """Its power is a note; counting has the other half of alpha."""
    result = audit(Thresholded(6.0), **UNDERSTATED)
    assert result.verdict is Verdict.CONSISTENT
    assert any("would have found" in note for note in result.notes)
    assert result.result.alpha == pytest.approx(0.45e-6)


@pytest.mark.slow
def test_one_run_of_many_single_user_keys_refutes_a_threshold():
    """One release of 20,000 users is 20,000 exact trials."""
    result = audit(Thresholded(3.0), delta="1e-2", one_run=20_000)
    assert result.verdict is Verdict.REFUTED
    assert 0.015 < result.result.delta_lower < 0.0228
    assert any("independent noise" in note and "not valid otherwise" in note for note in result.notes)
    assert "--one-run 20000" in result.reproduce
    assert audit(Thresholded(3.0), delta="0.0229", one_run=20_000).verdict is Verdict.CONSISTENT


@pytest.mark.slow
def test_one_run_holds_any_claim_to_what_the_neighbour_never_shows():
    """A key of one user appears with probability .0228: no pure claim allows it, an approximate one its delta."""

    def of_claim(**claim):
        return audit(Thresholded(3.0), **{"epsilon": None, "delta": None, **claim}, one_run=20_000)

    for claim in ({"rho": "1/2"}, {"rho": "1/2", "delta": "1e-2"}, {"mu": "1"}):
        result = of_claim(**claim)
        assert result.verdict is Verdict.REFUTED, claim
        assert 0.015 < result.result.delta_lower < 0.0228, claim
    assert of_claim(rho="1/2", delta="0.0229").verdict is not Verdict.REFUTED


def with_a_child(histogram, rng):
    """Start a process in a session of its own, once, which outlives the release."""
    global STARTED  # noqa: PLW0603 - in the worker alone
    STARTED = STARTED or subprocess.Popen(["/bin/sleep", "600"], start_new_session=True)
    return round(sum(histogram.values()) + rng.laplace(), 1)


STARTED = None


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes below one are found by /proc")
def test_processes_that_a_target_leaves_running_are_named():
    """They end with it; a target that starts none has no such note."""
    audits = [audit(release, pair=PAIR, samples=64) for release in (with_a_child, pairs_of)]
    names = [[note for note in told.notes if "started processes running" in note] for told in audits]
    assert [len(notes) for notes in names] == [1, 0]
    assert "leaves 1 started processes running at the end" in names[0][0]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes below one are found by /proc")
@pytest.mark.parametrize("jobs", [None, 4])
def test_a_target_that_leaves_a_process_at_each_release_is_given_up(jobs, tmp_path, monkeypatch):
    """After as many as are allowed, all ended, instead of as many as the budget allows."""
    monkeypatch.setattr(sampler, "MOST_LEFT", 24)

    def with_children(histogram, rng):
        if (child := os.fork()) == 0:
            time.sleep(600)
            os._exit(0)
        (tmp_path / str(child)).touch()
        return round(sum(histogram.values()) + rng.laplace(), 1)

    result = audit(with_children, pair=PAIR, jobs=jobs)
    assert result.verdict is Verdict.ERROR
    assert "more than 24" in result.detail
    started = [file.name for file in tmp_path.iterdir()]
    assert len(started) > 24
    assert all(task_times(f"/proc/{pid}/stat")[0] in "Z?" for pid in started)


def chatty(histogram, rng):
    """Print the data."""
    print(histogram)  # noqa: T201 - as somebody's debugging does
    return round(sum(histogram.values()) + rng.laplace(), 1)


@pytest.mark.slow
def test_what_a_target_prints_is_named():
    """With how much: no bet sees it; one that prints nothing has no such note."""
    audits = [audit(release, pair=PAIR, samples=64) for release in (chatty, pairs_of)]
    names = [[note for note in told.notes if "bytes to standard output" in note] for told in audits]
    assert [len(notes) for notes in names] == [1, 0]
    assert int(re.search(r"([\d,]+) bytes", names[0][0])[1].replace(",", "")) > 64 * len("{'k0': 1}\n")


def chatty_nonsense(histogram, rng):
    """Print the data, and return what no JSON value can hold."""
    chatty(histogram, rng)
    return object()


@pytest.mark.slow
def test_what_a_target_prints_is_named_where_it_cannot_be_audited():
    """Whether its process lives on or not, and once."""
    audits = [audit(release, pair=PAIR, samples=64) for release in (chatty_nonsense, chatty_and_gone)]
    assert [told.verdict for told in audits] == [Verdict.ERROR] * 2
    assert [" ".join([told.detail, *told.notes]).count("bytes to standard output") for told in audits] == [1, 1]


def chatty_and_gone(histogram, rng):
    """Print the data, and end the process."""
    os.write(1, b"about to end\n")
    os._exit(3)


def pairs_of(histogram, rng):
    """Release a list of keys with their counts."""
    return [[key, count] for key, count in histogram.items() if count + rng.laplace() > 2]


def records_of(histogram, rng):
    """Release what a table of results would hold."""
    return {"rows": [{"key": key, "count": count} for key, count in pairs_of(histogram, rng)]}


def names_of(histogram, rng):
    """Release the keys alone."""
    return [key for key, _count in pairs_of(histogram, rng)]


@pytest.mark.slow
@pytest.mark.parametrize("release", [pairs_of, records_of, names_of])
def test_one_run_finds_keys_wherever_they_are_released(release):
    """Each key of one user appears with probability exp(-1)/2, however the release is written."""
    result = audit(release, delta="1e-2", one_run=2_000)
    assert result.verdict is Verdict.REFUTED
    assert result.result.delta_lower < math.exp(-1) / 2 < 2 * result.result.delta_lower


@pytest.mark.slow
def test_one_run_is_refused_where_other_keys_are_released():
    """A key from elsewhere breaks the assumption: no verdict on privacy."""
    result = audit(Thresholded(3.0, foreign=["z"]), delta="1e-2", one_run=100)
    assert result.verdict is Verdict.ERROR
    assert "not keys of its input" in result.detail


@pytest.mark.parametrize(
    ("options", "allowed"),
    [({"one_run": 0}, "one_run >= 1"), ({"one_run": 10, "pair": PAIR}, "--one-run N >= 1 and no --pair")],
)
def test_one_run_takes_a_number_of_keys_and_no_pair(options, allowed):
    """One line."""
    with pytest.raises(UsageError, match=allowed):
        audit(Thresholded(3.0), **options)


@pytest.mark.slow
def test_one_run_takes_the_keys_that_a_user_may_have_together():
    """Three keys of one user: 1 - (1 - .0228)^3 = .0667, in a third as many trials; fewer keys than that are none."""
    assert audit(Thresholded(3.0), c_u=3, delta="0.0668", one_run=30_000).verdict is Verdict.CONSISTENT
    result = audit(Thresholded(3.0), c_u=3, delta="0.05", one_run=30_000)
    assert result.verdict is Verdict.REFUTED
    assert result.result.samples == 10_000
    assert dict(result.pair.left) == {"u0": 1, "u1": 1, "u2": 1}
    assert "one release of 30000 keys" in result.detail
    with pytest.raises(UsageError, match="--one-run N >= 3"):
        audit(Thresholded(3.0), c_u=3, one_run=2)


class Elsewhere(Thresholded):
    """Declares that it may release keys that are not of its input."""

    releases_only_input_keys = False


@pytest.mark.slow
def test_one_run_is_refused_where_the_target_declares_other_keys():
    """What the method assumes is denied by the target itself; where nothing is declared, the option declares it."""
    with pytest.raises(UsageError, match="not valid: Elsewhere declares releases_only_input_keys = False"):
        audit(Elsewhere(3.0), one_run=100)


class Deliberate(Thresholded):
    """One large release takes longer than one answer may."""

    def release_many(self, histogram, n, rng):
        if len(histogram) > 10:
            time.sleep(1.0)
        return super().release_many(histogram, n, rng)


@pytest.mark.slow
def test_one_large_release_may_take_the_budget():
    """The limit of an answer is for small releases."""
    slow = audit(Deliberate(3.0), delta="1e-2", one_run=20_000, budget=60, answer_seconds=0.5)
    assert slow.verdict is Verdict.REFUTED
    assert not any("is slow" in note for note in slow.notes)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_the_command_that_repeats_an_audit_replays_its_blocks(scale):
    """An audit stopped by the clock gives the same document at any speed: pairs searched, event confirmed, shrunk."""
    from auditor.mechanism_audit.options import read_blocks

    stopped = audit(Noisy(scale), budget=0.5, detect="1e-6")
    words = shlex.split(stopped.reproduce)
    replayed = audit(Noisy(scale), budget=0.5, detect="1e-6", blocks=read_blocks(words[words.index("--blocks") + 1]))
    assert replayed.to_json() == stopped.to_json()
    assert stopped.result.samples > 0


@pytest.mark.slow
def test_lines_that_an_audit_had_no_time_to_find_are_not_named_by_its_replay(monkeypatch):
    """A busy machine ends an audit before its last stage; the document is the same where there is time for it."""
    from auditor.mechanism_audit.options import read_blocks

    def spent(*_given):
        raise BudgetSpentError

    options = {"pair": PAIR, "samples": 2000}
    assert audit(Noisy(0.5), **options).where
    with monkeypatch.context() as busy:
        busy.setattr("auditor.mechanism_audit.draws.where", spent)
        stopped = audit(Noisy(0.5), **options)
    words = shlex.split(stopped.reproduce)
    replayed = audit(Noisy(0.5), **options, blocks=read_blocks(words[words.index("--blocks") + 1]))
    assert stopped.verdict is Verdict.REFUTED
    assert replayed.to_json() == stopped.to_json()


@pytest.mark.slow
def test_the_pair_of_the_caller_is_repeated():
    """Inline JSON that the option reads back."""
    from auditor.mechanism_audit.options import read_pair

    words = shlex.split(audit(Noisy(1.0), pair=PAIR, samples=300).reproduce)
    assert read_pair(words[words.index("--pair") + 1]) == PAIR


@pytest.mark.parametrize("text", ["", "1,", "1,-2", "one", "1 2", "9" * 19])
def test_blocks_are_numbers(text):
    """One line with an example."""
    from auditor.mechanism_audit.options import read_blocks

    with pytest.raises(UsageError, match="such as 12,3"):
        read_blocks(text)


class RareKey:
    """A key that the other side lacks, in one release of 75, where 1 in 204 is allowed."""

    def release_many(self, histogram, n, rng):
        keys = tuple(histogram)
        values = np.round(np.array([*histogram.values()], dtype=float) + rng.laplace(0, 1, (n, len(keys))))
        values[values < 5] = np.nan
        return keys, values


@pytest.mark.slow
def test_a_bare_promise_is_refuted_on_a_new_key():
    """Discrete Laplace noise and threshold 5 at (1, .0049): the pair of a new key is found among all the others."""
    result = audit(RareKey(), delta="0.0049", samples=60_000)
    assert result.verdict is Verdict.REFUTED, result.detail
    assert (dict(result.pair.left), dict(result.pair.right)) == ({"k0": 1}, {})
    document = result.to_json()
    assert document["samples"] > document["pair_samples"]
    assert f"{document['pair_samples']} of {document['samples']} releases per dataset" in result.detail


@pytest.mark.slow
def test_a_constant_output_is_said():
    """Nothing to see, and the reader is told why."""

    class Silent:
        def release_many(self, histogram, n, rng):
            rng.random()
            return ("total",), np.full((n, 1), 7.0)

    assert any("is constant" in note for note in audit(Silent(), pair=PAIR, samples=2000).notes)
    assert not any("is constant" in note for note in audit(Noisy(1.0), pair=PAIR, samples=2000).notes)


@pytest.mark.slow
@pytest.mark.usefixtures("every_epsilon")
def test_the_privacy_profile_is_bounded_at_every_epsilon():
    """Half the noise: simultaneous lower bounds that fall with epsilon and stay below the exact profile."""
    document = audit(Noisy(0.5), pair=PAIR, samples=20_000, alpha="1e-3").to_json()
    bounds = {float(epsilon): float(bound) for epsilon, bound in document["profile_lower"].items()}
    assert list(bounds.values()) == sorted(bounds.values(), reverse=True)
    assert all(bound <= max(0.0, 1 - math.exp((epsilon - 2) / 2)) + 1e-12 for epsilon, bound in bounds.items())
    assert bounds[0.0] > 0.2
    assert 0 < float(document["efficiency"]) <= 1


@pytest.mark.slow
@pytest.mark.usefixtures("every_epsilon")
def test_the_trade_off_function_is_bounded_from_releases_of_its_own():
    """Half the noise: the bounds on delta lie between 0 and the exact profile of the pair, at every epsilon."""
    from auditor.statistics.tradeoff import dkw_margin

    class Lone:
        """One key, whose values are in the best order: of several a score is fitted, whose own profile is lower."""

        def release_many(self, histogram, n, rng):
            return ("k0",), histogram["k0"] + rng.laplace(0, 0.5, (n, 1))

    document = audit(Lone(), pair=PAIR, samples=20_000, alpha="1e-3").to_json()["tradeoff"]
    corners = [(float(corner["fpr"]), float(corner["fnr"])) for corner in document["corners"]]
    assert corners[0] == (0.0, 1.0)
    assert corners[-1] == (1.0, 0.0)
    assert [y for _, y in corners] == sorted((y for _, y in corners), reverse=True)
    for epsilon, lower in document["delta_lower"].items():
        exact = max(0.0, 1 - math.exp((float(epsilon) - 2) / 2))
        assert float(lower) <= exact + 1e-12
        assert float(lower) >= exact - (2 + 2 * math.exp(float(epsilon))) * dkw_margin(document["samples"], 2.5e-4)
    assert float(document["delta_lower"]["0"]) > 0.3


@pytest.mark.slow
@pytest.mark.usefixtures("every_epsilon")
def test_a_silent_audit_bounds_the_trade_off_function_too():
    """At its claim: from the releases that were bet on, above the exact function's chord, and none besides."""
    result = audit(Noisy(1.0), pair=PAIR, delta="1e-3", samples=20_000)
    document = result.to_json()["tradeoff"]
    assert result.verdict is not Verdict.REFUTED
    assert document["samples"] == result.result.samples
    for corner in document["corners"]:  # of the exact function: fpr + fnr >= 1 - delta(0)
        assert float(corner["fpr"]) + float(corner["fnr"]) >= math.exp(-0.5) - 1e-12
    assert 0 < float(document["delta_lower"]["0"]) <= 1 - math.exp(-0.5)
    assert document["corners"] == [corner.model_dump() for corner in result.evidence()[0].tradeoff]


@pytest.mark.slow
def test_a_registered_mechanism_that_reduces_takes_pairs_with_more_than_k_keys():
    """Its claim is about its own input, not about the sparse histogram it is reduced to."""
    own = find_registered("top_k", {"epsilon": "1"}, registry())
    pair = {"left": dict.fromkeys("abcdef", 1), "right": {}}
    result = audit_request(own.at(samples=1000, pair=pair))
    assert result.verdict in {Verdict.CONSISTENT, Verdict.UNDECIDED}
    with pytest.raises(UsageError, match="non-zero counters, got 6 on the left"):
        audit_request(own.at(claim=registry().claim("lebeda2025.csh.exact"), pair=pair))


def test_a_registered_mechanism_is_built_at_the_parameters_given():
    """What is audited is what was asked for; a fault has the law that it states at its own parameters only."""
    own = find_registered("gaussian_sparse_histogram", {"sigma": "3", "gap": "8", "epsilon": "1"}, registry())
    assert own.target.live_object.sigma == 3
    assert own.parameters["gap"] == "8"
    with pytest.raises(UsageError, match=r"integer tau .* got tau=3/2"):
        find_registered("gaussian_sparse_histogram", {"tau": "1.5"}, registry())
    with pytest.raises(UsageError, match="expected sigma=2, got 7"):
        find_registered("half_noise", {"sigma": "7"}, registry())
    assert find_registered("half_noise", {"sigma": "2.0"}, registry()) is not None
    assert find_registered("no such mechanism", {}, registry()) is None


@pytest.mark.slow
def test_the_budget_is_kept():
    """Betting stops early enough for the conclusion: twice the CPU seconds and a few more at most."""
    started = time.process_time()
    audit(Noisy(1.0), pair=PAIR, budget=1.0, detect="1e-9")
    assert time.process_time() - started < 12.0


def test_an_event_whose_confirmation_runs_out_of_time_stays_likely():
    """The sampler's deadline passes while the event is confirmed: a name is lost, not the verdict."""
    calls = []

    def sample(pair, side, n, rng):
        calls.append(n)
        if len(calls) > 2:
            raise BudgetSpentError
        return Sample(("a",), np.full((n, 1), 1.0 if side is Side.LEFT else 0.0))

    pair = Neighbours("p", {"a": 1}, {})
    started = PairAudit(pair, sample, hypothesis(1.0, 0.0), 0, "test", 3.0)
    started.step(16)
    event = started.view.event(*started.process.richest_event())
    assert confirm(started, started.claim, event, 1e-6, 1000, None, math.inf) == (None, 0)


@pytest.mark.slow
def test_a_silence_lists_what_it_tried():
    """Keys, sizes and counts, in a note for people and in the document."""
    result = audit(Noisy(1.0), pair=PAIR, samples=500)
    assert result.to_json()["inputs_tried"] == {
        "pairs": 1, "keys": ["k0"], "more_keys": 0, "sizes": "1", "counts": "1-2", "values": None,
    }  # fmt: skip
    assert {"tried 1 pair of 1 keys (k0), counts 1-2", GIVEN_DATA} <= set(result.notes)
    assert "tried 1 pair of 1 keys (k0), counts 1-2" in result.evidence()[0].notes


def test_many_inputs_are_listed_in_few_words():
    """Ranges of counts, the first of the keys."""
    pairs = [Neighbours(f"p{n}", {f"k{n}": n, "a": n * n}, {"a": n * n}) for n in range(1, 40)]
    told = inputs_text(pairs, "")
    assert told.startswith("tried 39 pairs of 1-2 keys (k1, a, k2, ")
    assert told.endswith(" and 28 more), counts 1-39, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, ..., 1521")
