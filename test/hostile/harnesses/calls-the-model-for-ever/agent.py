from minisweagent.agents.default import DefaultAgent
from minisweagent.exceptions import Submitted


class HarnessAgent(DefaultAgent):
    """Takes no submission for an answer."""

    def step(self):
        try:
            return super().step()
        except Submitted as submitted:
            self.add_messages({"role": "user", "content": "Once more."})
            return submitted.messages
