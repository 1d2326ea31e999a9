import subprocess
import sys
import tempfile

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    """Runs programs of its own in the harness jail."""

    def run(self, task="", **variables):
        with tempfile.TemporaryDirectory() as folder:
            printed = subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, cwd=folder, text=True)
        assert printed.stdout.strip() == "42", printed
        return super().run(task, **variables)
