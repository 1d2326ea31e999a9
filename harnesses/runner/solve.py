"""Trusted entry of the harness jail: runs one revision on one task.

`solve.py --task DIR --harness DIR --out DIR` with `DIR/attempt.json` of the task:
{"instruction", "cwd", "model", "wire", "token", "commandTimeoutSeconds"}.
Writes `trajectory.json` (mini-swe-agent-1.1) and `outcome.json`; ends with status 0 whatever the revision does.
"""

import argparse
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
os.environ.setdefault("MSWEA_SILENT_STARTUP", "1")
os.environ.setdefault("MSWEA_GLOBAL_CONFIG_DIR", "/tmp/mini-swe-agent")

from exec_client import ExecClient  # noqa: E402
from gateway_connection import GatewayConnection  # noqa: E402
from outcome_file import exception_signature, write_outcome  # noqa: E402

GATEWAY_SOCKET = "/run/gateway/gateway.sock"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    for name in ("task", "harness", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    return parser.parse_args()


def solve(attempt: dict, harness: Path, out: Path) -> tuple[str, int]:
    """Run the revision to its end; returns (exit status, model calls as the agent counted them)."""
    from load_harness import load_harness
    from model_client import GatewayModel
    from model_templates import INSTANCE_TEMPLATE

    agent_class, environment_class, system_template, playbook = load_harness(harness)
    connection = GatewayConnection(GATEWAY_SOCKET, attempt["token"])
    model = GatewayModel(connection, attempt["model"], attempt.get("wire", "chat"))
    environment = environment_class(
        executor=ExecClient().execute, cwd=attempt["cwd"], timeout=attempt["commandTimeoutSeconds"]
    )
    agent = agent_class(
        model,
        environment,
        system_template=system_template,
        instance_template=INSTANCE_TEMPLATE,
        cost_limit=0,
        output_path=out / "trajectory.json",
    )
    result = agent.run(attempt["instruction"], playbook=playbook)
    return str(result.get("exit_status", "")), int(agent.n_calls)


def main() -> None:
    arguments = parse_arguments()
    attempt = json.loads((arguments.task / "attempt.json").read_text(encoding="utf-8"))
    exit_status, signature, detail, calls = "", "", "", 0
    try:
        exit_status, calls = solve(attempt, arguments.harness, arguments.out)
    except BaseException as error:
        exit_status, signature, detail = type(error).__name__, exception_signature(error), str(error)
    files = sorted(path.name for path in arguments.out.iterdir() if path.is_file())
    write_outcome(
        arguments.out, exit_status=exit_status, signature=signature, detail=detail, calls=calls, files=files
    )


main()
