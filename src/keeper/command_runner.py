"""Runs the attempt's commands, one at a time, each in a fresh task jail over the shared working directory."""

import time

from output_capture import OutputCapture
from prepared_jail import COMMAND_PATH

DRAIN_BYTES = 256 << 20
START_TRIES = 2
PREPARE_AFTER_SECONDS = 0.015


class CommandRunner:
    """`prepare()` makes a task jail that waits, `start(prepared, argv, on_output, on_end, command)` lets it run.

    `on_sandbox_fault(reason)`: it could not be set up, twice.
    """

    def __init__(self, loop, prepare, start, output_bytes, on_sandbox_fault):
        self._loop = loop
        self._prepare = prepare
        self._start_jail = start
        self._output_bytes = output_bytes
        self._on_sandbox_fault = on_sandbox_fault
        self._process = None
        self._prepared = prepare()
        self._closed = False
        self.busy = False

    def run(self, command, timeout_ms, done):
        """`done({output, outputBytes, returncode, timedOut, durationMs})`; a time-out's return code is -1."""
        self.busy = True
        self._start(command, timeout_ms, done, 1)

    def kill(self):
        if self._process is not None:
            self._process.kill()

    def close(self):
        self._closed = True
        if self._prepared is not None:
            self._prepared.discard()
            self._prepared = None

    def _start(self, command, timeout_ms, done, attempt):
        prepared, self._prepared = self._prepared or self._prepare(), None
        run = _Run(self._loop, prepared, self._start_jail, command, timeout_ms, self._output_bytes)
        self._process = run.process
        run.on_end = lambda observation: self._ended(observation, run, command, timeout_ms, done, attempt)

    def _ended(self, observation, run, command, timeout_ms, done, attempt):
        self._process = None
        if observation is not None:
            self.busy = False
            done(observation)
            self._loop.after(PREPARE_AFTER_SECONDS, self._prepare_next)
        elif attempt < START_TRIES:
            self._start(command, timeout_ms, done, attempt + 1)
        else:
            self._on_sandbox_fault(run.capture.text())

    def _prepare_next(self):
        """Not at once: a harness that ends now needs no further jail."""
        if self._prepared is None and not self.busy and not self._closed:
            self._prepared = self._prepare()


class _Run:
    """One command. `on_end(observation)`, None when its jail did not start."""

    def __init__(self, loop, prepared, start, command, timeout_ms, output_bytes):
        self._loop = loop
        self._began = time.monotonic()
        self._timed_out = False
        self.capture = OutputCapture(output_bytes)
        self.on_end = None
        self._timer = loop.after(timeout_ms / 1000, self._expire)
        self.process = start(prepared, ["/bin/bash", COMMAND_PATH], self._take, self._end, command)

    def _expire(self):
        self._timed_out = True
        self.process.kill()

    def _take(self, chunk):
        self.capture.add(chunk)
        if self.capture.total > DRAIN_BYTES:
            self.process.kill()

    def _end(self, end):
        self._loop.cancel(self._timer)
        if not end.started and not self._timed_out and self.capture.total <= DRAIN_BYTES:
            return self.on_end(None)
        self.on_end(
            {
                "output": self.capture.text(),
                "outputBytes": self.capture.total,
                "returncode": -1 if self._timed_out else end.code if end.code is not None else 128 + end.signal,
                "timedOut": self._timed_out,
                "durationMs": round((time.monotonic() - self._began) * 1000),
            }
        )
