"""The model that every harness gets: one of three wires over the gateway, with mini-swe-agent's bash tool."""

import time
from types import ModuleType, SimpleNamespace

import wire_chat
import wire_messages
import wire_responses
from gateway_connection import GatewayConnection
from minisweagent.exceptions import FormatError, LimitsExceeded
from minisweagent.models.utils.actions_toolcall import format_toolcall_observation_messages, parse_toolcall_actions
from model_templates import FORMAT_ERROR_TEMPLATE, OBSERVATION_TEMPLATE
from pydantic import BaseModel

WIRES: dict[str, ModuleType] = {"chat": wire_chat, "responses": wire_responses, "messages": wire_messages}
"""Each has ROUTE, `body_of(model, messages)` and `message_of(reply)`; within the agent all messages look like chat's."""

EXIT_STATUS = {
    "call_limit": "CallBudgetExceeded",
    "token_limit": "TokenBudgetExceeded",
    "budget_refused": "BudgetRefused",
    "context_overflow": "ContextOverflow",
    "invalid_request": "InvalidRequest",
    "refusal": "Refusal",
    "provider_unavailable": "ProviderUnavailable",
    "fenced": "Fenced",
    "call_conflict": "CallConflict",
}
"""Exit status of the trajectory for each refusal of the gateway."""


class ModelConfig(BaseModel):
    """What a trajectory records of the model; the gateway pins everything else."""

    model_name: str


class GatewayModel:
    """Duck-typed mini-swe-agent model; numbers its calls so that a repeated one is answered from the record."""

    def __init__(self, connection: GatewayConnection, model_name: str, wire: str = "chat"):
        self.config = ModelConfig(model_name=model_name)
        self._wire = WIRES[wire]
        self._connection = connection
        self._call = 0

    def query(self, messages: list[dict], **_: object) -> dict:
        """Return the assistant's message with parsed actions; a refusal of the gateway ends the run."""
        self._call += 1
        body = self._wire.body_of(self.config.model_name, messages)
        status, reply = self._connection.post(self._wire.ROUTE, body, self._call)
        if status != 200:
            raise _ended(reply)
        message, finish_reason = self._wire.message_of(reply)
        extra = {"response": reply, "cost": 0.0, "timestamp": time.time()}
        try:
            extra["actions"] = _actions(message, finish_reason)
        except FormatError as error:
            error.messages[0].setdefault("extra", {}).update(extra)
            raise
        message["extra"] = extra
        return message

    def format_message(self, **fields: object) -> dict:
        return dict(fields)

    def format_observation_messages(
        self, message: dict, outputs: list[dict], template_vars: dict | None = None
    ) -> list[dict]:
        return format_toolcall_observation_messages(
            actions=message.get("extra", {}).get("actions", []),
            outputs=outputs,
            observation_template=OBSERVATION_TEMPLATE,
            template_vars=template_vars,
        )

    def get_template_vars(self, **extra: object) -> dict:
        return {**self.config.model_dump(), **extra}

    def serialize(self) -> dict:
        kind = f"{type(self).__module__}.{type(self).__name__}"
        return {"info": {"config": {"model": self.config.model_dump(mode="json"), "model_type": kind}}}


def _actions(message: dict, finish_reason: str | None) -> list[dict]:
    calls = [
        SimpleNamespace(
            id=call.get("id"),
            function=SimpleNamespace(name=call["function"]["name"], arguments=call["function"]["arguments"]),
        )
        for call in message.get("tool_calls") or []
    ]
    return parse_toolcall_actions(
        calls, format_error_template=FORMAT_ERROR_TEMPLATE, template_kwargs={"finish_reason": finish_reason}
    )


def _ended(reply: dict) -> LimitsExceeded:
    error = reply.get("error") if isinstance(reply.get("error"), dict) else {}
    exit_status = EXIT_STATUS.get(str(error.get("type")), "GatewayError")
    return LimitsExceeded(
        {
            "role": "exit",
            "content": str(error.get("message", "")),
            "extra": {"exit_status": exit_status, "submission": ""},
        }
    )
