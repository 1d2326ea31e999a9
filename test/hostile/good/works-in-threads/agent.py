from concurrent.futures import ThreadPoolExecutor

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    """Four threads run commands at once, as many as the exec service has connections."""

    def run(self, task="", **variables):
        with ThreadPoolExecutor(4) as pool:
            seen = list(pool.map(lambda number: self.env.executor(f"echo {number}", 20)["output"].strip(), range(8)))
        assert sorted(seen) == [str(number) for number in range(8)], seen
        return super().run(task, **variables)
