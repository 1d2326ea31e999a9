from concurrent.futures import ThreadPoolExecutor

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    """Twelve threads run commands at once, more than the exec service has connections."""

    def run(self, task="", **variables):
        with ThreadPoolExecutor(12) as pool:
            seen = list(pool.map(lambda number: self.env.executor(f"echo {number}", 20)["output"].strip(), range(24)))
        assert seen == [str(number) for number in range(24)], seen
        return super().run(task, **variables)
