"""A process that waits, with its identity and limits already on, to become bubblewrap.

Joining a cgroup waits for the kernel's other processors, about 10 ms; done ahead, nobody waits for it.
"""

import os
import resource

import _signal

import kernel
import privilege

OLD_KERNEL_MARGIN = 4096
COMMAND_PATH = "/run/command"


class PreparedJail:
    """Forked at once; runs nothing until `release`, and ends with the keeper or by `discard`."""

    def __init__(self, bubblewrap, jail, cpu_seconds, takes_command=False):
        self._jail = jail
        self._kills_before = jail.out_of_memory_kills()
        self._output, output = os.pipe2(os.O_CLOEXEC)
        self._status, self._status_end = os.pipe2(os.O_CLOEXEC)
        starter, self._starter = os.pipe2(os.O_CLOEXEC)
        self._options = os.memfd_create("options")
        self._command = os.memfd_create("command") if takes_command else None
        self._seccomp = os.open(jail.filter_path(), os.O_RDONLY | os.O_CLOEXEC)
        self.pid = os.fork()
        if self.pid == 0:
            _wait_and_become(bubblewrap, jail, cpu_seconds, starter, output, self._passed())
        os.close(output)
        os.close(starter)

    def release(self, argv, command=""):
        """Starts `argv` in the jail; `command` becomes the file /run/command. Answers (output, status) to read."""
        files = []
        if self._command is not None:
            _fill(self._command, command.encode("utf-8", "replace"))
            files.append((self._command, COMMAND_PATH))
        arguments = self._jail.arguments(self._seccomp, self._status_end, files)
        _fill(self._options, b"".join(os.fsencode(item) + b"\0" for item in arguments))
        try:
            os.write(self._starter, b"\0".join([os.fsencode(item) for item in argv]))
        except BrokenPipeError:
            pass  # it died: the empty status says so
        self._close_own()
        return self._output, self._status

    def was_short_of_memory(self):
        """Whether the kernel killed for the jail's memory limit since the fork: never the sandbox's own failure."""
        return self._jail.out_of_memory_kills() > self._kills_before

    def discard(self):
        self._close_own()
        os.close(self._output)
        os.close(self._status)

    def _passed(self):
        descriptors = [self._options, self._seccomp, self._status_end]
        return descriptors if self._command is None else [*descriptors, self._command]

    def _close_own(self):
        for descriptor in (*self._passed(), self._starter):
            os.close(descriptor)


def _fill(memory, text):
    os.write(memory, text)
    os.lseek(memory, 0, os.SEEK_SET)


def _wait_and_become(bubblewrap, jail, cpu_seconds, starter, output, passed):
    try:
        _close_all_but({starter, output, *passed})
        kernel.control_process(kernel.PR_SET_PDEATHSIG, _signal.SIGKILL)
        _signal.set_wakeup_fd(-1)
        _signal.signal(_signal.SIGTERM, _signal.SIG_DFL)
        os.setsid()
        for source, target in ((os.open("/dev/null", os.O_RDONLY), 0), (output, 1), (output, 2)):
            os.dup2(source, target)
        if jail.group is not None:
            jail.group.join()
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("500")
        _limit(jail, cpu_seconds)
        os.umask(0o022)
        if jail.own_uids:
            privilege.drop_to(jail.uid)
            kernel.control_process(kernel.PR_SET_PDEATHSIG, _signal.SIGKILL)
        kernel.control_process(kernel.PR_SET_NO_NEW_PRIVS, 1)
        argv = _read_all(starter).split(b"\0")
        if argv != [b""]:
            for descriptor in passed:
                os.set_inheritable(descriptor, True)
            os.execve(bubblewrap, [bubblewrap, "--args", str(passed[0]), "--", *argv], {})
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    os._exit(127)


def _close_all_but(kept):
    """Above all the starters of other prepared jails: they end when the last holder closes."""
    first = 3
    for descriptor in sorted(kept):
        os.closerange(first, descriptor)
        first = descriptor + 1
    os.closerange(first, 1024)


def _read_all(descriptor):
    text = b""
    while chunk := os.read(descriptor, 1 << 16):
        text += chunk
    return text


def _limit(jail, cpu_seconds):
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: _processes(jail),
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_FSIZE: 64 << 20,
        resource.RLIMIT_AS: jail.kind.address_space,
        resource.RLIMIT_CPU: cpu_seconds,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: 256,
    }
    for kind, value in wanted.items():
        _, most = resource.getrlimit(kind)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(kind, (value, value))


def _processes(jail):
    """Where jails share a uid the count is of all of them; before Linux 5.14 also of the person's own processes."""
    if jail.own_uids:
        return jail.kind.processes
    version = [int(part) for part in os.uname().release.split("-")[0].split(".")[:2]]
    return jail.kind.processes + (OLD_KERNEL_MARGIN if version < [5, 14] else 72)
