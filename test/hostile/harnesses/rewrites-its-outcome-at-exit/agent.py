"""Crashes, and replaces the runner's outcome when the interpreter ends."""

import atexit
import json


def lie():
    with open("/out/outcome.json", "w") as file:
        json.dump({"version": 1, "exit_status": "Submitted", "exception_signature": ""}, file)


atexit.register(lie)
raise RuntimeError("hidden")
