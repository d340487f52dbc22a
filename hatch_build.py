"""Build hook: a wheel contains the index of ids, which a checkout makes at its first start."""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class IndexHook(BuildHookInterface):
    """Adds `auditor/engine/index.json` to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Import every module of the suite and write the index; an editable installation makes its own."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from auditor.engine.index import walk_modules

        self._folder = TemporaryDirectory()
        path = Path(self._folder.name) / "index.json"
        path.write_text(json.dumps(walk_modules()), encoding="utf-8")
        build_data["force_include"][str(path)] = "auditor/engine/index.json"

    def finalize(self, version: str, _build_data: dict[str, Any], _artifact_path: str) -> None:
        """Delete the written index."""
        if version != "editable":
            self._folder.cleanup()
