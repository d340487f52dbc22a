"""Draws of a target in its own process: recorded, tilted, and followed to the branches that depend on them."""
