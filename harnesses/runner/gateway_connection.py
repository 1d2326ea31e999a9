"""One HTTP exchange with the gateway over its unix socket; waits while the gateway is away."""

import http.client
import json
import socket
import time

RETRY_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
"""Pauses between tries while the gateway does not answer; the last one repeats until the wall limit ends the jail."""


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str):
        super().__init__("gateway")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self._path)


class GatewayConnection:
    """Keeps one connection open and repeats a numbered call until it is answered.

    A repeated number is safe: the gateway returns the recorded answer when it has one.
    """

    def __init__(self, path: str, token: str):
        self._path = path
        self._token = token
        self._connection: _UnixConnection | None = None

    def post(self, route: str, body: dict, call: int) -> tuple[int, dict]:
        """Send `body` as call number `call`; returns (status, reply). Blocks while the gateway is unreachable."""
        payload = json.dumps(body, ensure_ascii=False).encode()
        attempt = 0
        while True:
            try:
                return self._exchange(route, payload, call)
            except (OSError, http.client.HTTPException, ValueError):
                self._connection = None
                time.sleep(RETRY_SECONDS[min(attempt, len(RETRY_SECONDS) - 1)])
                attempt += 1

    def _exchange(self, route: str, payload: bytes, call: int) -> tuple[int, dict]:
        connection = self._connection or _UnixConnection(self._path)
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            "x-anneal-call": str(call),
        }
        connection.request("POST", route, body=payload, headers=headers)
        response = connection.getresponse()
        reply = json.loads(response.read())
        if not isinstance(reply, dict):
            raise ValueError("the gateway's reply is not an object")
        self._connection = connection
        return response.status, reply
