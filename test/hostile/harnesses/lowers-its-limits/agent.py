import resource

from minisweagent.agents.default import DefaultAgent

resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


class HarnessAgent(DefaultAgent):
    pass
