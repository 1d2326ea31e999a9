"""The harness's side of the exec socket: runs commands in the attempt's task jail."""

import json
import socket

FRAME_BYTES = 2 << 20
REFUSED = 126
"""Return code of a command that the keeper would not run, as of one that bash cannot execute."""


class ExecClient:
    """One connection per command; the service takes one command at a time."""

    def __init__(self, path: str = "/run/exec/exec.sock"):
        self._path = path

    def execute(self, command: str, timeout: float) -> dict:
        """Run `command` under bash in the working directory, for at most `timeout` seconds.

        The service clamps the time to 1 s and more, and to what is left of the attempt. Returns {output, outputBytes,
        returncode, timedOut, durationMs}: both streams merged, only front and tail beyond the cap, with returncode
        -1 when time ran out and 126 when the command was refused. Raises OSError once the attempt is over.
        """
        request = json.dumps({"command": command, "timeout": timeout}, ensure_ascii=False)
        payload = request.encode("utf-8", "replace")
        if len(payload) > FRAME_BYTES:
            return _observation("The command was refused (command_too_large).")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(self._path)
            connection.sendall(len(payload).to_bytes(4, "big") + payload)
            length = int.from_bytes(_receive(connection, 4), "big")
            reply = json.loads(_receive(connection, length))
        if reply.pop("kind") == "refused":
            return _observation(f"The command was refused ({reply['reason']}).")
        return reply


def _observation(text: str) -> dict:
    return {"output": text, "outputBytes": len(text), "returncode": REFUSED, "timedOut": False, "durationMs": 0}


def _receive(connection: socket.socket, length: int) -> bytes:
    received = bytearray()
    while len(received) < length:
        chunk = connection.recv(min(length - len(received), 1 << 16))
        if not chunk:
            raise ConnectionError("the exec service is gone")
        received += chunk
    return bytes(received)
