"""Frames of every wrong kind at the exec socket; then does the task."""

import json
import socket

from minisweagent.agents.default import DefaultAgent


def asked(payload, length=None):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(8)
    client.connect("/run/exec/exec.sock")
    client.sendall((len(payload) if length is None else length).to_bytes(4, "big") + payload)
    size = int.from_bytes(client.recv(4), "big")
    reply = json.loads(client.recv(size))
    client.close()
    return reply.get("reason", reply["kind"])


def request(**fields):
    return asked(json.dumps(fields).encode())


print(
    "REFUSED",
    asked(b"", 1 << 30),
    request(command="echo a\0b", timeout=5),
    request(command="true", timeout=-5),
    request(command="true", timeout=True),
    request(command="env", timeout=5, env={"LD_PRELOAD": "/app/x.so"}),
    request(command="pwd", timeout=5, cwd="../.."),
    asked(b"\xff\xfe"),
    asked(b"[" * 100000),
)


class HarnessAgent(DefaultAgent):
    pass
