"""Digests of installed distributions by name, to recognise unchanged code between runs."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from auditor.started import STARTED

_REQUIRED = re.compile(r"([\w.-]+)(?!.*;.*\bextra\b)")
"""Matches the distribution name of a requirement without an extra; requirements of other systems are not installed."""


def required(name: str) -> list[Distribution]:
    """Return the installed distribution of this name and, recursively, its requirements; empty without it."""
    those, left = dict[str, Distribution](), [name]
    while left:
        try:
            one = distribution(left.pop())
        except PackageNotFoundError:
            continue
        if one.name not in those:
            those[one.name] = one
            left += [match.group(1) for each in one.requires or [] if (match := _REQUIRED.match(each))]
    return list(those.values())


def code_of(distributions: Iterable[Distribution], *, imported: bool = True) -> dict[str, str] | None:
    """Return digests of all files in the distributions' folders, by name, without compiled modules and file lists.

    Args:
        distributions: the distributions.
        imported: whether this process imports them; an earlier entry of its path may then replace them.

    Returns:
        None if imports may use other files: a distribution does not list its files or is an editable installation,
            another
        module of the name comes first, or a file was written after the start of this process.
    """
    digests = {}
    for one in distributions:
        tops = {file.parts[0] for file in one.files or ()} - {"..", "__pycache__"}
        places = [Path(str(one.locate_file(top))) for top in sorted(tops)]
        if not tops or _editable(one) or (imported and not all(map(_comes_first, places))):
            return None
        digest = hashlib.sha256()
        for path in (path for place in places for path in _files(place)):
            if path.stat().st_mtime >= STARTED:
                return None
            digest.update(f"{path.relative_to(places[0].parent)} {path.stat().st_size}\n".encode())
            with path.open("rb") as file:
                while part := file.read(2**20):
                    digest.update(part)
        digests[one.name] = digest.hexdigest()[:32]
    return digests


def _files(place: Path) -> list[Path]:
    """Return a file, or the files of a folder, without files that derive from others or from their location."""
    inside = sorted(place.rglob("*")) if place.is_dir() else [place]
    return [path for path in inside if path.is_file() and path.suffix != ".pyc" and path.name != "RECORD"]


def _editable(one: Distribution) -> bool:
    """Return whether a distribution is an editable installation."""
    facts = json.loads(one.read_text("direct_url.json") or "{}")
    return bool(facts.get("dir_info", {}).get("editable", False))


def _comes_first(place: Path) -> bool:
    """Return whether an import finds this file or folder, or whether it cannot be imported at all."""
    name = place.name.partition(".")[0]
    if not name.isidentifier() or place.suffix not in ({""} if place.is_dir() else {".py", ".so"}):
        return True
    specification = find_spec(name)
    return specification is None or str(place) in {
        specification.origin,
        *(specification.submodule_search_locations or ()),
    }
