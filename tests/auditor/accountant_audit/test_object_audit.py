"""Accountants in parts: what answers owe each other is asked, faults are named by it, and right code is not accused."""

import itertools
import math
import re
import shlex
import sys
from pathlib import Path

import pytest

import auditor
from auditor.accountant_audit.doubling import twice_at_least
from auditor.errors import ExitCode, UsageError
from auditor.front.cli import invoke
from auditor.target.target import Limits, Returned, as_target, locate, shorten_path
from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.accountant_audit import objects

PROFILE = {"epsilon": ("0.01", "8"), "mu": ("0.1", "5")}
RELEASES = {"epsilon": ("0.1", "8"), "sigma": ("0.3", "10"), "k": ("1", "100")}
COUNTED = {"box": RELEASES, "falls": ("sigma",), "rises": ("k",), "counts": "k"}
MU = {"box": PROFILE, "rises": ("mu",)}
GRID = {"box": {**PROFILE, "width": ("0.001", "0.5")}, "rises": ("mu",), "refines": "width", "returns": ("upper",)}
RESPONSES = {"box": {"epsilon": ("0.01", "3"), "epsilon_0": ("0.1", "2"), "k": ("1", "20")}, "counts": "k"}

RIGHT = {
    "Gaussian": (COUNTED, {"range", "order", "convex", "inverse", "composition", "doubling"}),
    "Pairwise": (COUNTED, {"range", "order", "convex", "inverse", "composition", "doubling"}),
    "Laplace": ({"box": {"epsilon": ("0.01", "3"), "scale": ("0.2", "9")}}, {"range", "order", "convex", "inverse"}),
    "response": ({"box": {"epsilon": ("0.01", "2"), "epsilon_0": ("1", "4")}}, {"range", "order", "convex"}),
    "several_responses": ({**RESPONSES, "rises": ("epsilon_0", "k")}, {"range", "order", "convex", "doubling"}),
    "right_power": (COUNTED, {"range", "order", "convex", "doubling"}),
    "rounded_up": ({**MU, "tolerance": "1e-6"}, {"range", "order", "convex"}),
    "best_of_two": ({**MU, "returns": ("upper",)}, {"range", "order"}),
    "on_a_grid": (GRID, {"range", "order", "refinement"}),
}
"""What is right, what is declared of it, and which relations it must have been asked."""

OPEN = {"Laplace": "`self.times > 1`, was never true"}
"""What is right and undecided: a branch that only `compose` reaches, whose parameter is not declared."""

WRONG = {
    "wrong_power": (COUNTED, "doubling"),
    "once_too_few": (COUNTED, "doubling"),
    "sums_too_much_noise": (COUNTED, "doubling"),
    "ripples": ({**MU, "max_examples": 40}, "convex"),
    "best_of_two": ({**MU, "max_examples": 40}, "convex"),
    "not_a_number": (MU, "range"),
    "nearest_on_a_grid": (GRID, "refinement"),
    "EpsilonTooSmall": (COUNTED, "inverse"),
    "SigmaTooSmall": (COUNTED, "inverse"),
    "ComposesOneTooFew": (COUNTED, "composition"),
    "ForgetsTheOther": (COUNTED, "composition"),
    "SigmaRises": (COUNTED, "order"),
}
"""What is wrong, what is declared of it, and the relation that must say so."""


