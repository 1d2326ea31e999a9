"""Closes every descriptor, standard ones too; then does the task."""

import os

from minisweagent.agents.default import DefaultAgent

os.closerange(0, 256)


class HarnessAgent(DefaultAgent):
    pass
