"""Runs the attempt's commands, one at a time, each in a fresh task jail over the shared working directory."""

import os
import time

from jail_process import JailProcess
from output_capture import OutputCapture

COMMAND_PATH = "/run/command"
DRAIN_BYTES = 256 << 20
START_TRIES = 2


class CommandRunner:
    """`on_sandbox_fault(reason)`: the jail could not be set up, twice; the host's doing."""

    def __init__(self, loop, bubblewrap, jail, output_bytes, on_sandbox_fault):
        self._loop = loop
        self._bubblewrap = bubblewrap
        self._jail = jail
        self._output_bytes = output_bytes
        self._on_sandbox_fault = on_sandbox_fault
        self._process = None
        self.busy = False

    def run(self, command, timeout_ms, done):
        """`done({output, outputBytes, returncode, timedOut, durationMs})`; a time-out's return code is -1."""
        self.busy = True
        self._start(command, timeout_ms, done, 1)

    def kill(self):
        if self._process is not None:
            self._process.kill()

    def _start(self, command, timeout_ms, done, attempt):
        capture = OutputCapture(self._output_bytes)
        began = time.monotonic()
        timed_out = False

        def expire():
            nonlocal timed_out
            timed_out = True
            self.kill()

        def take(chunk):
            capture.add(chunk)
            if capture.total > DRAIN_BYTES:
                self.kill()

        def end(end):
            self._loop.cancel(timer)
            self._process = None
            if not end.started and not timed_out and capture.total <= DRAIN_BYTES:
                return self._not_started(command, timeout_ms, done, attempt, capture.text())
            self.busy = False
            done(
                {
                    "output": capture.text(),
                    "outputBytes": capture.total,
                    "returncode": -1 if timed_out else end.code if end.code is not None else 128 + end.signal,
                    "timedOut": timed_out,
                    "durationMs": round((time.monotonic() - began) * 1000),
                }
            )

        text = os.memfd_create("command")
        os.write(text, command.encode("utf-8", "replace"))
        os.lseek(text, 0, os.SEEK_SET)
        self._process = JailProcess(
            self._loop,
            self._bubblewrap,
            self._jail,
            ["/bin/bash", COMMAND_PATH],
            (timeout_ms // 1000 + 1) * (os.cpu_count() or 1),
            take,
            end,
            [(text, COMMAND_PATH)],
        )
        timer = self._loop.after(timeout_ms / 1000, expire)

    def _not_started(self, command, timeout_ms, done, attempt, reason):
        if attempt < START_TRIES:
            self._start(command, timeout_ms, done, attempt + 1)
        else:
            self._on_sandbox_fault(reason)
