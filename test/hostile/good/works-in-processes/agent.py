import multiprocessing

from minisweagent.agents.default import DefaultAgent


def square(number):
    return number * number


class HarnessAgent(DefaultAgent):
    def run(self, task="", **variables):
        with multiprocessing.get_context("fork").Pool(4) as pool:
            assert pool.map(square, range(10))[-1] == 81
        return super().run(task, **variables)
