"""One kind of jail: who runs in it, what it sees, what it may use. The recipe of every bubblewrap start."""

import os

import jail_mounts

MEBIBYTE = 1 << 20
FILE_BYTES = 64 * MEBIBYTE
SHARED_MEMORY_BYTES = 16 * MEBIBYTE
TEMPORARY_BYTES = 64 * MEBIBYTE
INODES = 2000
LEAST_BYTES = 4096  # a tmpfs of size 0 has no limit
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


class Storage:
    """Bytes of a jail's writable trees: as configured, or less of each so that together they take half of its memory.

    They are tmpfs, and their pages stay charged to the jail's memory cgroup when the process that wrote them has ended.
    Trees as large as the limit would leave nothing for the next command: it would be killed before its first
    instruction, whatever it does, a deletion too. This way a full tree is ENOSPC for whoever fills it, and half
    of the memory is left for every program, however full the trees are. The same at both levels.
    """

    def __init__(self, memory_bytes, folder_bytes):
        share = min(1, memory_bytes / 2 / (folder_bytes + TEMPORARY_BYTES + SHARED_MEMORY_BYTES))
        self.folder, self.temporary, self.shared_memory = (
            max(LEAST_BYTES, int(wanted * share)) for wanted in (folder_bytes, TEMPORARY_BYTES, SHARED_MEMORY_BYTES)
        )


class Jail:
    """A kind with its uid, mounts and environment; each start is a fresh set of namespaces over the same folders."""

    def __init__(self, kind, uid, own_uids, group, storage):
        self.kind = kind
        self.storage = storage
        self.uid = uid
        self.own_uids = own_uids
        self.group = group
        self._mounts = []
        self._environment = {}
        self._directory = "/"

    def furnish(self, mounts, environment, directory):
        """`mounts` are bubblewrap options, in order."""
        self._mounts = mounts
        self._environment = environment
        self._directory = directory

    def arguments(self, seccomp, status, files):
        """Options for bubblewrap. `files` are (descriptor, path inside): read once, gone with the jail."""
        arguments = [
            *("--seccomp", str(seccomp), "--json-status-fd", str(status)),
            *("--unshare-all", "--unshare-user", "--disable-userns", "--assert-userns-disabled"),
            *("--cap-drop", "ALL", "--new-session", "--die-with-parent", "--hostname", "jail"),
            *("--uid", "1000", "--gid", "1000", "--clearenv"),
        ]
        for name, value in self._environment.items():
            arguments += ["--setenv", name, value]
        arguments += self._mounts
        for descriptor, path in files:
            arguments += ["--perms", "0444", "--file", str(descriptor), path]
        return [*arguments, "--remount-ro", "/", "--chdir", self._directory]

    def out_of_memory_kills(self):
        return 0 if self.group is None else self.group.out_of_memory_kills()

    def peak_memory_bytes(self):
        """None without a memory cgroup, or where the kernel does not keep the figure."""
        return None if self.group is None else self.group.peak_bytes()

    def filter_path(self):
        return f"{FILTERS}/{os.uname().machine}-{self.kind.families}.bpf"


class Furniture:
    """What the jails of one keeper see, laid out on its stage."""

    def __init__(self, stage, hidden):
        self._stage = stage
        self._base = jail_mounts.system_mounts(jail_mounts.stage_etc(stage), hidden)

    def into(self, jail, view, mounts, directory):
        """`view` is {mounts, environment}; `mounts` are bubblewrap options for the writable folders and sockets."""
        stage, name = self._stage, jail.kind.name
        temporary = stage.writable(f"tmp-{name}", jail.storage.temporary, INODES, jail.uid, 0o1777)
        shared = stage.writable(f"shm-{name}", jail.storage.shared_memory, INODES, jail.uid, 0o1777)
        every = [
            *self._base,
            *("--proc", "/proc", "--dev", "/dev", "--bind", shared, "/dev/shm", "--remount-ro", "/dev"),
            *("--bind", temporary, "/tmp"),
            *jail_mounts.staged_mounts(stage, view["mounts"]),
            *mounts,
        ]
        jail.furnish(every, view["environment"], directory)
