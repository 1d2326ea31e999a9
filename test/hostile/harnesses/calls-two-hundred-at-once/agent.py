"""Two hundred numbered calls from sixteen threads, though four connections and one call at a time are served."""

import json
from concurrent.futures import ThreadPoolExecutor

from gateway_connection import GatewayConnection

with open("/opt/attempt/attempt.json") as file:
    TOKEN = json.load(file)["token"]
limit_met = False


def call(number):
    global limit_met
    body = {"model": "m", "messages": [{"role": "user", "content": f"call {number}"}]}
    while True:
        connection = GatewayConnection("/run/gateway/gateway.sock", TOKEN)
        status, reply = connection.post("/v1/chat/completions", body, number)
        connection._connection.close()
        error = reply.get("error", {})
        limit_met = limit_met or error.get("type") == "call_limit"
        if limit_met or error.get("code") not in ("call_gap", "call_in_flight"):
            return status


with ThreadPoolExecutor(16) as pool:
    statuses = list(pool.map(call, range(1, 201)))
print("ANSWERED", statuses.count(200), "OF", len(statuses))
