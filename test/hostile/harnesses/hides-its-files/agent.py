"""Takes every right to its files away while the runner writes them; does the task."""

import os

from minisweagent.agents.default import DefaultAgent

os.umask(0o777)


class HarnessAgent(DefaultAgent):
    def run(self, task, **variables):
        result = super().run(task, **variables)
        os.chmod("/out/trajectory.json", 0)
        return result
