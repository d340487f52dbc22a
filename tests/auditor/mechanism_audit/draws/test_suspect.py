"""The line that a refutation points at: of plain files, each with one line changed."""

import ast
import math
import runpy
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from auditor.mechanism_audit.draws.observed import Shares, chance_that_keeps, observe_draws, tosses_that_keep
from auditor.mechanism_audit.draws.slices import Source, relevant_statements
from auditor.mechanism_audit.draws.suspect import NO_DRAW, Refuted, places, suspect
from auditor.mechanism_audit.sampler import Pace, Sampler
from auditor.target.target import as_target
from proofs_numeric.statements.neighbours import Neighbours
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.audit_call import audit_mechanism
from tests.planted_faults.catalogue import CATALOGUE
from tests.planted_faults.held_out import FIRST, SECOND, THIRD
from tests.planted_faults.programs import PROGRAMS, Kind, faults

FAR = Neighbours("far", {"a": 52, "b": 50}, {"a": 51, "b": 50})
EVERY = (*PROGRAMS, *FIRST, *SECOND, *THIRD, *CATALOGUE)
BY_NAME = {program.name: program for program in EVERY}
SAMPLE = [
    ("pages", "SCALE = 0.5 / EPSILON", None),
    ("pages", "= SCALE * math.log", 1e-4),
    ("pages", "if visits > THRESHOLD:", None),
    ("pages", "rng.laplace(0, 1 / visits)", None),
    ("arrays", "keep = noisy >= counts.mean()", 1.0),
    ("publisher", "self.threshold = 1 + tail", 1e-4),
    ("publisher", "users + self.noise(rng) / 4", None),
    ("publisher", "Publisher(4.0, 1e-6, 2)", None),
    ("ledger", "epsilon: float = 4.5", None),
    ("ledger", "margin: float = 2.0", 0.02),
    ("frozen", "stats.norm(scale=1 / EPSILON)", None),
    ("meter", "make(epsilon=1.0, sensitivity=1.0)", None),
    ("shop", "sigma * x", None),
    ("bids", "np.maximum(scores, 0.01)", None),
    ("stages", '"counts": 6.0,', None),
    ("tags", 'width = 1 / options["epsilon"]', None),
]
"""Programs, what replaces a line, and how often a new key gives itself away."""


def suspected(target: str, refuted: Refuted, pair: Neighbours = FAR) -> tuple[str, str] | None:
    """The suspected line of a file; a fork of this process serves it, which imports nothing anew."""
    file, _, entry = target.rpartition(":")
    with as_target(runpy.run_path(file)[entry], "mechanism") as located:
        draws = observe_draws(Sampler(located, Pace(60.0)), pair, 1)
        return suspect(places(draws.places), replace(refuted, shift=draws.shift))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "new", "new_key"), SAMPLE)
def test_the_changed_line_is_suspected(name, new, new_key, tmp_path):
    """A draw, a threshold, a scale, or what one of them is made of in another line."""
    program = BY_NAME[name]
    (fault,) = (fault for fault in program.faults if fault.new == new)
    epsilon, delta = (float(Fraction(program.options.get(number, "0"))) for number in ("epsilon", "delta"))
    moved = program.options.get("c_u", 1) * program.options.get("per_key", 1)
    refuted = Refuted(epsilon, delta, new_key, moved)
    line, _why = suspected(program.write(tmp_path, fault), refuted)
    assert line == f"{tmp_path / name}.py:{program.line(fault)}"


