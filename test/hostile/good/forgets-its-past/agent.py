from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    """Sends the first two messages and the last six alone."""

    def query(self):
        every = self.messages
        kept = every[:2] + every[2:][-6:]
        self.messages = kept
        try:
            reply = super().query()
        finally:
            self.messages = every
        self.messages.append(reply)
        return reply
