from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    def run(self, task="", **variables):
        plan = "1. look 2. write 3. check"
        return super().run(f"{task}\n\nPlan: {plan}", **variables)

    def step(self):
        if self.n_calls == 1:
            self.add_messages({"role": "user", "content": "Go on with the plan."})
        return super().step()