ELSEWHERE = [
    ("pages", "SCALE = 0.5 / EPSILON", {"rng.laplace(": "np.random.laplace("}),
    ("pages", "SCALE = 0.5 / EPSILON", {"rng.laplace(": "laplace("}),
    (
        "pages",
        "SCALE = 0.5 / EPSILON",
        {"rng.laplace(0, SCALE)": "random.choice([-1, 1]) * random.expovariate(1 / SCALE)"},
    ),
    ("pages", "rng.laplace(0, SCALE / 3)", {"rng.laplace(": "np.random.default_rng().laplace("}),
    ("words", "rng.normal()", {"rng.normal()": "random.gauss(0, 1)", "rng.normal(scale=": "random.gauss(sigma="}),
    ("ledger", "epsilon: float = 4.5", {"rng.standard_normal()": "random.gauss(0, 1)"}),
    ("ledger", "epsilon: float = 4.5", {"rng.standard_normal()": "np.random.RandomState().randn()"}),
    ("shop", "SIGMA = 1.0", {"rng.exponential()": "random.expovariate(1.0)", "rng.random()": "random.random()"}),
    ("meter", "make(epsilon=1.0, sensitivity=1.0)", {"rng.": "secrets.SystemRandom()."}),
]
"""Programs, what replaces a line, and by which generators of their own they draw."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "new", "written"), ELSEWHERE)
def test_the_changed_line_is_suspected_where_a_target_draws_by_itself(name, new, written, tmp_path):
    """By functions of NumPy's and of the standard library, under their names for the same laws."""
    program = BY_NAME[name]
    (fault,) = (fault for fault in program.faults if fault.new == new)
    target = program.write(tmp_path, fault)
    file, source = tmp_path / f"{name}.py", (tmp_path / f"{name}.py").read_text("utf-8")
    for own, elsewhere in written.items():
        source = source.replace(own, elsewhere)
    imports = "import random\nimport secrets\nimport numpy as np\nfrom numpy.random import laplace\n"
    file.write_text(f"{source}\n{imports}", "utf-8")
    epsilon, delta = (float(Fraction(program.options.get(number, "0"))) for number in ("epsilon", "delta"))
    moved = program.options.get("c_u", 1) * program.options.get("per_key", 1)
    line, _why = suspected(target, Refuted(epsilon, delta, None, moved))
    assert line == f"{file}:{program.line(fault)}"


MOVED = [
    ("sum(h.values()) * 1.5 + rng.laplace(0, 1)", Refuted(1.0, 0.0, None, 1), "where the claim requires 1.5"),
    ("sum(h.values()) * 1.5 + rng.laplace(0, 1.5)", Refuted(1.0, 0.0, None, 1), None),
    ("sum(h.values()) * 4 + rng.normal(0, 2)", Refuted(1.9, 0.05, None, 1, stated={"rho": 0.5}), "requires 4"),
    ("sum(h.values()) * 4 + rng.normal(0, 2)", Refuted(1.9, 0.05, None, 1, profile=True), None),
    ("sum(h.values()) * (1 + rng.random()) + rng.laplace(0, 1)", Refuted(1.0, 0.0, None, 1), None),
]
"""A number that is released, the claim, and what is said of its scale."""


@pytest.mark.parametrize(("released", "refuted", "said"), MOVED)
def test_a_scale_is_held_against_what_the_pair_moves(released, refuted, said, tmp_path):
    """Enough for a count is not enough for a number that one user moves by more; no scale is judged of a profile."""
    file = tmp_path / "moved.py"
    file.write_text(f"def release(h, rng):\n    return {{'all': {released}}}\n", "utf-8")
    found = suspected(f"{file}:release", refuted)
    if said is None:
        assert found is None or "the claim requires" not in found[1]
    else:
        assert found is not None
        assert found[0] == f"{file}:2"
        assert said in found[1]


INNOCENT = {
    "a bar that is no rule of keys": ("out[key] = noisy if noisy > 13 else 0.0", 1.0),
    "a count of the data": ("out[key], out['n'] = noisy, sum(histogram.values())", None),
    "a sum that nothing bounds": ("out['total'] = n * n + rng.laplace(0, 1)", None),
    "an order by names": ("out = sorted(histogram, key=lambda key: (len(key), key))", None),
    "the largest of the data": ("out[key] = max(noisy, *histogram.values())", None),
}
"""What is released of a right `noisy`, and how often a new key gives itself away."""
GUILTY = {
    "too small": "noisy = n + rng.laplace(0, 1 / 2)",
    "of another law": "noisy = n + rng.exponential(1)",
    "of one sign": "noisy = n + abs(rng.laplace(0, 1))",
    "cut towards zero": "noisy = n + int(rng.laplace(0, 1))",
    "cut off": "noisy = n + max(-9, min(9, rng.laplace(0, 1)))",
    "the same for all": "noisy = n + shared",
}


def of_lines(folder, noisy, line):
    """A plain file that draws in line 4 or 5."""
    path = folder / "plain.py"
    lines = ("def release(histogram, rng):", "    out = {}", "    shared = 0", "    for key, n in histogram.items():")
    if "shared" in noisy:
        lines = (*lines[:2], "    shared = rng.laplace(0, 1)", lines[3])
    path.write_text(
        "\n".join((*lines, f"        {noisy}", f"        {line}", "    return out", "import numpy as np", "")), "utf-8"
    )
    return f"{path}:release"


@pytest.mark.slow
@pytest.mark.parametrize(("line", "new_key"), INNOCENT.values(), ids=INNOCENT)
@pytest.mark.parametrize("noise", ["rng.laplace(0, 1)", "int(round(rng.laplace(0, 1)))", "np.rint(rng.laplace(0, 1))"])
def test_a_draw_that_suffices_is_not_suspected(line, new_key, noise, tmp_path):
    """What is released beside the noise is at fault: no draw explains it."""
    target = of_lines(tmp_path, f"noisy = n + {noise}", line)
    at, why = suspected(target, Refuted(1.0, 0.0, new_key, 1))
    assert at == NO_DRAW, (at, why)


