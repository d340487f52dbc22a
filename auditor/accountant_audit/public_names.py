"""Public functions and methods of a library that take a privacy parameter, for the interpreter of the library.

``python public_names.py DISTRIBUTION MODULE...`` prints them as JSON. The module imports nothing of the auditor.
"""

import importlib
import inspect
import json
import sys
from importlib.metadata import distribution
from typing import Any

WORDS = (
    *("epsilon", "eps", "delta", "rho", "sigma", "scale", "mu", "alpha", "noise_multiplier", "noise_std"),
    *("sampling_prob", "sample_rate", "target_epsilon", "target_delta", "threshold"),
)
"""Names of parameters of accountants."""
NAMES = ("epsilon", "delta", "rdp", "zcdp", "smallest", "compose", "privacy_loss", "advantage", "beta", "threshold")
"""Parts of names of accountants' functions."""


def public_names(library: str, modules: list[str]) -> list[str]:
    """Return the names, without modules, of the functions and methods that a distribution defines in some modules."""
    tops = {file.parts[0].partition(".")[0] for file in distribution(library).files or ()}
    names: set[str] = set()
    for name in modules:
        try:
            module = importlib.import_module(name)
        except Exception:  # noqa: BLE001, S112 - a name that is no module, or one that cannot be imported
            continue
        for label, value in vars(module).items():
            is_own = str(getattr(value, "__module__", "")).partition(".")[0] in tops
            if label.startswith("_") or not is_own or not callable(value):
                continue
            members = list(vars(value).items()) if inspect.isclass(value) else []
            public = [(key, member) for key, member in members if key[0] != "_" and callable(member)]
            methods = {f"{label}.{key}" for key, member in public if _is_of_privacy(key, member)}
            names |= {label, *methods} if methods or _is_of_privacy(label, value) else set()
    return sorted(names)


def _is_of_privacy(label: str, value: Any) -> bool:
    """Return whether a parameter or a part of the name is one of an accountant."""
    try:
        parameters = set(inspect.signature(value).parameters)
    except (TypeError, ValueError):
        parameters = set()
    return bool(parameters & set(WORDS)) or any(part in label.lower() for part in NAMES)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(public_names(sys.argv[1], sys.argv[2:])))
