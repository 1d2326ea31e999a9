"""What an attempt and a judge run share: loop, stage, groups and jails of one keeper, and their clean end."""

import os
import resource
import time

import _signal

import bubblewrap_program
import cgroup
import privilege
from children import Children
from jail import Furniture, Jail, Storage
from jail_process import JailProcess
from loop import Loop
from prepared_jail import PreparedJail
from stage import Stage

SIGNAL_NAMES = {
    getattr(_signal, name): name
    for name in reversed(dir(_signal))
    if name.startswith("SIG") and not name.startswith("SIG_")
}


LONGEST_END_SECONDS = 10


class Phases:
    """Milliseconds spent in each named stretch of the keeper's life, without gaps."""

    def __init__(self):
        self._since = time.monotonic()
        self.spent = {}

    def end(self, name):
        now = time.monotonic()
        self.spent[name] = round((now - self._since) * 1000, 1)
        self._since = now


class Sandbox:
    """In the first process of private namespaces, before anything is mounted there."""

    def __init__(self, spec, accounts):
        self.spec = spec
        self.loop = Loop()
        self.children = Children()
        self.accounts = accounts
        self.groups = _groups(spec["level"], accounts.own)
        self.groups.sweep()
        self.stage = Stage(spec["stagingRoot"], accounts.own)
        privilege.mount_own_proc()
        self.stage.mount()
        self.bubblewrap = bubblewrap_program.staged(self.stage, spec["bubblewrap"])
        self._furniture = None

    def jail(self, kind, uid, memory_bytes, folder_bytes):
        """Bare: it may be prepared before `furnish` gives it something to see. `folder_bytes`: of its writable folder."""
        group = None
        if self.groups.kind != "none":
            group = self.groups.create(kind.name, memory_bytes, kind.processes + 8)
        return Jail(kind, uid, self.accounts.own, group, Storage(memory_bytes, folder_bytes))

    def furnish(self, jail, view, mounts, directory):
        self._furniture = self._furniture or Furniture(self.stage, self.spec["hidden"])
        self._furniture.into(jail, view, mounts, directory)

    def prepare(self, jail, limit_ms, takes_command=False):
        """A jail that waits; its mounts may still be added. CPU time is capped at what the wall limit allows."""
        cpu_seconds = (limit_ms // 1000 + 1) * (os.cpu_count() or 1)
        prepared = PreparedJail(self.bubblewrap, jail, cpu_seconds, takes_command)
        self.children.forked(prepared.pid)
        return prepared

    def start(self, prepared, argv, on_output, on_end, command=""):
        return JailProcess(self.loop, self.children, prepared, argv, on_output, on_end, command)

    def bury(self):
        """Nothing that was ever inside runs when this returns; then the groups are removed."""
        if self.children.reap():
            os.kill(-1, _signal.SIGKILL)
        last = time.monotonic() + LONGEST_END_SECONDS
        while self.children.reap():
            if time.monotonic() > last:
                raise ProcessesLeft("processes of the jails could not be ended")
            time.sleep(0.0005)
        self.groups.remove()

    def level(self):
        """`full` is a uid of its own for each jail and a memory cgroup; anything less is `user`."""
        return "full" if self.accounts.own and self.groups.kind != "none" else "user"

    def facts(self):
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return {
            "level": self.level(),
            "isolation": {"uids": "own" if self.accounts.own else "shared", "cgroup": self.groups.kind},
            "cpuMs": round((usage.ru_utime + usage.ru_stime) * 1000),
            "keeperCpuMs": round((self.accounts.cpu_seconds_before + time.process_time()) * 1000),
        }


class ProcessesLeft(Exception):
    """The kernel did not end a process that was killed; its files cannot be trusted to stay as they are."""


class LevelUnavailable(Exception):
    """The spec insists on level `full`."""


def _groups(level, own_uids):
    groups = cgroup.detect() if own_uids and level != "user" else cgroup.ControlGroups("none", [])
    if level == "full" and groups.kind == "none":
        raise LevelUnavailable("level full needs root and a memory cgroup")
    return groups


def program_end(end, jail, forced, output):
    """The end as a record. `forced` is the keeper's own reason for killing; what the jail says comes after it."""
    if forced is not None:
        return forced
    if not end.started:
        return start_failed(jail, output)
    signal = end.signal if end.signal is not None else end.code - 128 if end.code > 128 else None
    if signal is None:
        return {"kind": "exited", "code": end.code}
    if signal == _signal.SIGKILL and jail.out_of_memory_kills() > 0:
        return {"kind": "out_of_memory"}
    return {"kind": "signalled", "signal": SIGNAL_NAMES.get(signal, f"signal {signal}")}


def start_failed(jail, output):
    return {"kind": "start_failed", "jail": jail.kind.name, "reason": output.strip()[-2000:] or "no message"}
