"""The engine: what is registered, what a run does with it, where and how often. It knows no check or claim by name."""
