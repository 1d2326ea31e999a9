"""The attempt's state directory on the host. No jail mounts it."""

import fcntl
import os
import time

import json_text


def own_identity():
    """(pid, start in clock ticks since boot): together they name one process for ever. Of the host's /proc."""
    with open("/proc/self/stat", "rb") as file:
        head, tail = file.read().rsplit(b") ", 1)
    return int(head.split()[0]), int(tail.split()[19])


class StateDirectory:
    def __init__(self, path):
        self.path = path
        self._lock = None

    def try_lock(self):
        """True for the first living keeper of this directory; held until the process ends."""
        self._lock = os.open(self.file("lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def file(self, name):
        return f"{self.path}/{name}"

    def has(self, name):
        return os.path.exists(self.file(name))

    def read(self, name):
        with open(self.file(name), encoding="utf-8") as file:
            return json_text.decode(file.read())

    def write(self, name, value):
        """By rename: a reader sees all of it or nothing."""
        scratch = self.file(f".{name}.new")
        with open(scratch, "w", encoding="utf-8") as file:
            file.write(json_text.encode(value) + "\n")
        os.rename(scratch, self.file(name))

    def show_life(self):
        """By the time stamp of keeper.json; whoever finds the keeper gone learns from it how long it lived."""
        os.utime(self.file("keeper.json"))

    def place(self):
        """What tells this directory from a copy of it."""
        found = os.stat(self.path)
        return f"{found.st_dev}:{found.st_ino}"

    def announce(self, spec):
        pid, start_time = own_identity()
        self.write(
            "keeper.json",
            {
                "version": 1,
                "pid": pid,
                "startTime": start_time,
                "place": self.place(),
                "key": spec["key"],
                "epoch": spec["epoch"],
                "startedAt": int(time.time() * 1000),
            },
        )
