"""Slow headers, a gzip bomb, both kinds of length, eight connections; then does the task on one more."""

import gzip
import json
import socket

from minisweagent.agents.default import DefaultAgent

with open("/opt/attempt/attempt.json") as file:
    TOKEN = json.load(file)["token"]
HEAD = f"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {TOKEN}\r\nx-anneal-call: 1\r\n"


def connected():
    client = socket.socket(socket.AF_UNIX)
    client.connect("/run/gateway/gateway.sock")
    client.settimeout(5)
    return client


def status_of(head, body=b""):
    client = connected()
    try:
        client.sendall(f"{HEAD}content-type: application/json\r\n{head}\r\n".encode() + body)
        return client.recv(64)[9:12].decode()
    except OSError as error:
        return type(error).__name__
    finally:
        client.close()


bomb = gzip.compress(bytes(20_000_000))
print("BOMB", status_of(f"content-encoding: gzip\r\ncontent-length: {len(bomb)}\r\n", bomb))
print("BOTH", status_of("content-length: 5\r\ntransfer-encoding: chunked\r\n", b"0\r\n\r\n"))
print("LARGE", status_of("content-length: 90000000\r\n"))
idle = [connected() for _ in range(4)]
for client in idle:
    client.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nx-slow: ")
fifth = connected()
try:
    print("FIFTH", fifth.recv(1))
except OSError as error:
    print("FIFTH", type(error).__name__)
for client in idle:
    client.close()


class HarnessAgent(DefaultAgent):
    pass
