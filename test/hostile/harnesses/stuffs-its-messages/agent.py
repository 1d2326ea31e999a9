"""A message that alone is more than the attempt may spend in tokens."""

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    def run(self, task, **variables):
        return super().run(task + " all the sheets and totals" * 100_000, **variables)
