import ast
import pathlib

from minisweagent.agents.default import DefaultAgent

HERE = pathlib.Path("/opt/harness")
SOURCE = (HERE / "agent.py").read_text()
assert isinstance(ast.parse(SOURCE), ast.Module)
assert sorted(path.name for path in HERE.iterdir())[:2] == ["agent.py", "environment.py"]


class HarnessAgent(DefaultAgent):
    pass
