"""Properties of everything that is registered."""
