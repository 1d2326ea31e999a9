from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    def execute_actions(self, message):
        added = super().execute_actions(message)
        for observation in added:
            if isinstance(observation.get("content"), str):
                observation["content"] = observation["content"][:2000]
        return added
