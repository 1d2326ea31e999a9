"""The working directories that replays judge, made from a built task folder without any jail."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

REPLAYS = ("reference", "empty", "corrupt", "unmodified", "trap")
CORRUPT = b"\x00not a file of its type\xff\xfe\x00" * 8
TIMEOUT_SECONDS = 60


class ReplayFailed(Exception):
    """A replay's own script failed: nothing can be said about the judge."""


def make_trees(task: Path, out: Path) -> dict[str, Path]:
    """Replay name to its working directory; 'unmodified' only where the task declares it."""
    expected = tomllib.loads((task / "replays" / "expected.toml").read_text(encoding="utf-8"))
    trees = {name: out / name for name in REPLAYS if name in expected}
    for tree in trees.values():
        shutil.copytree(task / "environment" / "inputs", tree)
    run_script(task / "solution" / "solve.py", trees["reference"])
    run_script(task / "replays" / "trap.py", trees["trap"])
    for file in deliverables(task):
        _target(trees["corrupt"], file).write_bytes(CORRUPT)
    if "unmodified" in trees:
        for source, target in expected["unmodified"]["copies"].items():
            shutil.copyfile(trees["unmodified"] / source, _target(trees["unmodified"], target))
    return trees


def deliverables(task: Path) -> list[str]:
    return tomllib.loads((task / "task.toml").read_text(encoding="utf-8"))["metadata"]["deliverables"]


def run_script(script: Path, workdir: Path) -> None:
    """As the task jail runs it: the working directory is the task's, the interpreter ours."""
    done = subprocess.run(
        [sys.executable, str(script)], cwd=workdir, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
    )
    if done.returncode != 0:
        raise ReplayFailed(f"{script}: exit code {done.returncode}\n{done.stderr}")


def _target(tree: Path, file: str) -> Path:
    path = tree / file
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
