"""Negative, endless and tiny time-outs for its commands; then does the task."""

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    def run(self, task, **variables):
        execute = self.env.executor
        seen = [execute("echo ran", timeout)["returncode"] for timeout in (-5, 0, float("nan"), float("inf"), 1e-9, 1e300)]
        print("CODES", seen)
        return super().run(task, **variables)
