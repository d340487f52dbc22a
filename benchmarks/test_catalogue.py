"""Planning a run grows as the catalogue does: of a hundred times the claims it takes a hundred times as long."""

import time
from dataclasses import fields, replace

from auditor.engine.plan import plan
from auditor.engine.registry import Registry, registry


def catalogue_of(times: int) -> Registry:
    """The catalogue with every claim so many times, under other ids."""
    parts = {field.name: getattr(registry(), field.name) for field in fields(Registry)}
    claims = dict(parts["claims"])
    copies = {f"{name}.again{number}": claim for number in range(1, times) for name, claim in claims.items()}
    again = {name: replace(claim, id=name) for name, claim in copies.items()}
    return Registry(**{**parts, "claims": dict(sorted({**claims, **again}.items()))})


def test_a_hundred_times_the_claims(benchmark) -> None:
    """A hundred times the claims against ten times: less than fifteen times the processor time."""

    def seconds(times: int) -> float:
        catalogue, start = catalogue_of(times), time.process_time()
        plan([], catalogue)
        return time.process_time() - start

    def growth() -> float:
        few, many = seconds(10), seconds(100)
        benchmark.extra_info["seconds"] = round(many, 2)
        return many / few

    assert benchmark.pedantic(growth, rounds=1) < 15
