"""Starts a program in a prepared jail and sees it to its end."""

import os

import _signal

import json_text

FORCE_AFTER_SECONDS = 0.5
ORPHANS_AFTER_SECONDS = 0.05


class JailEnd:
    """`started` is false when the sandbox itself could not be set up: nothing inside can bring that about."""

    def __init__(self, started, code, signal):
        self.started = started
        self.code = code
        self.signal = signal


class JailProcess:
    """A running jail. `on_output(bytes)` gets both streams merged; `on_end(JailEnd)` comes after the last of them.

    A stream that stays open after bubblewrap's end is held by what bubblewrap left behind, which is ended then.
    """

    def __init__(self, loop, children, prepared, argv, on_output, on_end, command=""):
        self._loop = loop
        self._children = children
        self._on_output = on_output
        self._on_end = on_end
        self._status = b""
        self._first = None
        self._force = None
        self._orphans = None
        self._end = None
        self._prepared = prepared
        self.pid = prepared.pid
        output, status = prepared.release(argv, command)
        self._process = os.pidfd_open(self.pid)
        self._open = {output, status, self._process}
        loop.watch(output, lambda: self._read_output(output))
        loop.watch(status, lambda: self._read_status(status))
        loop.watch(self._process, self._reap)

    def kill(self):
        """Ends the whole tree by its first process, which bubblewrap then reports; bubblewrap itself if that fails."""
        if self._end is not None:
            return
        if self._first is not None:
            _kill(self._first)
            self._force = self._force or self._loop.after(FORCE_AFTER_SECONDS, self._kill_outer)
        else:
            self._kill_outer()

    def _kill_outer(self):
        if self._end is None:
            _kill(self._process)

    def _read_output(self, descriptor):
        chunk = os.read(descriptor, 1 << 16)
        if chunk:
            self._on_output(chunk)
        else:
            self._close(descriptor)

    def _read_status(self, descriptor):
        chunk = os.read(descriptor, 4096)
        self._status += chunk
        if not chunk:
            self._close(descriptor)
        elif self._first is None:
            pid = self._reported("child-pid")
            if pid is not None:
                self._first = _open_child(pid, self.pid)

    def _reported(self, name):
        for line in self._status.split(b"\n")[:-1]:
            value = json_text.decode(line.decode("ascii"))
            if name in value:
                return value[name]
        return None

    def _reap(self):
        code = os.waitstatus_to_exitcode(self._children.wait(self.pid))
        self._end = (code, None) if code >= 0 else (None, -code)
        self._orphans = self._loop.after(ORPHANS_AFTER_SECONDS, self._children.end_orphans)
        self._close(self._process)

    def _close(self, descriptor):
        self._loop.forget(descriptor)
        os.close(descriptor)
        self._open.discard(descriptor)
        if self._open:
            return
        for timer in (self._force, self._orphans):
            if timer is not None:
                self._loop.cancel(timer)
        if self._first is not None:
            os.close(self._first)
        self._children.reap()
        code, signal = self._end
        started = (
            self._reported("exit-code") is not None
            or (signal is not None and self._reported("child-pid") is not None)
            or self._prepared.was_short_of_memory()
        )
        self._on_end(JailEnd(started, code, signal))


def _open_child(pid, parent):
    """A descriptor for a process, None if it is gone: the number may name a stranger by now."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return None
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            if int(file.read().rsplit(b") ", 1)[1].split()[1]) == parent:
                return process
    except (ProcessLookupError, FileNotFoundError):
        pass
    os.close(process)
    return None


def _kill(process):
    try:
        _signal.pidfd_send_signal(process, _signal.SIGKILL)
    except ProcessLookupError:
        pass
