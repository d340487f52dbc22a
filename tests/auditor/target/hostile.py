"""Targets that fight the process they run in."""

import json
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


def prints_a_line(histogram, rng):
    """Print six bytes in each of three ways: buffered, at once, and by a child."""
    print("spoken", end="")  # noqa: T201 - it prints
    os.write(1, b"spoken")
    subprocess.run(["/bin/echo", "spoke"], check=True)
    return {"k0": 0.0}


def floods(histogram, rng):
    """Print without end."""
    while True:
        os.write(1, b"spoken" * 1000)


def left_behind(own_session):
    """Start a process that would outlive the target, and tell its id."""
    process = subprocess.Popen(SLEEP, start_new_session=own_session)  # noqa: S603 - a sleep
    Path(os.environ["AUDITOR_TEST_PIDS"]).write_text(str(process.pid), encoding="ascii")


def leaves_a_child(histogram, rng):
    """Leave a child of its own group."""
    left_behind(own_session=False)
    return {"k0": 0.0}


def leaves_a_session(histogram, rng):
    """Leave a child in a session of its own."""
    left_behind(own_session=True)
    return {"k0": 0.0}


def leaves_an_orphan(histogram, rng):
    """Leave a child whose parent has died."""
    if os.fork() == 0:
        os.setsid()
        left_behind(own_session=True)
        os._exit(0)
    os.wait()
    return {"k0": 0.0}


def leaves_a_child_and_hangs(histogram, rng):
    """Leave a child and give no answer."""
    left_behind(own_session=True)
    time.sleep(600)


def leaves_an_orphan_and_hangs(histogram, rng):
    """Leave an orphan in a session of its own and give no answer."""
    leaves_an_orphan(histogram, rng)
    time.sleep(600)


def leaves_an_orphan_and_dies(histogram, rng):
    """Leave an orphan in a session of its own and die."""
    leaves_an_orphan(histogram, rng)
    os._exit(3)


def exits(histogram, rng):
    """Die at once."""
    os._exit(3)


def pipes():
    """Descriptors that the target can write to."""
    for descriptor in range(3, 64):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        yield descriptor


def written(frame):
    """Write to every descriptor."""
    for descriptor in pipes():
        try:
            os.write(descriptor, frame)
        except OSError:
            continue


def frame(header, payload=b""):
    """Make a frame as the worker does, but for its number."""
    text = json.dumps(header).encode()
    return struct.pack("<IQ", len(text), len(payload)) + text + payload


def answers_for_a_later_request(histogram, rng):
    """Send an answer before its own."""
    written(frame({"shapes": ["#"], "columns": ["k0"], "mutated": False, "rng_used": True, "seconds": 0.0}))
    return {"k0": 0.0}


def announces_a_frame_without_end(histogram, rng):
    """Promise more bytes than there are."""
    written(struct.pack("<IQ", 2**32 - 1, 2**63))
    return {"k0": 0.0}


def writes_brackets_without_end(histogram, rng):
    """Send what no parser can hold."""
    text = b"[" * 100_000
    written(struct.pack("<IQ", len(text), 0) + text)
    return {"k0": 0.0}


def patches_json(histogram, rng):
    """Let the worker write what it does not mean."""
    json.dumps = lambda *_, **__: '{"answers": "all"}'
    return {"k0": 0.0}


def closes_its_pipes_and_stays(histogram, rng):
    """Say no more, and stay."""
    for descriptor in list(pipes()):
        os.close(descriptor)
    time.sleep(600)


def kills_its_parent(histogram, rng):
    """End the process that waits for it."""
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)


def kills_its_group(histogram, rng):
    """End all that is in its process group."""
    os.kill(0, signal.SIGKILL)


def stops_its_parent(histogram, rng):
    """Stop the process that waits for it, and leave a session."""
    left_behind(own_session=True)
    os.kill(os.getppid(), signal.SIGSTOP)
    return {"k0": 0.0}


class RaisesWithoutBatches:
    """Its attribute raises before a release is drawn."""

    @property
    def release(self):
        raise ValueError("of its own")

    def __call__(self, histogram, rng):
        return {}
