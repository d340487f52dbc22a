"""The watch: the target runs as it is, and what hides draws from whoever looks at releases is told by its line."""

import contextlib
import math
import os
import types
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from auditor.mechanism_audit.draws.explored import numbers, together
from auditor.mechanism_audit.draws.steered import Plan
from auditor.target import worker
from auditor.target.draws import sample, watching
from tests.auditor.target import hiding
from tests.auditor.target.hiding import HIDING, RIGHT, beside

HISTOGRAM = {"k0": 20, "k1": 60}


def some(cases):
    """All cases by name, the first of them quick enough for any run."""
    return [pytest.param(name, marks=pytest.mark.slow if place else ()) for place, name in enumerate(cases)]


def watched(mechanism, tilts=(9.0, -9.0, 64.0, -64.0)):
    """What is told of some hundred releases with tilted draws."""
    steady = {**Plan.of([]).to_json(), "every": 4, "least": 3e-6, "watched": [mechanism.__code__.co_filename]}

    def drawn(plan, n):
        return sample.steered_sample(
            worker, mechanism, "Generator", lambda: dict(HISTOGRAM), n, 1, (), plan, lambda: None
        )[0]

    result = dict.fromkeys(number for draws in drawn(steady, 16)["logged"] for number in numbers(draws))
    designs = [
        {address: sign * tilt / len(own) for address, sign in own.items()}
        for own in together([*result][:6])
        for tilt in tilts
    ]
    return drawn({**steady, **Plan.of(designs).to_json()}, 48 * (len(designs) + 1))


@pytest.mark.slow
@pytest.mark.parametrize("name", some(HIDING))
def test_what_hides_a_draw_is_told_by_its_line(name):
    """Conditions that are no branch, tables, operations that saturate, cases, exceptions: none is passed over."""
    told = [f"{place} {what}" for place, what in watched(beside(name), (64.0, -64.0))["hidden"].items() if what]
    assert told
    assert all(line.startswith(f"{hiding.__file__}:") for line in told)


@pytest.mark.slow
@pytest.mark.parametrize("name", some(RIGHT))
def test_what_users_write_hides_nothing(name):
    """Thresholds whose every way was seen, or is too far out to matter."""
    seen = watched(RIGHT[name])
    assert not [f"{place} {what}" for place, what in seen["hidden"].items() if what]
    assert not seen["unwatched"]
    assert not seen["unsteady"]


@pytest.mark.slow
def test_a_way_that_is_too_far_out_hides_nothing_and_one_that_is_near_does():
    """A count of 60 never falls below the threshold, unless by a draw that is too unlikely; a point is near."""

    def far(histogram, rng):
        return 1 if histogram["k1"] + rng.laplace() > -200.0 else 0

    def near(histogram, rng):
        return 1 if abs(rng.laplace() - 1.0) > 1e-7 else 0

    assert not any(watched(far)["hidden"].values())
    assert any("was false in none" in what for what in watched(near)["hidden"].values())


@pytest.mark.slow
def test_what_is_drawn_elsewhere_is_told():
    """A generator of one's own, and one that nobody stands in for."""

    def own(histogram, rng):
        return rng.laplace() + (np.random.Generator(np.random.PCG64(7)).random() < 1e-6)

    def system(histogram, rng):
        return rng.laplace() + 1e-9 * int.from_bytes(os.urandom(2), "big")

    assert not next(known for _site, method, known in watched(own)["met"] if method == "PCG64")
    assert watched(system)["unsteady"]


class Odd:
    """Holds odd numbers, and says so in its own way; it is neither hashed nor compared."""

    __hash__ = None

    def __init__(self):
        self.asked = []

    def __contains__(self, number):
        self.asked.append(number)
        return number % 2

    def __eq__(self, other):
        raise TypeError

    def __bool__(self):
        return not self.asked


def speaks(rng):
    """What a language has, each once at least."""
    messages, table, odd = [], defaultdict(list), Odd()
    numbers = [*map(int, rng.integers(0, 9, 6))]
    for place, number in enumerate(numbers):
        if number not in table[place % 2] and place in range(5):
            table[place % 2].append(number)
    messages.append(sorted(table.items()))
    a, b, none, halves = "a", "b", None, np.array([1.5, 2.0])
    messages += [
        3 in odd,
        4 in odd,
        odd.asked,
        bool(odd),
        2 in {1: 0, 2: 0},
        a in "abc",
        1.5 in halves,
        none not in (1, a),
    ]
    messages += [a < b <= "c", {1} <= {1, 2}, (1, 2) < (1, 3), a == 1, rng is None or "given"]
    try:
        messages.append(odd == 1)
    except TypeError as error:
        messages.append(type(error).__name__)
    finally:
        messages.append("at last")
    with contextlib.suppress(KeyError, IndexError):
        messages.append({}[numbers[0]])
    text, (first, *rest), total = f"{numbers[0]:>3}{'!' if numbers[1] else '?'}", numbers, 0
    total += sum(n for n in rest if n) if (last := rest[-1]) else -last
    matrix = np.add.outer(np.arange(3), rng.random(2))
    messages += [text, total, matrix[1:, 0].tolist(), matrix[1, 1], (matrix > 1).sum(), matrix[matrix > 1].size, first]
    messages += [dict(zip("ab", numbers, strict=False)), {n % 3 for n in numbers}, max(numbers, key=lambda n: (-n, n))]
    while numbers and (number := numbers.pop()) != 4:
        messages.append(number if number % 2 == 0 else -number)

    def turns(n):
        nonlocal total
        for i in range(n):
            total //= 2
            yield from (i, total)

    messages += [*turns(3), total, np.where(matrix > 1, 1, 0).any(axis=1).tolist(), np.isnan(np.nan)]
    match messages[:1]:
        case [[(0, [*own]), *_]] if own:
            messages.append(own)
        case _:
            messages.append("no case")
    return repr(messages)


