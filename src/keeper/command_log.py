"""The append-only log of commands and observations, and the log of an earlier life to answer from."""

import os
import time

import json_text
from file_copy import sha256, write_all


class CommandLog:
    """One JSON line per command, written before the harness sees the observation."""

    def __init__(self, path, most_commands, most_bytes):
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._most_commands = most_commands
        self._most_bytes = most_bytes
        self._bytes = 0
        self.commands = 0

    def is_full(self):
        return self.commands >= self._most_commands or self._bytes >= self._most_bytes

    def append(self, command, timeout_ms, observation, rerun=None):
        """`rerun` is what the command gave this time where `observation` is an earlier life's."""
        self.commands += 1
        entry = {
            "n": self.commands,
            "sha256": sha256(command.encode("utf-8", "surrogatepass")).hexdigest(),
            "command": command,
            "timeoutMs": timeout_ms,
            "endedAt": int(time.time() * 1000),
            **observation,
            "rerun": rerun,
        }
        line = json_text.encode(entry).encode() + b"\n"
        self._bytes += len(line)
        write_all(self._descriptor, line)


class Recording:
    """Answers commands from the longest log of earlier epochs, in order, until the first that differs."""

    def __init__(self, paths):
        self._entries = max((_complete_entries(path) for path in paths), key=len, default=[])
        self._next = 0
        self.diverged_at = None

    def answer(self, command):
        """The recorded observation, or None from the first difference on."""
        if self._next >= len(self._entries):
            return None
        entry = self._entries[self._next]
        self._next += 1
        if entry["command"] != command:
            self.diverged_at = self._next
            self._entries = []
            return None
        return {name: entry[name] for name in ("output", "outputBytes", "returncode", "timedOut", "durationMs")}


def _complete_entries(path):
    """Up to the first line that is none: a kill tears the last one, a power cut may leave anything there."""
    entries = []
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.endswith("\n"):
                    entries.append(json_text.decode(line))
    except (FileNotFoundError, ValueError):
        pass
    return entries
