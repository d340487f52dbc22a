"""A run that is stopped."""

from auditor.engine.runner import UnitDone, run


def stopped(selection, out, after=2):
    """The report of a run, kept in a folder, that is stopped after so many units."""
    done = []

    def interrupt(event):
        if isinstance(event, UnitDone):
            done.append(event.unit_id)
            if len(done) == after:
                raise KeyboardInterrupt

    return run(selection, profile="quick", out=out, events=interrupt)
