"""The exec socket: the harness's only way to run commands. One command at a time, from at most four connections.

Further connections wait in the socket's queue until one of the four ends: a harness with many threads is slow, not
broken, and one that holds all four keeps nobody waiting but itself.
"""

import os

import _socket

from exec_connection import ExecConnection

CONNECTIONS = 4
SHORTEST_MS = 1000


class ExecService:
    def __init__(self, loop, runner, log, recording, longest_ms, remaining_ms):
        self._loop = loop
        self._runner = runner
        self._log = log
        self._recording = recording
        self._longest_ms = longest_ms
        self._remaining_ms = remaining_ms
        self._socket = None
        self._connections = []
        self._waiting = []
        self.refusals = {}
        self.replayed = 0

    def listen(self, folder, owner):
        """The socket's own folder is what the jail gets; both belong to the harness alone."""
        path = f"{folder}/exec.sock"
        kind = _socket.SOCK_STREAM | _socket.SOCK_NONBLOCK | _socket.SOCK_CLOEXEC
        self._socket = _socket.socket(_socket.AF_UNIX, kind)
        self._socket.bind(path)
        if owner is not None:
            os.chown(path, owner, owner)
        os.chmod(path, 0o600)
        self._socket.listen(8)
        self._loop.watch(self._socket.fileno(), self._accept)

    def close(self):
        if self._socket is not None:
            self._loop.forget(self._socket.fileno())
            self._socket.close()
            self._socket = None
        for connection in list(self._connections):
            connection.close()

    def _accept(self):
        try:
            descriptor, _ = self._socket._accept()
        except OSError:
            return
        os.set_blocking(descriptor, False)
        self._connections.append(ExecConnection(self._loop, descriptor, self._request, self._count, self._closed))
        if len(self._connections) >= CONNECTIONS:
            self._loop.forget(self._socket.fileno())

    def _closed(self, connection):
        self._connections.remove(connection)
        if self._socket is not None:
            self._loop.watch(self._socket.fileno(), self._accept)

    def _count(self, reason):
        self.refusals[reason] = self.refusals.get(reason, 0) + 1

    def _request(self, connection, command, timeout_seconds):
        self._waiting.append((connection, command, timeout_seconds))
        self._next()

    def _next(self):
        if self._runner.busy or not self._waiting:
            return
        connection, command, timeout_seconds = self._waiting.pop(0)
        if not connection.is_open():
            return self._next()
        if self._log.is_full():
            connection.refuse("command_limit")
            return self._next()
        longest = max(SHORTEST_MS, min(self._longest_ms, self._remaining_ms()))
        timeout_ms = round(max(SHORTEST_MS, min(timeout_seconds * 1000, longest)))
        self._runner.run(command, timeout_ms, lambda seen: self._done(connection, command, timeout_ms, seen))

    def _done(self, connection, command, timeout_ms, seen):
        recorded = self._recording.answer(command)
        if recorded is not None:
            self.replayed += 1
            rerun = {"returncode": seen["returncode"], "timedOut": seen["timedOut"]}
            self._log.append(command, timeout_ms, recorded, rerun)
        else:
            self._log.append(command, timeout_ms, seen)
        connection.reply({"kind": "result", **(recorded or seen)})
        self._next()
