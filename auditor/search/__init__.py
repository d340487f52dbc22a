"""Where to look: points of parameter boxes, pairs of neighbours, events."""
