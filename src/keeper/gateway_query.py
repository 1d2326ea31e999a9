"""Asks the gateway for the time an attempt has spent waiting. Never blocks: the answer arrives by call-back."""

import os

import _socket

import json_text

ANSWER_SECONDS = 2
ANSWER_BYTES = 1 << 16


def connect(path):
    """A connected socket; None where nobody listens. A full queue counts as somebody."""
    client = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM | _socket.SOCK_NONBLOCK | _socket.SOCK_CLOEXEC)
    try:
        client.connect(path)
    except BlockingIOError:
        pass
    except OSError:
        client.close()
        return None
    return client


class GatewayQuery:
    """`done(kind, waited_ms)`: `answered`, `refused` (an answer without a figure), `silent` or `down`."""

    def __init__(self, loop, path, token, done):
        self._loop = loop
        self._done = done
        self._received = b""
        self._client = connect(path)
        if self._client is None:
            done("down", None)
            return
        self._timer = loop.after(ANSWER_SECONDS, lambda: self._finish("silent", None))
        loop.watch(self._client.fileno(), self._receive)
        request = f"GET /v1/lease HTTP/1.0\r\nhost: gateway\r\nauthorization: Bearer {token}\r\n\r\n"
        try:
            os.write(self._client.fileno(), request.encode("ascii"))
        except OSError:
            self._finish("silent", None)

    def _receive(self):
        try:
            chunk = os.read(self._client.fileno(), ANSWER_BYTES)
        except OSError:
            chunk = b""
        self._received += chunk
        if not chunk or len(self._received) > ANSWER_BYTES:
            self._finish(*_read_answer(self._received))

    def _finish(self, kind, waited_ms):
        if self._client is None:
            return
        self._loop.cancel(self._timer)
        self._loop.forget(self._client.fileno())
        self._client.close()
        self._client = None
        self._done(kind, waited_ms)


def _read_answer(received):
    head, _, body = received.partition(b"\r\n\r\n")
    if not head:
        return "silent", None
    try:
        waited = json_text.decode(body.decode("utf-8"))["waitedMs"]
        return ("answered", max(0, int(waited))) if b" 200 " in head.split(b"\r\n")[0] else ("refused", None)
    except (ValueError, KeyError, TypeError):
        return "refused", None
