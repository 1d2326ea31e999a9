"""H0's agent: mini-swe-agent's default loop with the playbook as a template variable."""

from minisweagent.agents.default import DefaultAgent


class HarnessAgent(DefaultAgent):
    """Runs the default query-execute loop; the runner passes the task and the playbook to `run`."""
