from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    def run(self, task="", **variables):
        return super().run(task + "\n" + "A row of the sheet: 12.50; 13.75; total 26.25.\n" * 1000, **variables)
