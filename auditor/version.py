"""Version of the suite and of what its numbers depend on."""

import platform
from importlib.metadata import PackageNotFoundError, version

from auditor.findings.evidence import Model

DISTRIBUTION = "sparse-histogram-auditor"
PACKAGES = ("numpy", "scipy", "mpmath", "python-flint", "sympy", "hypothesis", "opendp", "dp-accounting")


class Environment(Model):
    """Everything that determines the bytes of the report: versions, and the kind of processor."""

    python: str
    packages: dict[str, str]
    simd: tuple[str, ...] = ()
    """Vector instructions that NumPy uses. Other instructions change the last bit of exponentials, and therefore the
    events learned from releases."""


def suite_version() -> str:
    """Version of the installed suite; ``0+source`` when run from a source tree."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "0+source"


def simd() -> tuple[str, ...]:
    """Vector instructions of this processor that NumPy uses beyond those of every processor of its kind."""
    import numpy as np

    return tuple(np.show_config(mode="dicts")["SIMD Extensions"].get("found", ()))


def environment() -> Environment:
    """Python, the packages that results depend on, and vector instructions; absent optional packages are left out."""
    packages = {}
    for name in PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    return Environment(python=platform.python_version(), packages=packages, simd=simd())
