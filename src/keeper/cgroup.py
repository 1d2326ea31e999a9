"""Memory cgroups, version 1 or 2: one per jail kind, below the strongest place this process may use."""

import os


class ControlGroups:
    """The groups of one keeper. `kind` is `v1`, `v2` or `none`.

    A group is named after its keeper and after the process table that its number is of: containers may share one tree
    of groups and none of their processes, and nobody sweeps away what lives elsewhere.
    """

    def __init__(self, kind, parents):
        self.kind = kind
        self._parents = parents
        self._keeper = os.readlink("/proc/self")
        self._table = str(os.stat("/proc").st_dev)
        self._groups = []

    def create(self, name, memory_bytes, processes):
        group = ControlGroup(self.kind, [f"{parent}/anneal-{self._keeper}-{self._table}-{name}" for parent in self._parents])
        self._groups.append(group)
        group.make(memory_bytes, processes)
        return group

    def remove(self):
        for group in self._groups:
            group.remove()
        self._groups.clear()

    def sweep(self):
        """Removes the empty groups of keepers that were killed."""
        for parent in self._parents:
            for name in os.listdir(parent):
                project, keeper, table, *_ = [*name.split("-"), "", "", ""]
                if project == "anneal" and table == self._table and not _runs(keeper):
                    _remove_folder(f"{parent}/{name}")


class ControlGroup:
    def __init__(self, kind, folders):
        self.kind = kind
        self._folders = folders

    def make(self, memory_bytes, processes):
        for folder in self._folders:
            os.mkdir(folder)
        if self.kind == "v2":
            settings = {"memory.max": memory_bytes, "memory.swap.max": 0, "memory.oom.group": 1, "pids.max": processes}
        else:
            settings = {
                "memory.limit_in_bytes": memory_bytes,
                "memory.memsw.limit_in_bytes": memory_bytes,
                "pids.max": processes,
            }
        for name, value in settings.items():
            self._write(name, value)

    def _write(self, name, value):
        """A kernel without swap accounting lacks the swap file; the memory limit itself must hold."""
        for folder in self._folders:
            path = f"{folder}/{name}"
            if os.path.exists(path):
                with open(path, "w", encoding="ascii") as file:
                    file.write(str(value))

    def join(self):
        """In a forked child, while still root."""
        for folder in self._folders:
            with open(f"{folder}/cgroup.procs", "w", encoding="ascii") as file:
                file.write("0")

    def out_of_memory_kills(self):
        name = "memory.events" if self.kind == "v2" else "memory.oom_control"
        for line in self._lines(name):
            if line.startswith("oom_kill "):
                return int(line.split()[1])
        return 0

    def peak_bytes(self):
        for name in ("memory.peak", "memory.max_usage_in_bytes"):
            for line in self._lines(name):
                return int(line)
        return None

    def kill(self):
        """Every process still inside. The jails' own end does this; here for what the kernel left over."""
        for folder in self._folders:
            if os.path.exists(f"{folder}/cgroup.kill"):
                with open(f"{folder}/cgroup.kill", "w", encoding="ascii") as file:
                    file.write("1")

    def remove(self):
        for folder in self._folders:
            _remove_folder(folder)

    def _lines(self, name):
        for folder in self._folders:
            if os.path.exists(f"{folder}/{name}"):
                with open(f"{folder}/{name}", encoding="ascii") as file:
                    return file.read().splitlines()
        return []


def _runs(pid):
    """A process that nobody has reaped yet has ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rsplit(b") ", 1)[1][:1] not in (b"Z", b"X")
    except (FileNotFoundError, ProcessLookupError):
        return False


def _remove_folder(folder):
    try:
        os.rmdir(folder)
    except OSError:
        pass


def detect():
    """The kernel's memory controller decides between the versions; a place is usable if a group can be made there."""
    mounts = _mounts()
    own = _own_groups()
    if "memory" in own:
        controllers = [name for name in ("memory", "pids") if name in own and name in mounts]
        for inside in (True, False):
            parents = [mounts[name] + (own[name].rstrip("/") if inside else "") for name in controllers]
            if "memory" in controllers and all(_usable(parent) for parent in parents):
                return ControlGroups("v1", parents)
    elif "" in own and "cgroup2" in mounts:
        for parent in _ancestors(mounts["cgroup2"], own[""]):
            if _delegates_memory(parent, parent == mounts["cgroup2"]) and _usable(parent):
                return ControlGroups("v2", [parent])
    return ControlGroups("none", [])


def _mounts():
    found = {}
    with open("/proc/self/mounts", encoding="utf-8") as file:
        for line in file:
            _, target, kind, options, *_ = line.split(" ")
            if kind == "cgroup2":
                found.setdefault("cgroup2", target)
            elif kind == "cgroup":
                for option in options.split(","):
                    found.setdefault(option, target)
    return found


def _own_groups():
    """{controller: path}; the empty name is version 2."""
    groups = {}
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            for controller in controllers.split(","):
                groups[controller] = path
    return groups


def _ancestors(mount, path):
    parts = [part for part in path.split("/") if part and part != ".."]
    for length in range(len(parts), -1, -1):
        yield "/".join([mount, *parts[:length]])


def _delegates_memory(folder, is_root):
    control = f"{folder}/cgroup.subtree_control"
    if not os.path.exists(control):
        return False
    with open(control, encoding="ascii") as file:
        if "memory" in file.read().split():
            return True
    if not is_root:
        return False
    try:
        with open(control, "w", encoding="ascii") as file:
            file.write("+memory +pids")
    except OSError:
        return False
    return True


def _usable(parent):
    return os.access(parent, os.W_OK)
