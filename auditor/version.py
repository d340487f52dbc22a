"""Version of the suite and of what its numbers depend on."""

import platform
from importlib.metadata import PackageNotFoundError, version

from auditor.findings.evidence import Model

DISTRIBUTION = "sparse-histogram-auditor"
PACKAGES = ("numpy", "scipy", "mpmath", "python-flint", "sympy", "hypothesis", "opendp", "dp-accounting")


class Environment(Model):
    """Versions that the bytes of the report depend on."""

    python: str
    packages: dict[str, str]


def suite_version() -> str:
    """Version of the installed suite; ``0+source`` when run from a source tree."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "0+source"


def environment() -> Environment:
    """Python and the packages that results depend on; absent optional packages are left out."""
    packages = {}
    for name in PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    return Environment(python=platform.python_version(), packages=packages)