def audit(name, **options):
    """Audit one of the accountants without a claim."""
    return auditor.audit_object(getattr(objects, name), **{"max_examples": 20, **options})


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_accountant_contradicts_itself_nowhere(name):
    """Kinks, outward rounding, bounds, grids, objects that change: every relation was compared, and none broken."""
    options, wanted = RIGHT[name]
    result = audit(name, **options)
    assert result.verdict is (Verdict.UNDECIDED if name in OPEN else Verdict.CONSISTENT), result.detail
    assert OPEN.get(name, "") in result.detail
    assert wanted <= {*result.relations}
    assert all(one.comparisons >= 20 for one in result.relations.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_accountant_contradicts_itself(name):
    """No truth is known, and the relation that is broken is named, with a witness of short numbers."""
    options, relation = WRONG[name]
    result = audit(name, **options)
    assert result.exit_code == ExitCode.FINDINGS
    found = result.relations[relation]
    assert found.contradictions, result.detail
    assert found.simplest
    assert found.simplest in result.detail


@pytest.mark.slow
def test_a_witness_is_small():
    """The composition that loses too little is shown at one against two releases."""
    simplest = audit("wrong_power", **COUNTED).relations["doubling"].simplest
    assert "k=2)" in simplest
    assert "if one pair of neighbours is the worst at every epsilon, as --counts k declares" in simplest
    assert len(simplest) < 350


@pytest.mark.slow
def test_the_parts_of_a_class_are_held_against_the_claim():
    """Each method against its truth, the rest told with the reason."""
    box = {name: RELEASES[name] for name in ("epsilon", "sigma")} | {"k": ("1", "9"), "delta": ("1e-9", "0.1")}
    options = {"against": "standard.gaussian.composition", "box": box, "max_examples": 20, "tolerance": "1e-6"}
    right = auditor.audit_object(objects.Pairwise, **options)
    assert right.verdict is Verdict.CONSISTENT, right.detail
    assert [*right.parts] == ["delta", "epsilon", "sigma", "compose.delta"]
    assert {*right.relations} == {"inverse", "composition"}
    assert {*right.left_out} == {"describe", "mu"}
    wrong = auditor.audit_object(objects.SigmaTooSmall, **options)
    verdicts = {name: part.verdict for name, part in wrong.parts.items()}
    assert verdicts == {**dict.fromkeys(right.parts, Verdict.CONSISTENT), "sigma": Verdict.REFUTED}
    assert "sigma: unsafe" in wrong.detail


@pytest.mark.slow
def test_a_delta_that_is_rounded_up_accuses_no_right_epsilon():
    """Where a truth says that epsilon is right: alone, its own delta at its own epsilon contradicts it."""
    box = {"epsilon": ("0.1", "5"), "sigma": ("0.5", "5"), "k": ("1", "20")}
    options = {"box": box, "max_examples": 15}
    result = auditor.audit_object(objects.RoundedUp, against="standard.gaussian.composition", **options)
    assert result.verdict is Verdict.CONSISTENT
    assert result.relations["inverse"].comparisons >= 20
    assert auditor.audit_object(objects.RoundedUp, **options, falls=["sigma"]).relations["inverse"].contradictions
    wrong = auditor.audit_object(objects.EpsilonTooSmall, against="standard.gaussian.composition", **options)
    assert wrong.relations["inverse"].contradictions


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "given", "value"),
    [
        ("Gaussian.delta", {"sigma": 2.0, "epsilon": 1.0, "k": 4}, gaussian.delta(1.0, mu=1.0)),
        ("Gaussian.mu", {"sigma": 2.0, "k": 4}, 1.0),
        ("Gaussian.sigma", {"epsilon": 1.0, "delta": 1e-5}, gaussian.sigma(1.0, 1e-5, sensitivity=1.0)),
        ("Gaussian.compose.delta", {"sigma": 2.0, "k": 4, "epsilon": 1.0}, gaussian.delta(1.0, mu=1.0)),
        ("Pairwise.compose.delta", {"sigma": 2.0, "k": 2, "epsilon": 1.0}, gaussian.delta(1.0, mu=1.0)),
        ("Laplace.compose.delta", {"scale": 2.0, "k": 4, "epsilon": 1.0}, -math.expm1(-1)),
    ],
)
def test_a_method_is_called_on_the_object_it_needs(path, given, value):
    """By file, and live: constructor's arguments and the method's, properties, static methods, what is composed."""
    name, _, method = path.partition(".")
    limits = Limits(startup_seconds=300, answer_seconds=300)
    with as_target(getattr(objects, name), "accountant", limits).part(method) as live:
        assert live.call(given) == Returned(value)
    if name == "Pairwise":
        with locate(f"{objects.__file__}:{path}", "accountant", limits) as by_file:
            assert by_file.call(given) == Returned(value)


