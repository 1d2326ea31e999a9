from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    def step(self):
        try:
            return super().step()
        except ZeroDivisionError:
            return []

    def handle_uncaught_exception(self, e):
        return super().handle_uncaught_exception(e)
