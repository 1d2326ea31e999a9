from minisweagent.agents.default import DefaultAgent


class HаrnessAgent(DefaultAgent):
    """The second letter is Cyrillic."""
