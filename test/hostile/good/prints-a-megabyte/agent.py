import logging
import warnings

from minisweagent.agents.default import DefaultAgent

logging.basicConfig(level=logging.INFO)


class HarnessAgent(DefaultAgent):
    def run(self, task="", **variables):
        warnings.warn("this is a warning", stacklevel=1)
        logging.getLogger("harness").info("started")
        print("progress " * 120_000)
        return super().run(task, **variables)
