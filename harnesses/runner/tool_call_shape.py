"""Tool calls and reasoning as messages carry them within the agent, whatever wire they came by."""


def tool_call(call_id: object, name: object, arguments: str) -> dict:
    """One call in the shape of chat completions."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def tool_calls_of(message: dict) -> list[tuple[str, str, str]]:
    """Return (id, name, arguments) of each call of an assistant's message; calls of another shape are left out."""
    calls = []
    for call in message.get("tool_calls") or []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            calls.append((str(call.get("id")), str(function.get("name")), str(function.get("arguments"))))
    return calls


def assistant_message(text: str, calls: list[dict], reasoning: list[dict]) -> dict:
    """An assistant's message; `reasoning` goes back over the wire that it came by and is read by nobody else."""
    message = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = calls
    if reasoning:
        message["reasoning"] = reasoning
    return message


def reasoning_of(message: dict) -> list[dict]:
    reasoning = message.get("reasoning")
    return [item for item in reasoning if isinstance(item, dict)] if isinstance(reasoning, list) else []
