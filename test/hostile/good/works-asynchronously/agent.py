import asyncio

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    def run(self, task="", **variables):
        async def whole():
            return await asyncio.to_thread(super(HarnessAgent, self).run, task, **variables)

        return asyncio.run(asyncio.wait_for(whole(), 300))
