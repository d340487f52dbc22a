"""NumPy put off until it is used: nothing of it is loaded before, and it is itself from then on."""

import subprocess
import sys
from pathlib import Path

import pytest

from auditor.front.late import late

ROOT = Path(__file__).parents[3]
PUT_OFF = "import sys; from auditor.front.late import late; late('numpy'); import numpy as np; "


def printed(code):
    """What a fresh interpreter prints of it after NumPy was put off and imported."""
    done = subprocess.run([sys.executable, "-c", PUT_OFF + code], capture_output=True, text=True, check=True, cwd=ROOT)  # noqa: S603 - ours
    return done.stdout.split()


@pytest.mark.slow
@pytest.mark.parametrize(
    "use",
    [
        "np.float64(2)",
        "from numpy.typing import NDArray",
        "import numpy.random, scipy.special",
        "from numpy import *",
        "np.__version__",
    ],
)
def test_it_is_loaded_at_the_first_use(use):
    """By an attribute, by a module in it, by a library that needs it: one module, no longer a stand-in."""
    code = (
        f"before = 'numpy._core' in sys.modules; {use}; import numpy; "
        "print(before, 'numpy._core' in sys.modules, np is numpy, type(np).__name__, np.arange(3).sum())"
    )
    assert printed(code) == ["False", "True", "True", "module", "3"]


def test_what_is_loaded_or_absent_stays_as_it_is():
    """Nothing is put off twice, nor invented."""
    before = sys.modules["pathlib"]
    late("pathlib")
    late("no_such_library")
    assert sys.modules["pathlib"] is before
    assert "no_such_library" not in sys.modules
