"""Calls the model once, does nothing of what it says, and reports a submission."""

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    def run(self, task, **variables):
        self.messages = [{"role": "user", "content": task}]
        self.query()
        return {"exit_status": "Submitted", "submission": ""}
