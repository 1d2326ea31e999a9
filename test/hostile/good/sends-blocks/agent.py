from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    """Keeps content as a list of blocks, and treats it as one."""

    def query(self):
        for message in self.messages:
            if isinstance(message.get("content"), str):
                message["content"] = [{"type": "text", "text": message["content"]}]
        message = super().query()
        assert isinstance(message["content"], str | list)
        return message
