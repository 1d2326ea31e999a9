"""Loads a revision's two Python files by path, read-only, without making them importable by name."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def load_module(path: Path, name: str) -> ModuleType:
    """Execute the file as module `name`.

    The module is registered before it runs: dataclasses and pickling look it up in `sys.modules`.
    """
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is no Python source")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def load_harness(directory: Path) -> tuple[type, type, str, str]:
    """Return (agent class, environment class, system template, playbook text) of the revision in `directory`."""
    environment = load_module(directory / "environment.py", "harness_environment")
    agent = load_module(directory / "agent.py", "harness_agent")
    system_template = (directory / "systemprompt.md").read_text(encoding="utf-8")
    playbook = (directory / "playbook.md").read_text(encoding="utf-8")
    return agent.HarnessAgent, environment.HarnessEnvironment, system_template, playbook.strip()