PROGRAM = """
import json, sys
from math import erfc, exp, sqrt

def delta(epsilon, mu):
    below = lambda x: erfc(-x / sqrt(2)) / 2
    return below(mu / 2 - epsilon / mu) - exp(epsilon) * below(-mu / 2 - epsilon / mu)

def sigma_of_one(epsilon, target):
    low, high = 1e-3, 1e3
    for _ in range(200):
        middle = sqrt(low * high)
        low, high = (middle, high) if delta(epsilon, 1 / middle) > target else (low, middle)
    return high * {"right": 1, "wrong": 0.9}[sys.argv[1]]

for line in sys.stdin:
    call = json.loads(line)["call"]
    if sys.argv[2] == "sigma":
        answer = sqrt(call["k"]) * sigma_of_one(call["epsilon"], call["delta"])
    else:
        answer = delta(call["epsilon"], sqrt(call["k"]) / call["sigma"])
    print(repr(answer), flush=True)
"""


@pytest.mark.slow
def test_methods_of_a_program_are_audited_as_those_of_a_class(tmp_path):
    """Each is the command with its name as one more word; what is wrong is named."""
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    box = {"epsilon": ("0.5", "2"), "sigma": ("1", "3"), "k": ("1", "9"), "delta": ("1e-6", "0.1")}
    options = {"against": "standard.gaussian.composition", "box": box, "max_examples": 8, "tolerance": "1e-6"}
    for way, verdict in (("right", Verdict.CONSISTENT), ("wrong", Verdict.REFUTED)):
        target = f"exec:{shlex.join([sys.executable, str(tmp_path / 'program.py'), way])}"
        result = auditor.audit_object(target, methods=("delta", "sigma", "compose"), call_timeout=60, **options)
        assert [*result.parts] == ["delta", "sigma", "compose.delta"]
        assert result.parts["sigma"].verdict is verdict, result.detail
        assert {result.parts[name].verdict for name in ("delta", "compose.delta")} == {Verdict.CONSISTENT}
        assert result.parts["sigma"].target == f"{target} sigma"
        assert "--methods delta,sigma,compose" in result.reproduce
    with pytest.raises(UsageError, match="--methods is for exec:COMMAND"):
        audit("Gaussian", methods=("delta",), **COUNTED)


@pytest.mark.parametrize("mu", [0.1, 1.0, 4.0])
def test_a_profile_composed_with_itself_is_bounded_from_below(mu):
    """Two Gaussian releases lose what one of sqrt(2) mu loses: never less than the bound, at most a fifth more."""
    for epsilon in (0.5 * mu, mu, 3 * mu):
        grid = [1.25 * epsilon * place / 47 for place in range(48)]
        least = twice_at_least(grid, [gaussian.delta(each, mu=mu) for each in grid], epsilon)
        exact = gaussian.delta(epsilon, mu=math.sqrt(2) * mu)
        assert 0.7 * exact < least <= exact


@pytest.mark.parametrize(("mu", "epsilon"), [(0.25, 0.5), (1.0, 2.0)])
def test_two_worst_pairs_lose_less_than_one_with_the_larger_profile(mu, epsilon):
    """Values that move, and a key that appears: why the bound is of one pair that is the worst at every epsilon."""
    appears = gaussian.delta(epsilon, mu=math.sqrt(2) * mu) / 2
    grid = [1.25 * epsilon * place / 47 for place in range(48)]
    larger = [max(gaussian.delta(each, mu=mu), appears) for each in grid]
    loss = max(gaussian.delta(epsilon, mu=math.sqrt(2) * mu), 1 - (1 - appears) ** 2)
    assert twice_at_least(grid, larger, epsilon) > 1.1 * loss


