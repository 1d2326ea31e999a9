import pathlib

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    def run(self, task="", **variables):
        for number in range(40):
            (pathlib.Path("/out") / f"page-{number}.bin").write_bytes(bytes(500_000))
        return super().run(task, **variables)
