"""Double forks that ignore every signal, in the harness jail; then does the task."""

import os
import signal
import time

from minisweagent.agents.default import DefaultAgent

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(1, 32):
            try:
                signal.signal(number, signal.SIG_IGN)
            except OSError:
                pass
        time.sleep(3600)
    os._exit(0)


class HarnessAgent(DefaultAgent):
    pass
