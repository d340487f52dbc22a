"""Programs that answer requests in wrong ways; the first argument names the way."""

import json
import os
import subprocess
import sys
import time


def say(text):
    """Answer at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def flood():
    """Write without an end of line, and without end."""
    while True:
        say("0" * 65536)


def leaves_a_child():
    """Start what would outlive the program, tell its id, and hang."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    with open(os.environ["AUDITOR_TEST_PIDS"], "w", encoding="ascii") as file:  # noqa: PTH123
        file.write(str(process.pid))
    time.sleep(600)


def complain(text, status):
    """End with a complaint."""
    sys.stderr.write(text)
    sys.exit(status)


ways = {
    "garbage": lambda request: say("no json\n" * request["n"]),
    "brackets": lambda request: say("[" * 100_000 + "\n"),
    "twice": lambda request: say('{"a": 1, "a": 2}\n' * request["n"]),
    "too many": lambda request: say("1\n" * (request["n"] + 1)),
    "flood": lambda request: flood(),
    "hangs": lambda request: time.sleep(600),
    "dies": lambda request: complain("panic: no such state", 3),
    "closes": lambda request: (os.close(1), time.sleep(600)),
    "leaves a child": lambda request: leaves_a_child(),
    "one seed": lambda request: say("".join(f"{i * 0.37 % 1}\n" for i in range(request["n"]))),
    "refuses": lambda request: say("!ValueError: lost 5 rows\n" * request["n"]),
    "hogs": lambda request: say(f"{len(bytearray(2**32))}\n"),
    "one third": lambda request: say('"1/3"\n'),
    "bracket": lambda request: say('["1/3", inf]\n'),
    "words": lambda request: say("about 3\n"),
    "infinite": lambda request: say("inf\n"),
    "epsilon": lambda request: say(f"{request['call']['epsilon']!r}\n"),
}

if __name__ == "__main__":
    for line in sys.stdin:
        ways[sys.argv[1]](json.loads(line))
