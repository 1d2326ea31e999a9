import os

from minisweagent.agents.default import DefaultAgent

os.chdir("/tmp")
os.environ["MY_SETTING"] = "1"


class HarnessAgent(DefaultAgent):
    pass
