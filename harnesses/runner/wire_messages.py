"""Anthropic messages, with the marks that let the provider cache the growing conversation."""

import json

from message_text import text_of
from minisweagent.models.utils.actions_toolcall import BASH_TOOL
from tool_call_shape import assistant_message, reasoning_of, tool_call, tool_calls_of

ROUTE = "/v1/messages"
MAX_TOKENS = 4096
"""The wire demands a cap; the gateway puts the experiment's own in its place."""
UNPARSED = "unparsed_arguments"
"""Key under which arguments that are no JSON object travel; the gateway knows it too."""
MARK = {"cache_control": {"type": "ephemeral"}}

BASH = {
    "name": BASH_TOOL["function"]["name"],
    "description": BASH_TOOL["function"]["description"],
    "input_schema": BASH_TOOL["function"]["parameters"],
}


def body_of(model: str, messages: list[dict]) -> dict:
    """The request: system messages at the beginning apart, neighbours of one side in one turn, two marks.

    The marks stand after the system text, which all attempts share, and after the last block, up to which the next
    call's prompt will be the same.
    """
    leading = 0
    while leading < len(messages) and messages[leading].get("role") == "system":
        leading += 1
    system = [{"type": "text", "text": text_of(message)} for message in messages[:leading] if text_of(message)]
    turns: list[dict] = []
    for message in messages[leading:]:
        role = "assistant" if message.get("role") == "assistant" else "user"
        blocks = _blocks(message)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"].extend(blocks)
        elif blocks:
            turns.append({"role": role, "content": blocks})
    body = {"model": model, "max_tokens": MAX_TOKENS, "messages": turns, "tools": [BASH]}
    if system:
        system[-1].update(MARK)
        body["system"] = system
    if turns and turns[-1]["content"]:
        turns[-1]["content"][-1].update(MARK)
    return body


def message_of(reply: dict) -> tuple[dict, str | None]:
    """Return (the assistant's message in the shape of chat completions, why it ended)."""
    blocks = [block for block in reply.get("content") or [] if isinstance(block, dict)]
    text = "".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")
    calls = [
        tool_call(block.get("id"), block.get("name"), _arguments(block.get("input")))
        for block in blocks
        if block.get("type") == "tool_use"
    ]
    reasoning = [block for block in blocks if block.get("type") in ("thinking", "redacted_thinking")]
    reason = reply.get("stop_reason")
    return assistant_message(text, calls, reasoning), "length" if reason == "max_tokens" else reason


def _blocks(message: dict) -> list[dict]:
    role, text = message.get("role"), text_of(message)
    if role == "tool":
        return [{"type": "tool_result", "tool_use_id": message.get("tool_call_id"), "content": text}]
    spoken = [{"type": "text", "text": text}] if text else []
    if role != "assistant":
        return spoken
    calls = [
        {"type": "tool_use", "id": call_id, "name": name, "input": _input(arguments)}
        for call_id, name, arguments in tool_calls_of(message)
    ]
    return [*(dict(block) for block in reasoning_of(message)), *spoken, *calls]


def _input(arguments: str) -> dict:
    try:
        value = json.loads(arguments)
    except ValueError:
        return {UNPARSED: arguments}
    return value if isinstance(value, dict) else {UNPARSED: arguments}


def _arguments(given: object) -> str:
    if isinstance(given, dict) and list(given) == [UNPARSED]:
        return str(given[UNPARSED])
    return json.dumps(given, ensure_ascii=False)
