"""The engine: the registry, and the planning, execution and assembly of runs. It names no check and no claim."""
