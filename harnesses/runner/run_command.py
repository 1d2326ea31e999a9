"""Runs one command in the task jail and prints what it printed: `run_command.py SECONDS COMMAND`. Status 0 when it was 0."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from exec_client import ExecClient  # noqa: E402


def main() -> int:
    observation = ExecClient().execute(sys.argv[2], float(sys.argv[1]))
    sys.stdout.write(observation["output"])
    return 0 if observation["returncode"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
