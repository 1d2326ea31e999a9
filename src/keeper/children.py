"""The processes below a keeper: those that it forked, and the orphans that bubblewrap left to it.

The keeper is the first process of its namespace, so whatever loses its parent becomes its child. Two kinds do. The
first process of a jail whose command left something running outlives bubblewrap by a moment; unreaped it would count
against the process limits of every later command. And a bubblewrap that is killed between its fork and the word to
the fork to go on, as the kernel does where a memory limit is used up, leaves a process that waits for that word for
ever and holds the command's output open: no time-out would end it.
"""

import os

import _signal


class Children:
    """`forked(pid)` for each child that somebody will `wait` for; all others are orphans."""

    def __init__(self):
        self._own = set()
        self._ended = {}

    def forked(self, pid):
        self._own.add(pid)

    def wait(self, pid):
        """The exit status, as of os.waitpid. Blocks while the child runs."""
        if pid not in self._ended:
            self._ended[pid] = os.waitpid(pid, 0)[1]
        self._own.discard(pid)
        return self._ended.pop(pid)

    def reap(self):
        """Takes every child that has ended off the process table; answers whether any child is left."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return True
                if pid in self._own:
                    self._ended[pid] = status
        except ChildProcessError:
            return False

    def end_orphans(self):
        """Kills what bubblewrap left, each the first process of its jail. Nobody else reaps, so no number is a stranger's."""
        for pid in _children() - self._own:
            os.kill(pid, _signal.SIGKILL)


def _children():
    parent = os.getpid()
    found = set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    if int(file.read().rsplit(b") ", 1)[1].split()[1]) == parent:
                        found.add(int(name))
            except (FileNotFoundError, ProcessLookupError):
                pass
    return found
