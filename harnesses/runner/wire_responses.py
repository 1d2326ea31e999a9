"""OpenAI Responses, without any state at the provider: each request carries the whole conversation."""

from message_text import text_of
from minisweagent.models.utils.actions_toolcall_response import BASH_TOOL_RESPONSE_API, finish_reason_from_responses_api
from tool_call_shape import assistant_message, reasoning_of, tool_call, tool_calls_of

ROUTE = "/v1/responses"


def body_of(model: str, messages: list[dict]) -> dict:
    """The request: system messages at the beginning are its instructions, everything else items of its input."""
    leading = 0
    while leading < len(messages) and messages[leading].get("role") == "system":
        leading += 1
    body = {"model": model, "store": False, "tools": [BASH_TOOL_RESPONSE_API]}
    if leading:
        body["instructions"] = "\n\n".join(text_of(message) for message in messages[:leading])
    body["input"] = [item for message in messages[leading:] for item in _items(message)]
    return body


def message_of(reply: dict) -> tuple[dict, str | None]:
    """Return (the assistant's message in the shape of chat completions, why it ended)."""
    items = [item for item in reply.get("output") or [] if isinstance(item, dict)]
    texts = [_spoken(item) for item in items if item.get("type") == "message"]
    calls = [
        tool_call(item.get("call_id"), item.get("name"), item.get("arguments"))
        for item in items
        if item.get("type") == "function_call"
    ]
    reasoning = [item for item in items if item.get("type") == "reasoning"]
    return assistant_message("".join(texts), calls, reasoning), finish_reason_from_responses_api(reply)


def _spoken(item: dict) -> str:
    parts = item.get("content")
    return "".join(
        str(part.get("text") or part.get("refusal") or "")
        for part in (parts if isinstance(parts, list) else [])
        if isinstance(part, dict)
    )


def _items(message: dict) -> list[dict]:
    role, text = message.get("role", "user"), text_of(message)
    if role == "tool":
        return [{"type": "function_call_output", "call_id": message.get("tool_call_id"), "output": text}]
    if role != "assistant":
        return [{"role": role, "content": text}]
    spoken = [{"role": "assistant", "content": text}] if text else []
    calls = [
        {"type": "function_call", "call_id": call_id, "name": name, "arguments": arguments}
        for call_id, name, arguments in tool_calls_of(message)
    ]
    return [*reasoning_of(message), *spoken, *calls]