def test_a_finite_pair_composed_with_itself_is_met_exactly():
    """Randomised response has two losses: where the samples hold its kink, nothing is lost."""
    grid = [place / 10 for place in range(31)]
    two = [objects.response(each, epsilon_0=1.0) for each in grid]
    for epsilon in (0.0, 0.7, 1.5):
        exact = objects.several_responses(epsilon, 1.0, 2)
        assert 0.75 * exact <= twice_at_least(grid, two, epsilon) <= exact * (1 + 1e-12)


def test_no_profile_gives_no_bound():
    """Samples that are not convex say nothing of what is composed."""
    assert twice_at_least([0.0, 1.0, 2.0, 3.0], [0.5, 0.4, 0.1, 0.09], 1.0) == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "got neither"),
        ({"box": PROFILE, "rises": ("k",)}, "k is declared and has no --box"),
        ({"box": {"epsilon": ("0", "1")}}, "delta needs mu: give --box mu=LO:HI"),
        ({"against": "wilkins2024.thm2.2", "rises": ("mu",)}, "--rises is for accountants without --against"),
        ({"against": "wilkins2024.thm2.2", "box": {"nu": ("0", "1")}}, "--box nu: no such parameter"),
        ({"against": "thresholds.gaussian.epsilon"}, "expected a claim about delta"),
        ({"against": "wilkins2024.thm2.2"}, "is a function"),
        ({"box": PROFILE, "solves": "mu"}, "--solves mu: .* takes mu; expected the parameter that it returns"),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(options, words):
    """Neither claim nor ranges, ranges that are missing, declarations beside a claim."""
    with pytest.raises(UsageError, match=words):
        audit("ripples", **options)


def bracket(epsilon, mu):
    """Return a lower end, an estimate and an upper end."""
    value = gaussian.delta(epsilon, mu=mu)
    return 0.9 * value, value, min(1.0, 1.1 * value)


def half(mu, k):
    """Return a delta that depends on nothing."""
    return 0.5 + 0.0 * mu * k


@pytest.mark.slow
def test_a_bracket_is_asked_for_the_meaning_of_its_numbers():
    """It is no wrong answer; with the meaning of each number it is compared."""
    with pytest.raises(UsageError, match="3 numbers: --returns names each"):
        auditor.audit_object(bracket, box=PROFILE, max_examples=20)
    result = auditor.audit_object(bracket, box=PROFILE, max_examples=20, returns="lower,estimate,upper", rises="mu")
    assert result.verdict is Verdict.CONSISTENT, result.detail
    assert result.relations["order"].comparisons >= 20


@pytest.mark.slow
def test_answers_that_nothing_is_compared_with_are_undecided():
    """Their range alone is no evidence; a declared direction is compared."""
    box = {"mu": ("0.1", "5"), "k": ("1", "10")}
    alone = auditor.audit_object(half, box=box, max_examples=20)
    assert (alone.verdict, {*alone.relations}) == (Verdict.UNDECIDED, {"range"})
    assert "--rises and --falls declare how answers move" in alone.detail
    assert auditor.audit_object(half, box=box, max_examples=20, rises="mu").verdict is Verdict.CONSISTENT


class OnlyEpsilon:
    """Right: the epsilon of Gaussian noise, and a method that no range names."""

    def __init__(self, noise):
        self.noise = noise

    def epsilon(self, delta):
        """Return epsilon for a delta."""
        return gaussian.epsilon(delta, mu=1 / self.noise)

    def get_delta(self, epsilon):
        """Return delta for an epsilon."""
        return gaussian.delta(epsilon, mu=1 / self.noise)


