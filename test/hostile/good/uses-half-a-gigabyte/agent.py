from minisweagent.agents.default import DefaultAgent

table = bytearray(512 << 20)
table[:: 1 << 16] = b"x" * len(table[:: 1 << 16])


class HarnessAgent(DefaultAgent):
    pass
