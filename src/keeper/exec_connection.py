"""One client of the exec socket: frames of a four-byte big-endian length and that many bytes of JSON."""

import os

import json_text
from loop import WRITABLE

FRAME_BYTES = 2 << 20
COMMAND_BYTES = 1 << 20
REQUEST_FIELDS = {"command", "timeout"}
REFUSAL_PAUSE_SECONDS = 0.002


class ExecConnection:
    """`on_request(connection, command, timeout_seconds)`; nothing more is read until `reply`."""

    def __init__(self, loop, descriptor, on_request, on_refusal, on_close):
        self._loop = loop
        self._descriptor = descriptor
        self._on_request = on_request
        self._on_refusal = on_refusal
        self._on_close = on_close
        self._received = bytearray()
        self._unsent = b""
        self._closing = False
        self._pause = 0
        loop.watch(descriptor, self._receive)

    def reply(self, value):
        text = json_text.encode(value).encode()
        self._unsent += len(text).to_bytes(4, "big") + text
        self._send()

    def refuse(self, reason, close=False):
        """A client that only makes refusals waits a little after each, so that it cannot keep the keeper busy."""
        self._on_refusal(reason)
        self._closing = close
        self._pause = REFUSAL_PAUSE_SECONDS
        self.reply({"kind": "refused", "reason": reason})

    def is_open(self):
        return self._descriptor is not None

    def close(self):
        if self._descriptor is None:
            return
        self._loop.forget(self._descriptor)
        os.close(self._descriptor)
        self._descriptor = None
        self._on_close(self)

    def _receive(self):
        try:
            chunk = os.read(self._descriptor, 1 << 16)
        except OSError:
            chunk = b""
        if not chunk:
            return self.close()
        self._received += chunk
        self._take_frame()

    def _take_frame(self):
        if len(self._received) < 4:
            return
        length = int.from_bytes(self._received[:4], "big")
        if length > FRAME_BYTES:
            return self.refuse("frame_too_large", close=True)
        if len(self._received) < 4 + length:
            return
        frame = bytes(self._received[4 : 4 + length])
        del self._received[: 4 + length]
        self._watch_hang_up()
        refusal, request = _parsed(frame)
        if refusal is not None:
            self.refuse(refusal)
        else:
            self._on_request(self, request["command"], request["timeout"])

    def _send(self):
        if self._descriptor is None:
            return
        try:
            self._unsent = self._unsent[os.write(self._descriptor, self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            return self.close()
        if self._unsent:
            self._loop.watch(self._descriptor, self._send, WRITABLE)
        elif self._closing:
            self.close()
        else:
            self._watch_hang_up()
            self._loop.after(self._pause, self._resume)
            self._pause = 0

    def _watch_hang_up(self):
        """Nothing more is read for now; a client that goes away makes room for another."""
        self._loop.watch(self._descriptor, self.close, 0)

    def _resume(self):
        if self._descriptor is not None:
            self._loop.watch(self._descriptor, self._receive)
            self._take_frame()


def _parsed(frame):
    """(refusal, None) or (None, {command, timeout})."""
    try:
        request = json_text.decode(frame.decode("utf-8"))
    except ValueError:
        return "not_json", None
    if not isinstance(request, dict) or set(request) != REQUEST_FIELDS:
        return "fields", None
    command, timeout = request["command"], request["timeout"]
    if not isinstance(command, str) or "\0" in command:
        return "command", None
    if len(command.encode("utf-8", "replace")) > COMMAND_BYTES:
        return "command_too_large", None
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0:
        return "timeout", None
    return None, request