ORDERS = {
    "an order by the data": "out = sorted(histogram, key=histogram.get)",
    "ties": "out['most'] = max(out, key=lambda key: (out[key], histogram[key]), default='')",
    "places": "out['places'] = np.argsort(list(histogram.values())).tolist()",
}


@pytest.mark.slow
@pytest.mark.parametrize("line", ORDERS.values(), ids=ORDERS)
def test_an_order_by_exact_data_is_suspected(line, tmp_path):
    """All noise suffices, and what is ordered by the data is released beside it."""
    target = of_lines(tmp_path, "noisy = n + rng.laplace(0, 1)", line)
    at, why = suspected(target, Refuted(1.0, 0.0, None, 1))
    assert (at, why) == (f"{tmp_path / 'plain.py'}:6", "orders by data without noise")


@pytest.mark.slow
@pytest.mark.parametrize("noisy", GUILTY.values(), ids=GUILTY)
def test_a_draw_that_does_not_suffice_is_suspected(noisy, tmp_path):
    """It is too small, none of counts, or not added as it comes."""
    at, _why = suspected(of_lines(tmp_path, noisy, "out[key] = noisy"), Refuted(1.0, 0.0, None, 1))
    assert at == f"{tmp_path / 'plain.py'}:{3 if 'shared' in noisy else 5}"


@pytest.mark.slow
def test_last_bits_are_those_of_a_draw_that_would_suffice(tmp_path):
    """Large enough on the reals, and told apart by how doubles are rounded."""
    target = of_lines(tmp_path, "noisy = n + rng.laplace(0, 1)", "out[key] = noisy")
    at, why = suspected(target, Refuted(1.0, 0.0, None, 1, bits=True))
    assert at == f"{tmp_path / 'plain.py'}:5"
    assert "last bits" in why


OF_COUNTS = ("if users >= TAU_STAR", "if noisy >= max(histogram.values()) / 2", "if histogram[tag] >= LEAST")
"""Faults of a threshold that counts of the same keys show: no new key gives itself away."""


def named(program, fault, folder):
    """Whether the changed line is suspected, where what was refuted is told as an audit would."""
    keys = program.options.get("keys", ("a", "b"))
    pair = Neighbours("far", {keys[0]: 152, keys[1]: 150}, {keys[0]: 151, keys[1]: 150})
    epsilon, delta = (float(Fraction(program.options.get(number, "0"))) for number in ("epsilon", "delta"))
    moved = program.options.get("c_u", 1) * (2 if program.options.get("adjacency") == "replace" else 1)
    output = max(10 * delta, 0.02) if fault.kind is Kind.THRESHOLD and fault.new not in OF_COUNTS else None
    found = suspected(program.write(folder, fault), Refuted(epsilon, delta, output, moved), pair)
    return found is not None and found[0] == f"{folder / program.name}.py:{program.line(fault)}"


@pytest.mark.slow
@pytest.mark.parametrize(("programs", "most"), [(CATALOGUE, 43), (THIRD, 24)], ids=["catalogue", "held out"])
def test_of_two_thirds_the_changed_line_is_suspected(programs, most, tmp_path):
    """Of every other fault in a draw, a threshold or a scale: nine families as plain files, six programs held out."""
    planted = [(program, fault) for program, fault in faults(programs) if fault.kind is not Kind.OUTPUT]
    assert len(planted) == most
    trials = planted[::2]
    assert {fault.kind for _program, fault in trials} == {Kind.DRAW, Kind.THRESHOLD, Kind.SCALE}
    assert 3 * sum(named(program, fault, tmp_path) for program, fault in trials) >= 2 * len(trials)


@pytest.mark.slow
def test_a_source_that_cannot_be_read_is_not_spoken_of(tmp_path):
    """The draws are logged all the same."""
    target = BY_NAME["pages"].write(tmp_path)
    with as_target(target, "mechanism") as located:
        result = observe_draws(Sampler(located, Pace(60.0)), FAR, 1).places
    (tmp_path / "pages.py").write_text("def release(:", "utf-8")
    assert result
    assert places(result) == []
    assert suspect([], Refuted(1.0, 1e-5, None, 1)) is None


def test_every_planted_fault_is_of_one_line():
    """Some forty, of every kind, in lines that are found."""
    assert all(program.line(fault) > 1 for program, fault in faults(EVERY))
    assert len(list(faults(EVERY))) >= 120


