"""Releases with tilted and recorded draws, in the target's process.

The worker loads this file in any Python from 3.9 and passes its own module, whose functions make one release. This file
imports nothing of the auditor.
"""

import contextlib
import functools
import itertools
from array import array
from collections.abc import Callable, Iterator
from typing import Any

UNTILTED = 2**40
"""Number of the first untilted release drawn between others, above the numbers of every block."""


@functools.cache
def steering(worker: Any) -> tuple[Any, Any]:
    """Return the proposal of this process and the object that substitutes its generators.

    There is one of each, so a generator that the target keeps stays usable.
    """
    module = worker.beside("draws/steering")
    proposal = module.Proposal()
    return proposal, module.Instead(proposal)


@functools.lru_cache(maxsize=1)
def watch(worker: Any, files: tuple[str, ...]) -> Any:
    """Return the watch of the functions of some files, as currently loaded."""
    return worker.beside("draws/watching").Watch(files)


def turns(n: int, plan: dict[str, Any], watching: Any) -> Iterator[tuple[bool, int, Any]]:
    """Yield, for each release to draw, whether it is a repetition, its index, and the active watch, if any."""
    drawn_again = range(n - 1, -1, -plan.get("every", 1))
    passes = [(False, range(n), watching), (True, drawn_again, watching)]
    passes += [] if watching is None else [(True, drawn_again, None)]  # the watch must not change the releases
    for again, order, eyes in passes[: 1 if plan.get("once") else None]:
        with eyes or contextlib.nullcontext():
            for i in order:
                yield again, i, eyes


def steered_sample(
    worker: Any,
    mechanism: object,
    kind: str,
    make_input: Callable[[], Any],
    n: int,
    entropy: int,
    spawn_key: tuple[int, ...],
    plan: dict[str, Any],
    beat: Callable[[], None],
) -> tuple[dict[str, Any], bytes]:
    """Draw `n` releases, each alone and with its own stream, then again in reverse order.

    A release is valid if it drew a coordinate that the plan may tilt, did not touch the bit generator, and was equal
    when repeated. A plan with `once` is for learning only: no release is repeated. With `every`, one release of that
    many is repeated. Releases of a watched plan are repeated once more without the watch. A release may also contain
    tilted draws that an earlier release stored. The releases numbered in `alone` reveal this: release i follows
    `between` + i untilted releases.

    Returns: the fields of other releases; then log-ratios, levels and validity of each, of the sizes in `steered`.
    """
    proposal, instead = steering(worker)
    proposal.follow(plan, entropy, spawn_key)
    sizes, used = [proposal.components, 2 * proposal.coordinates, 1], False
    rng = instead.generator_of(kind)
    results: list[Any] = [None] * n
    valid, levels, anew = [[0.0] for _ in range(n)], [], list[Any]()
    logged, alike, mutated, is_changed = [], [], False, worker.change_detector(make_input())
    watching = watch(worker, tuple(plan["watched"])) if "watched" in plan else None
    if watching is not None:
        watching.follow(proposal.components, lambda: proposal.weights(proposal.log_ratios(anew)).tolist())
    numbers, untilted = plan.get("alone", range(n)), itertools.count(UNTILTED)
    with instead:
        started, computed = worker.clock(None), worker.cpu_seconds(None)  # without the one-time search for generators
        for again, i, eyes in turns(n, plan, watching):
            for other in itertools.islice(untilted, plan["between"] + i if "between" in plan else 0):
                proposal.begin(other, tilted=False)
                worker.one_release(mechanism, make_input(), rng)
            proposal.begin(numbers[i])
            one = make_input()
            if eyes is not None:
                eyes.begin(i if again else None)
            release = worker.one_release(mechanism, one, rng)
            if eyes is not None:
                eyes.end(i if again else None)
            mutated, used = mutated or is_changed(one), used or proposal.drew
            if not again and (proposal.logged or "watched" in plan):
                logged.append(proposal.logged)
            if not again:
                alike.append([*proposal.alike.items()])
                levels.append(proposal.levels)
                anew.append((proposal.anew, proposal.of_tables))
            steered = (proposal.steered or "watched" in plan) and not proposal.is_touched
            same = not again or (repr(release) == repr(results[i]) and valid[i][0] > 0)  # as text NaN equals itself
            valid[i] = [float(bool(steered and same))]
            results[i] = results[i] or release
            beat()
        met, log_ratios = proposal.met, proposal.log_ratios(anew)
        weights = proposal.weights(log_ratios).tolist()
    releases = worker.Releases(n)
    for release in results:
        releases.add(*release)
    fields, payload = releases.encode()
    notes = {
        "mutated": mutated,
        "rng_used": used,
        "seconds": worker.clock(None) - started,
        "cpu_seconds": worker.cpu_seconds(None) - computed,
        "steered": sizes,
        "logged": logged,
        "alike": alike,
    }
    if watching is not None:
        watching.weights = weights
        notes.update(notes_of(watching, plan), met=[[*place, is_tilted] for place, is_tilted in met.items()])
    columns = itertools.chain.from_iterable(zip(log_ratios.tolist(), levels, valid))  # noqa: B905 - Python 3.9
    return {**fields, **notes}, payload + array("d", itertools.chain.from_iterable(columns)).tobytes()


def notes_of(watching: Any, plan: dict[str, Any]) -> dict[str, Any]:
    """Return the observations of a watched plan, with hidden outcomes of at least the plan's `least` probability."""
    taken, unwatched = watching.taken(), watching.unwatched()
    if unwatched:
        watch.cache_clear()
    branches = [*{branch: None for path in taken for branch in path}]
    places = {branch: place for place, branch in enumerate(branches)}
    return {
        "unwatched": unwatched,
        "unsteady": watching.drawn_elsewhere(),
        "hidden": watching.complaints(plan["least"], plan["tilts"]),
        "branches": branches,
        "taken": [[places[branch] for branch in path] for path in taken],
    }
