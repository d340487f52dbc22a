"""Iterated weighted set union (DP-SIPS): rounds, each without the keys that the rounds before have shown."""
