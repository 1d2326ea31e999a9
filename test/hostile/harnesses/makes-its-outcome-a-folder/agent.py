import os

from minisweagent.agents.default import DefaultAgent

os.makedirs("/out/outcome.json/deep")
os.symlink("/etc/passwd", "/out/link")


class HarnessAgent(DefaultAgent):
    pass
