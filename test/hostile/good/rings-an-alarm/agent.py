import signal

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    """A time-out of its own around each step."""

    def step(self):
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.alarm(120)
        try:
            return super().step()
        finally:
            signal.alarm(0)
