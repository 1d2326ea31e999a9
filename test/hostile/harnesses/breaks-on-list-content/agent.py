from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    """Makes the reply's content a list, as some providers do, and treats it as text."""

    def query(self):
        message = super().query()
        message["content"] = [{"type": "text", "text": message["content"]}]
        message["content"] = message["content"].strip()
        return message
