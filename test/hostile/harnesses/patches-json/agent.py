"""The runner writes its outcome with a broken json."""

import json

from minisweagent.agents.default import DefaultAgent


def broken(*arguments, **settings):
    raise ValueError("no JSON here")


class HarnessAgent(DefaultAgent):
    def run(self, task, **variables):
        result = super().run(task, **variables)
        json.dumps = broken
        return result