@pytest.mark.slow
def test_a_method_named_epsilon_needs_no_range_of_epsilon():
    """It returns epsilon; a method of another name says what would name it."""
    box = {"noise": ("0.5", "10"), "delta": ("1e-8", "1e-3")}
    result = auditor.audit_object(OnlyEpsilon, box=box, max_examples=20)
    assert result.verdict is Verdict.CONSISTENT, result.detail
    assert result.relations["range"].says == "epsilon is at least log(1 - delta)"
    assert result.relations["order"].comparisons >= 20
    assert result.left_out == {"get_delta": "--box gives no range of get_delta"}


def noise_of_eps(eps, delta):
    """Return the noise of an epsilon under its short name."""
    return gaussian.sigma(eps, delta, sensitivity=1)


def test_an_epsilon_under_its_short_name_is_an_argument():
    """The function takes epsilon and delta, so the caller states what it returns."""
    with pytest.raises(UsageError, match="noise_of_eps takes delta, eps: --solves NAME names the returned parameter"):
        auditor.audit_object(noise_of_eps, box={"eps": ("0.1", "2"), "delta": ("1e-8", "1e-3")})


@pytest.mark.slow
@pytest.mark.parametrize(("power", "verdict"), [(1, Verdict.CONSISTENT), (-1, Verdict.REFUTED)])
def test_noise_for_a_delta_moves_as_its_delta_is_declared_to(power, verdict):
    """Delta falls in sigma, so the sigma for a delta falls in delta and in epsilon."""

    def noise(epsilon, delta):
        return gaussian.sigma(epsilon, delta, sensitivity=1) ** power

    box = {"epsilon": ("0.1", "5"), "delta": ("1e-8", "1e-3")}
    result = auditor.audit_object(noise, box=box, solves="sigma", falls="sigma", max_examples=20)
    assert result.verdict is verdict, result.detail


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 140])
def test_the_command_line_has_a_line_for_each_sentence(tmp_path, monkeypatch, capsys, width):
    """On a terminal: the verdict of a part, its sentences indented below, then the relations; no line is too long."""
    (tmp_path / "mine.py").write_text(Path(objects.__file__).read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    claim, size = ["--against", "standard.gaussian.composition"], ["--max-examples", "30", "--seed", "3"]
    invoke(["accountant", "mine.py:Gaussian", *claim, *size])
    *lines, command = capsys.readouterr().out.splitlines()
    assert command == f"  see it again: {shlex.join(['auditor', 'accountant', 'mine.py:Gaussian', *claim, *size])}"
    assert max(len(line) for line in lines if str(tmp_path) not in line) <= width  # a path is never broken
    text = "\n".join(lines)
    parts = re.findall(r"^  (\w+): no violation seen\n    \S.*\n(?:    .*\n)*    judged ", text, re.MULTILINE)
    assert parts[:2] == ["delta", "epsilon"], text
    assert re.search(r"^  inverse, \d+ comparisons: ", text, re.MULTILINE), text


@pytest.mark.slow
def test_the_command_line_shows_each_relation(capsys):
    """By file, without a claim: the verdict, how often each relation was compared, the witness, the command."""
    target, boxes = f"{objects.__file__}:best_of_two", ["--box", "epsilon=0.01:8", "--box", "mu=0.1:5"]
    inputs = ["accountant", target, *boxes, "--rises", "mu", "--max-examples", "40"]
    assert invoke(inputs) == ExitCode.FINDINGS
    output = capsys.readouterr().out
    assert output.startswith("refuted: ")
    assert "best_of_two against itself" in output
    assert "contradict, the simplest delta(epsilon=" in output
    assert "no exact value was given" in output
    assert f"see it again: auditor accountant {shlex.quote(shorten_path(target))}" in output
    assert invoke([*inputs, "--jobs", "2"]) == ExitCode.USAGE
    assert "--jobs is for a function and --against" in capsys.readouterr().err


def test_relations_are_told_apart():
    """Every relation has right accountants that were asked it, and a wrong one that it names."""
    requests = set(itertools.chain.from_iterable(wanted for _, wanted in RIGHT.values()))
    assert requests == {relation for _, relation in WRONG.values()}
