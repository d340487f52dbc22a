"""What a seed draws does not depend on which modules are loaded."""

import sys
from random import Random
from types import ModuleType

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st

from auditor.search.reproducible import find

QUIET = settings(max_examples=300, database=None, deadline=None, phases=(Phase.generate, Phase.shrink))


def drawn(seed):
    """Every integer that a search that never ends early looks at."""
    observations = []
    random = Random(seed)  # noqa: S311 - a search, not a secret
    find(
        st.integers(0, 10**9),
        lambda value: observations.append(value) or len(observations) > 250,
        settings=QUIET,
        random=random,
    )
    return observations


@pytest.mark.slow
def test_constants_of_a_module_loaded_meanwhile_are_not_drawn(monkeypatch, tmp_path):
    """A local module full of one number changes nothing."""
    before = drawn(5)
    file = tmp_path / "full_of_a_number.py"
    file.write_text("NUMBERS = [123456789, 123456789]\n", "utf-8")
    module = ModuleType("full_of_a_number")
    module.__file__ = str(file)
    monkeypatch.setitem(sys.modules, "full_of_a_number", module)
    assert drawn(5) == before
    assert 123456789 not in before
