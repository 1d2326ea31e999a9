"""The harness's side of the exec socket: runs one command in the attempt's task jail."""

import json
import socket

SOCKET_PATH = "/run/exec/exec.sock"


class CommandRefused(Exception):
    """The keeper did not run the command; the reason is its only argument."""


def execute(command, timeout, socket_path=SOCKET_PATH):
    """Runs `command` under bash in the working directory, for at most `timeout` seconds (clamped to the attempt's limits).

    Answers {output, outputBytes, returncode, timedOut, durationMs}: both streams merged, front and tail only beyond
    the cap, `outputBytes` before it; a command that ran out of time has returncode -1. Raises CommandRefused, or
    OSError when the attempt is over.
    """
    request = json.dumps({"command": command, "timeout": timeout}).encode()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.connect(socket_path)
        client.sendall(len(request).to_bytes(4, "big") + request)
        length = int.from_bytes(_receive(client, 4), "big")
        reply = json.loads(_receive(client, length))
    if reply.pop("kind") == "refused":
        raise CommandRefused(reply["reason"])
    return reply


def _receive(client, length):
    received = bytearray()
    while len(received) < length:
        chunk = client.recv(min(length - len(received), 1 << 16))
        if not chunk:
            raise ConnectionError("the exec socket closed")
        received += chunk
    return bytes(received)
