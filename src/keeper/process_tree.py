"""A process namespace around all jails, so that their end is certain.

Bubblewrap's `--die-with-parent` takes hold only once a jail is set up: a keeper killed before that would leave it
behind. Here the kernel ends everything with the namespace's first process, and that one ends with the keeper.
"""

import os
import time

import _signal

import kernel

LONGEST_SECONDS = 10


class ProcessTree:
    """Made right after `privilege.enter_private_namespaces`: the first fork is the namespace's first process."""

    def __init__(self):
        reader, self._held = os.pipe2(os.O_CLOEXEC)
        self._first = os.fork()
        if self._first == 0:
            _be_first(reader)
        os.close(reader)

    def end(self):
        """Kills whatever is left and waits until every process is gone; False if that takes over 10 s."""
        os.kill(self._first, _signal.SIGKILL)
        last = time.monotonic() + LONGEST_SECONDS
        while time.monotonic() < last:
            try:
                if os.waitpid(-1, os.WNOHANG)[0] == 0:
                    time.sleep(0.0005)
            except ChildProcessError:
                return True
        return False


def _be_first(reader):
    """Lives until the keeper's end of the pipe closes; the kernel reaps what is orphaned to it."""
    try:
        os.closerange(3, reader)
        os.closerange(reader + 1, 1024)
        kernel.control_process(kernel.PR_SET_PDEATHSIG, _signal.SIGKILL)
        for number in (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP, _signal.SIGCHLD):
            _signal.signal(number, _signal.SIG_IGN)
        os.read(reader, 1)
    finally:
        os._exit(0)