@pytest.mark.slow
def test_what_is_watched_gives_what_it_gave():
    """Operators of what is no number, tables that grow when they are asked, handlers, closures, cases."""
    watch = watching.Watch((__file__,))
    plain = [speaks(np.random.default_rng(seed)) for seed in range(20)]
    with watch:
        assert speaks.__code__ in watch._own_code
        for seed, told in enumerate(plain):
            watch.begin()
            assert speaks(np.random.default_rng(seed)) == told
            watch.end()


@pytest.mark.slow
def test_a_watch_that_changes_what_is_released_makes_no_release_valid(monkeypatch):
    """Those that are drawn once more without it tell."""

    def mechanism(histogram, rng):
        return {key: count + rng.laplace() for key, count in histogram.items() if key in histogram}

    plan = {**Plan.of([]).to_json(), "every": 1, "least": 3e-6, "watched": [__file__]}

    def valid():
        args = (worker, mechanism, "Generator", lambda: dict(HISTOGRAM), 4, 1, (), plan, lambda: None)
        return np.frombuffer(sample.steered_sample(*args)[1])[-2 * 4 :][1::2] > 0  # after each log-ratio

    assert valid().all()
    monkeypatch.setattr(worker.beside("draws/watching").Watch, "compare", lambda *_: False)
    assert not valid().any()


def beside_work(histogram, rng):
    """Numbers that no draw changes, each watched, and one that a draw does."""
    noise = 0.5 * rng.laplace() + math.fsum(math.sqrt(n) for n in range(9)) - 16.3
    count = histogram["k1"]
    return [count + noise >= 60.0, noise > 4.0]


@pytest.mark.slow
def test_what_is_the_same_in_each_release_or_varies_is_watched_in_the_first_ones_only(monkeypatch):
    """Roots of constants and a product, not conditions that vary; of a long source, all in all."""
    module, hidden = worker.beside("draws/watching"), []
    monkeypatch.setattr(module, "WHOLE", 16)
    tilts = 3.0, -3.0, 9.0, -9.0, 24.0, -24.0, 64.0, -64.0
    for longest, releases in ((module.LONGEST, 16 * 9), (0, 48 * 9)):
        monkeypatch.setattr(module, "LONGEST", longest)
        hidden.append(watched(beside_work, tilts)["hidden"])
        watch = sample.watch(worker, (__file__,))
        times = Counter(watch.sites[place].text for release in watch._releases for place in release)
        assert (times["math.sqrt(n)"], times["0.5 * rng.laplace()"]) == (releases, releases)
        assert times["count + noise >= 60.0"] == 48 * 9
        assert times["noise > 4.0"] == 48 * 9
    assert hidden[0] == hidden[1]
    assert "" in {what for place, what in hidden[0].items() if place.endswith("0.5 * rng.laplace()")}


COMPARED = (
    ("in", "a", {"a"}),
    ("not in", "a", ("b",)),
    ("in", 1, [2.0, 1.0]),
    ("in", 1.5, {"a": 1}),
    ("in", "a", "abc"),
    ("in", 2, np.arange(3)),
    ("eq", "a", "b"),
    ("ne", None, 3),
    ("eq", [1, 2], [1, 2]),
    ("lt", (1, 2), (1, 3)),
    ("lt", Fraction(1, 2), 0.6),
    ("gt", 10**400, 1),
    ("le", {1}, {1, 2}),
    ("ge", np.arange(3), 1),
    ("eq", np.array(["a", "b"]), "a"),
)


@pytest.mark.parametrize(("order", "left", "right"), COMPARED)
def test_a_comparison_that_is_watched_gives_what_it_gives(order, left, right):
    """Of whatever can be compared; what the watch raised would be taken for the target's."""
    plain = watching.COMPARED[order](left, right)
    watch = watching.Watch(())
    watch.begin()
    assert np.array_equal(watch.compare(0, order, left, right), plain)


def decides(x, y):
    """Conditions of every kind."""
    if not x > 1 and y:
        return "first"
    z = 1 if x is None else 2
    while 0 < z < 2:
        z += 1
    return [i for i in range(3) if i > z]


@pytest.mark.slow
def test_conditions_are_told_by_where_they_stand():
    """Each comparison by its place, each way that it went; a target gives what it gave, and is as it was afterwards."""
    watch = watching.Watch((__file__,))
    lines, plain = Path(__file__).read_text("utf-8").splitlines(), decides.__code__
    results = {}
    for args in ((0, True), (5, True)):
        watch.follow(1, list)
        with watch:
            assert decides.__code__ is not plain
            watch.begin()
            assert decides(*args) == ("first" if args[0] == 0 else [])
            watch.end()
        (taken,) = watch.taken()
        results[args] = {(lines[line - 1][start : start + 5], way) for _file, line, start, way in taken}
    assert decides.__code__ is plain
    assert results[0, True] == {("x > 1", 0), ("y:", 1)}
    assert results[5, True] == {("x > 1", 1), ("0 < z", 1), ("0 < z", 0), ("i > z", 0)}


@pytest.mark.slow
def test_a_function_of_another_namespace_is_found_where_its_file_is_named_twice():
    """By the names of its module it is not; what that costs a large process is asked for where it was told."""
    other = types.FunctionType(decides.__code__, {**globals()})
    for times in (1, 2):
        with watching.Watch((__file__,) * times):
            assert (other.__code__ is decides.__code__) is (times == 2)
