"""Starts keepers by forking: a fork of this small process costs a millisecond, a spawn by a large one twenty.

Reads state directories from standard input, one JSON string a line, and answers each with the keeper's pid. Ends with
its standard input; keepers need nobody and go on.
"""

import os
import sys

import _signal
import json_text


def nurse(run):
    """`run(path)` is a keeper's whole life and gives its exit status."""
    import attempt  # noqa: F401  every keeper would import it
    import judge  # noqa: F401

    _signal.signal(_signal.SIGCHLD, _signal.SIG_IGN)
    for line in sys.stdin:
        path = json_text.decode(line)
        pid = os.fork()
        if pid == 0:
            _become_keeper(path, run)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


def _become_keeper(path, run):
    status = 1
    try:
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        os.setsid()
        os.chdir(os.path.dirname(path))
        null = os.open(os.devnull, os.O_RDONLY)
        log = os.open(f"{path}/keeper.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for source, target in ((null, 0), (log, 1), (log, 2)):
            os.dup2(source, target)
        os.closerange(3, 1024)
        status = run(path)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)
