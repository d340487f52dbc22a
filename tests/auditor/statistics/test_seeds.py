"""Paths of seeds: stable for ever, and different for different blocks."""

from auditor.statistics.seeds import block_generator, stable_path


def test_paths_are_stable() -> None:
    """The path of a block is part of what makes old findings reproducible."""
    words = (338685551, 2086439952, 3589635116, 710725500, 600789390, 3142847131, 2130477930, 2460067727)
    assert stable_path("a") == words


def test_names_do_not_run_together() -> None:
    """Neither concatenation nor the type of a name makes two paths equal."""
    paths = [stable_path("ab", "c"), stable_path("a", "bc"), stable_path("abc"), stable_path("1"), stable_path(1)]
    assert len(set(paths)) == len(paths)


def test_blocks_are_drawn_from_their_own_streams() -> None:
    """The same block gives the same numbers, the next one others."""
    assert block_generator(1, "x", 0).random() == block_generator(1, "x", 0).random()
    assert block_generator(1, "x", 0).random() != block_generator(1, "x", 1).random()
    assert block_generator(1, "x", 0).random() != block_generator(2, "x", 0).random()
