"""One kind of jail: who runs in it, what it sees, what it may use. The recipe of every bubblewrap start."""

import os

import jail_mounts

MEBIBYTE = 1 << 20
FILE_BYTES = 64 * MEBIBYTE
SHARED_MEMORY_BYTES = 16 * MEBIBYTE
TEMPORARY_BYTES = 64 * MEBIBYTE
INODES = 2000
FILTERS = f"{os.path.dirname(os.path.abspath(__file__))}/seccomp"


class JailKind:
    """`families` names the filter: `unix`, or `internet` for programs that open sockets and find no network."""

    def __init__(self, name, families, processes, address_space):
        self.name = name
        self.families = families
        self.processes = processes
        self.address_space = address_space


HARNESS = JailKind("harness", "unix", 64, 2 << 30)
TASK = JailKind("task", "internet", 128, 4 << 30)
JUDGE = JailKind("judge", "unix", 64, 2 << 30)


class Jail:
    """A kind with its uid and mounts; each start is a fresh set of namespaces over the same writable folders."""

    def __init__(self, kind, uid, own_uids, mounts, directory, environment, group=None):
        self.kind = kind
        self.uid = uid
        self.own_uids = own_uids
        self.directory = directory
        self.environment = environment
        self.group = group
        self.mounts = mounts

    def arguments(self, seccomp, status, files):
        """Options for bubblewrap. `files` are (descriptor, path inside): read once, gone with the jail."""
        arguments = [
            *("--seccomp", str(seccomp), "--json-status-fd", str(status)),
            *("--unshare-all", "--unshare-user", "--disable-userns", "--assert-userns-disabled"),
            *("--cap-drop", "ALL", "--new-session", "--die-with-parent", "--hostname", "jail"),
            *("--uid", "1000", "--gid", "1000", "--clearenv"),
        ]
        for name, value in self.environment.items():
            arguments += ["--setenv", name, value]
        arguments += self.mounts
        for descriptor, path in files:
            arguments += ["--perms", "0444", "--file", str(descriptor), path]
        return [*arguments, "--remount-ro", "/", "--chdir", self.directory]

    def filter_path(self):
        return f"{FILTERS}/{os.uname().machine}-{self.kind.families}.bpf"


class JailMaker:
    """Builds the jails of one keeper on its stage."""

    def __init__(self, stage, own_uids):
        self._stage = stage
        self._own_uids = own_uids
        self._base = jail_mounts.system_mounts(jail_mounts.stage_etc(stage))

    def make(self, kind, uid, spec, mounts, directory, group=None):
        """`spec` is {mounts, environment}; `mounts` are bubblewrap options for the writable folders and sockets."""
        stage = self._stage
        temporary = stage.writable(f"tmp-{kind.name}", TEMPORARY_BYTES, INODES, uid, 0o1777)
        shared = stage.writable(f"shm-{kind.name}", SHARED_MEMORY_BYTES, INODES, uid, 0o1777)
        every = [
            *self._base,
            *("--proc", "/proc", "--dev", "/dev", "--bind", shared, "/dev/shm", "--remount-ro", "/dev"),
            *("--bind", temporary, "/tmp"),
            *jail_mounts.staged_mounts(stage, spec["mounts"]),
            *mounts,
        ]
        return Jail(kind, uid, self._own_uids, every, directory, spec["environment"], group)
