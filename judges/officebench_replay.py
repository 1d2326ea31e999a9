"""Inspect files and replay tasks for the OfficeBench importer.

Usage: python -I officebench_replay.py < REQUEST

REQUEST is JSON on standard input: {"inputs": [{path, words}], "workbooks": [path], "tasks": [{id, tests, oracle,
alternatives, careless}]}. The answer is one JSON document on standard output with the same three keys.
"""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from anneal_judges.officebench_inspect import inspect_input, workbook_rows  # noqa: E402
from anneal_judges.officebench_replay import replay_task  # noqa: E402


def main() -> None:
    request = json.load(sys.stdin)
    answer = {
        "inputs": [inspect_input(one) for one in request["inputs"]],
        "workbooks": [{"path": path, "rows": workbook_rows(path)} for path in request["workbooks"]],
        "tasks": [replay_task(task) for task in request["tasks"]],
    }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
