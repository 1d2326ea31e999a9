"""The keeper's command line: which mode, what happens when it fails itself."""

import os
import sys

import json_text
from state_directory import StateDirectory

HELD, FENCED = 3, 4


def main(arguments):
    os.closerange(3, 1024)
    mode, *rest = arguments
    if mode == "probe":
        from probe import probe

        sys.stdout.write(json_text.encode(probe(json_text.decode(sys.stdin.read()))) + "\n")
        sys.stdout.flush()
        os._exit(0)
    os._exit(run(StateDirectory(rest[0])))


def run(state):
    if not state.try_lock():
        return HELD
    if state.has("done.json"):
        return 0
    if state.has("keeper.json"):
        return FENCED
    spec = state.read("spec.json")
    state.announce(spec)
    state.write("done.json", record_of(spec, state))
    return 0


def record_of(spec, state):
    """What happened. A fault of the keeper is a record too, and looks like no jail's doing."""
    try:
        if spec["mode"] == "judge":
            from judge import Judge

            return Judge(spec, state).run()
        from attempt import Attempt

        return Attempt(spec, state).run()
    except Exception as error:
        import traceback

        traceback.print_exc()
        return {"version": 1, "mode": spec["mode"], "fault": f"{type(error).__name__}: {error}"[:2000]}
