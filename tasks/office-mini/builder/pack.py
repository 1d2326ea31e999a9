"""Assembles built task folders from the committed sources."""

import hashlib
import importlib
import shutil
from pathlib import Path
from random import Random

SEED = 20250602
INPUT_LIMIT = 60_000


def build_pack(source: Path, out: Path) -> dict[str, str]:
    """Builds every task into `out`; 'p1/deck.pptx' to the sha256 of each input."""
    hashes: dict[str, str] = {}
    for task in sorted(p.parent for p in source.glob("*/task.toml")):
        digests = build_task(task, out / task.name)
        hashes |= {f"{task.name}/{name}": digest for name, digest in digests.items()}
    return hashes


def build_task(source: Path, out: Path) -> dict[str, str]:
    """One complete task folder; input name to sha256."""
    shutil.copytree(source, out, ignore=shutil.ignore_patterns("__pycache__"))
    inputs = out / "environment" / "inputs"
    inputs.mkdir()
    module = importlib.import_module(f"builder.inputs.{source.name}")
    module.write(inputs, Random(f"{SEED}:{source.name}"))
    shutil.copytree(inputs, out / "tests" / "pristine")
    digests = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(inputs.iterdir())}
    for path in inputs.iterdir():
        if path.stat().st_size >= INPUT_LIMIT:
            raise ValueError(f"{source.name}/{path.name}: {path.stat().st_size} bytes, the limit is {INPUT_LIMIT}")
    table = "".join(f'"{name}" = "{digest}"\n' for name, digest in digests.items())
    with (out / "task.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[metadata.input_sha256]\n{table}")
    return digests
