"""Fills the working directory in bytes and entries before the model may write."""

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    def run(self, task, **variables):
        fill = "for n in $(seq 9); do head -c 60M /dev/zero > fill$n; done; for n in $(seq 5000); do : > f$n || break; done"
        self.env.executor(f"({fill}) 2> /dev/null", 30)
        return super().run(task, **variables)