@pytest.mark.slow
def test_a_seed_of_its_own_is_suspected(tmp_path):
    """Nothing is drawn from the generator: the line that fixes the randomness is named."""
    program = BY_NAME["frozen"]
    (fault,) = (fault for fault in program.faults if "random_state=7" in fault.new)
    pair = {"left": FAR.left, "right": FAR.right}
    audit = audit_mechanism(program.write(tmp_path, fault), samples=500, pair=pair, steer=False, **program.options)
    assert any(told.startswith(f"suspect frozen.py:{program.line(fault)}:") for told in audit.where), audit.where


SEVERAL = """
LIMIT = 3


def other(histogram, rng):
    return [key for key, count in histogram.items() if count > 9]


def noisy(count, rng):
    return count + rng.laplace(0, 1)


class Kept:
    def release(self, histogram, rng):
        return {key: noisy(count, rng) for key, count in histogram.items() if count > LIMIT}


release = Kept().release
"""


@pytest.mark.parametrize(
    ("start", "lines", "left"),
    [
        ("release", {10}, ["LIMIT", "noisy", "Kept", "release"]),
        ("Kept", (), ["LIMIT", "noisy", "Kept"]),
        ("other", (), ["other"]),
        ("other", {10}, ["other", "noisy"]),
        ("elsewhere", {10}, ["LIMIT", "other", "noisy", "Kept", "release"]),
    ],
)
def test_what_a_target_never_names_is_not_spoken_of(start, lines, left):
    """What it names, and what names follow; where it draws; all of a file that does not define it."""
    kept = relevant_statements(ast.parse(SEVERAL).body, start, lines)
    assert [each.targets[0].id if isinstance(each, ast.Assign) else each.name for each in kept] == left


@pytest.mark.parametrize(
    ("start", "line", "seed"),
    [
        ("of_the_data", 9, "computed from the data"),
        ("fixed", 13, "the same seed each time"),
        ("of_few", 26, "one of few seeds (integers up to 50)"),
        ("of_the_time", 30, "the time"),
        ("of_many", None, ""),
        ("its_own", None, ""),
        ("handed_on", None, ""),
    ],
)
def test_a_seed_is_that_of_the_target_and_not_of_its_file(tmp_path, start, line, seed):
    """A generator with a seed that another function draws from is none of its own, nor is the one that it is given."""
    file = tmp_path / "seeds.py"
    file.write_text(SEEDS, "utf-8")
    result = Source.read(str(file), start).seeded
    assert (result and result[0].lineno) == line
    assert result is None or seed in result[1]


SEEDS = """
import random

other = random.Random(7)


def of_the_data(histogram, rng):
    total = sum(histogram.values())
    return total + random.Random(f"salt {total}").gauss(0, 1)


def fixed(histogram, rng):
    return sum(histogram.values()) + random.Random(7).gauss(0, 1)


def its_own(histogram, rng):
    return sum(histogram.values()) + random.gauss(0, 1)


def handed_on(histogram, rng):
    return sum(histogram.values()) + norm.rvs(random_state=rng)


def of_few(histogram, rng):
    seed = int(rng.integers(50))
    return sum(histogram.values()) + random.Random(seed).gauss(0, 1)


def of_the_time(histogram, rng):
    return sum(histogram.values()) + random.Random(int(time.time())).gauss(0, 1)


def of_many(histogram, rng):
    return sum(histogram.values()) + random.Random(int(rng.integers(2**63))).gauss(0, 1)
"""


@pytest.mark.slow
def test_another_target_of_the_file_is_not_suspected(tmp_path):
    """Its decision on exact counts has no part in noise that is half of what is needed."""
    file = tmp_path / "several.py"
    file.write_text("def half(histogram, rng):\n    return len(histogram) + rng.normal(0, 0.1)\n" + SEVERAL, "utf-8")
    result = audit_mechanism(f"{file}:half", epsilon="1", delta="1e-3", seed=3)
    assert result.where[0].startswith("suspect several.py:2:"), result.where


