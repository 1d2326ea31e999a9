"""OpenAI chat completions: the wire whose shape messages have within the agent."""

from message_text import text_of
from minisweagent.models.utils.actions_toolcall import BASH_TOOL

ROUTE = "/v1/chat/completions"


def body_of(model: str, messages: list[dict]) -> dict:
    """The request; content is reduced to text, so that no block shape reaches the wire twice."""
    return {"model": model, "messages": [_outgoing(message) for message in messages], "tools": [BASH_TOOL]}


def message_of(reply: dict) -> tuple[dict, str | None]:
    """Return (the assistant's message, why it ended)."""
    choice = reply["choices"][0]
    return dict(choice["message"]), choice.get("finish_reason")


def _outgoing(message: dict) -> dict:
    sent = {key: value for key, value in message.items() if key in ("role", "tool_calls", "tool_call_id")}
    sent.setdefault("role", "user")
    if sent.get("tool_calls") is None:
        sent.pop("tool_calls", None)
    sent["content"] = text_of(message)
    return sent
