"""The keeper's command line: which mode, in whose namespaces, and what happens when the keeper fails itself."""

import os
import sys
import time

import json_text
import privilege
from loop import hold_stop_signal
from state_directory import StateDirectory

HELD, FENCED = 3, 4


def main(arguments):
    os.closerange(3, 1024)
    mode, *rest = arguments
    if mode == "nurse":
        from nursery import nurse

        nurse(lambda path: run(StateDirectory(path)))
        os._exit(0)
    os._exit(probe() if mode == "probe" else run(StateDirectory(rest[0])))


def run(state):
    """The process that was started only makes the keeper: the first process of its own namespaces."""
    if not state.try_lock():
        return HELD
    if state.has("done.json"):
        return 0
    if state.has("keeper.json"):
        return FENCED
    spec = state.read("spec.json")
    began = time.monotonic()
    hold_stop_signal()
    try:
        accounts = privilege.accounts(spec["uids"])
        child = privilege.enter_private_namespaces(accounts.own)
        if child != 0:
            os.waitpid(child, 0)  # whoever started this reaps it, so nothing is left to an init that may not
            return 0
        state.announce(spec)
        record = _runner(spec["mode"])(spec, state, accounts).run()
    except Exception as error:
        import traceback

        traceback.print_exc()
        elapsed = round((time.monotonic() - began) * 1000)
        fault = f"{type(error).__name__}: {error}"[:2000]
        record = {"version": 1, "mode": spec["mode"], "fault": fault, "elapsedMs": elapsed}
    state.write("done.json", record)
    return 0


def probe():
    spec = json_text.decode(sys.stdin.read())
    try:
        accounts = privilege.accounts(spec["uids"])
        child = privilege.enter_private_namespaces(accounts.own)
    except OSError as error:
        from refusal import refusal

        return _print(refusal(f"{type(error).__name__}: {error}", spec["bubblewrap"]))
    if child != 0:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    from probe import probe

    return _print(probe(spec, accounts))


def _runner(mode):
    if mode == "judge":
        from judge import Judge

        return Judge
    from attempt import Attempt

    return Attempt


def _print(findings):
    sys.stdout.write(json_text.encode(findings) + "\n")
    sys.stdout.flush()
    return 0