COINS = {
    "as it is": (
        "int(told) if rng.random() < 0.9 else 1 - told", 0.0, "comparison value of random to 0.9, where 0.731 ",
    ),
    "turned": ("int(told) ^ (rng.uniform(0, 1) < 0.1)", 0.0, "comparison value of uniform to 0.1, where 0.269 "),
    "replaced": ("int(told) if rng.random() < 0.75 else rng.integers(2)", 0.0, "to 0.75, where 0.4621 suffices for an"),
    "of three": ("2 * told if rng.random() < 0.8 else rng.integers(3)", 0.0, "to 0.8, where 0.3641 suffices for an"),
    "bernoulli": ("told ^ stats.bernoulli.rvs(0.05, random_state=rng)", 0.0, "coins of binomial to 0.05, where 0.269 "),
    "tosses": ("told + rng.binomial(16, 0.5) - 8", 1e-4, "16 tosses, where 46 tosses suffice for counts that a"),
    "two coins": ("int(told) if (rng.random(2) < 0.9).any() else 1 - told", 0.0, "comparison value of random"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", COINS)
def test_what_would_keep_a_coin_is_told_where_it_can_be_solved_for(name, tmp_path):
    """By the law that fresh releases show; of two coins that decide together none."""
    formula, delta, words = COINS[name]
    file = tmp_path / "coins.py"
    lines = "from scipy import stats", "", "", "def answer(users, rng):", '    told = "ana" in users'
    file.write_text("\n".join((*lines, f"    return int({formula})", "")), encoding="utf-8")
    result = audit_mechanism(f"{file}:answer", epsilon="1", delta=repr(delta), keys=("ana", "bo"), steer=False)
    assert result.verdict is Verdict.REFUTED, result.detail
    assert result.where[0].startswith("suspect coins.py:6: sets the ")
    assert words in result.where[0]
    assert name != "two coins" or "where" not in result.where[0]


@pytest.mark.parametrize(("chance", "seen"), [(0.9, Shares(0.9, 0.1, 2048)), (0.75, Shares(0.875, 0.125, 2048))])
def test_the_chance_that_is_told_keeps_the_claim_and_little_more_would_not(chance, seen):
    """Held against the law of the release that was seen: a truth, else the other answer or a fair coin."""
    kept = chance_that_keeps(chance, seen, 1.0, 0.01)

    def stick(truth: float) -> float:
        own = 0.0 if seen.likelier == chance else 0.5
        likelier = truth + own * (1 - truth)
        return likelier - math.e * (1 - likelier)

    assert kept is not None
    assert stick(kept) <= 0.01 < stick(kept + 1e-3)
    assert chance_that_keeps(kept - 1e-3, Shares(0.5, 0.5, 2048), 1.0, 0.01) is None


@pytest.mark.parametrize(("p", "epsilon", "delta", "c_u"), [(0.5, 1.0, 1e-4, 1), (0.3, 0.7, 1e-3, 2)])
def test_the_tosses_that_are_told_keep_the_claim_and_fewer_do_not(p, epsilon, delta, c_u):
    """By SciPy's masses, summed over all counts."""
    expected = tosses_that_keep(p, epsilon, delta, c_u)

    def sticks(n: int) -> float:
        law = stats.binom(n, p).pmf(np.arange(-c_u, n + 2 * c_u + 1))
        here, moved = law[c_u:], law[:-c_u]
        return max(np.maximum(a - math.exp(epsilon) * b, 0).sum() for a, b in ((here, moved), (moved, here)))

    assert expected is not None
    assert sticks(expected) <= delta < sticks(expected - 2)
    assert tosses_that_keep(p, epsilon, 0.0, c_u) is None


def selected(histogram, rng):
    """Select a key in about one release of ten, and release it with less noise."""
    kept = {key: count for key, count in histogram.items() if count + rng.laplace(0, 2) >= 9}
    return {key: round(count + rng.laplace(0, 0.5), 2) for key, count in kept.items()}


def test_a_line_that_seldom_draws_is_found():
    """Few releases contain its draw; all other noise has a sufficient scale."""
    found = audit_mechanism(selected, epsilon="1", delta="0.02", pair={"left": {"k0": 6}, "right": {"k0": 5}})
    assert found.verdict is Verdict.REFUTED
    assert "sets the scale of laplace to 0.5" in found.where[0]


@pytest.mark.slow
def test_a_key_in_every_release_is_no_fault_of_the_noise():
    """The event is the key; a larger scale would not hide it."""
    found = audit_mechanism(released_as_it_is, epsilon="1")
    assert found.verdict is Verdict.REFUTED
    assert "no draw: the key 'k0' of one user is in every release" in found.where[0]
    named = audit_mechanism(of_named_keys, epsilon="1", keys=("a", "b"))
    assert named.verdict is Verdict.REFUTED
    assert "scale" in named.where[0]


def released_as_it_is(histogram, rng):
    """Release every key of the input."""
    return {key: round(count + rng.laplace(0, 1)) for key, count in histogram.items()}


def of_named_keys(histogram, rng):
    """Release public keys with half of the noise."""
    return {key: round(histogram.get(key, 0) + rng.laplace(0, 0.5)) for key in ("a", "b")}
