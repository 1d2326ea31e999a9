"""H0's environment: every command goes to the attempt's exec service, submission is recognised here."""

from minisweagent.exceptions import Submitted
from pydantic import BaseModel

SUBMIT_SENTINEL = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


class EnvironmentConfig(BaseModel):
    """Settings that the runner passes in."""

    cwd: str
    """Working directory of every command."""
    timeout: int = 120
    """Seconds a command may run; the exec service clamps it to what is left of the attempt."""


class HarnessEnvironment:
    """Executes bash commands through `executor(command, timeout)` and returns what they printed."""

    def __init__(self, *, executor, **settings):
        self.config = EnvironmentConfig(**settings)
        self.executor = executor

    def execute(self, action: dict, cwd: str = "") -> dict:
        """Run one action's command; raises `Submitted` when its output begins with the sentinel."""
        command = str(action.get("command", ""))
        if cwd and cwd != self.config.cwd:
            command = f"cd '{cwd}' && {command}"
        result = self.executor(command, self.config.timeout)
        output = {"output": result["output"], "returncode": result["returncode"], "exception_info": ""}
        if result.get("timedOut"):
            output["exception_info"] = f"The command was stopped after {self.config.timeout} seconds."
        self._check_finished(output)
        return output

    def _check_finished(self, output: dict) -> None:
        lines = output["output"].lstrip().splitlines(keepends=True)
        if not lines or lines[0].strip() != SUBMIT_SENTINEL or output["returncode"] != 0:
            return
        submission = "".join(lines[1:])
        raise Submitted(
            {"role": "exit", "content": submission, "extra": {"exit_status": "Submitted", "submission": submission}}
        )

    def get_template_vars(self, **extra) -> dict:
        return {**self.config.model_dump(), **extra}

    def serialize(self) -> dict:
        kind = f"{type(self).__module__}.{type(self).__name__}"
        return {"info": {"config": {"environment": self.config.model_dump(mode="json"), "environment_type": kind}}}
