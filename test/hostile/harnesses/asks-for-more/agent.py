"""Asks for another model, eight choices, tools of the provider, pictures by URL and an earlier response; does the task."""

import json

from gateway_connection import GatewayConnection
from minisweagent.agents.default import DefaultAgent

with open("/opt/attempt/attempt.json") as file:
    TOKEN = json.load(file)["token"]
SOCKET = "/run/gateway/gateway.sock"
WANTED = {
    "model": "gpt-other",
    "n": 8,
    "temperature": 2,
    "max_tokens": 10**9,
    "store": True,
    "background": True,
    "previous_response_id": "resp_1",
    "metadata": {"a": "b"},
    "tools": [{"type": "web_search"}, {"type": "mcp", "server_url": "http://127.0.0.1/"}],
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "asked for more"},
                {"type": "image_url", "image_url": {"url": "http://127.0.0.1/secret.png"}},
                {"type": "file", "file": {"file_id": "file-1"}},
            ],
        }
    ],
}


class HarnessAgent(DefaultAgent):
    def run(self, task, **variables):
        for token in ("", "x" * 43, TOKEN[:-1] + ("a" if TOKEN[-1] != "a" else "b")):
            print("TOKEN", GatewayConnection(SOCKET, token).post("/v1/chat/completions", WANTED, 1)[0])
        print("ANSWER", GatewayConnection(SOCKET, TOKEN).post("/v1/chat/completions", WANTED, 1)[0])
        self.model._call = 1
        return super().run(task, **variables)
