"""Starts a program in a jail and sees it to its end."""

import os
import resource

import _signal

import json_text
import kernel
import privilege

OLD_KERNEL_MARGIN = 4096
FORCE_AFTER_SECONDS = 0.5


class JailEnd:
    """`started` is false when the sandbox itself could not be set up: nothing inside can bring that about."""

    def __init__(self, started, code, signal):
        self.started = started
        self.code = code
        self.signal = signal


class JailProcess:
    """A running jail. `on_output(bytes)` gets both streams merged; `on_end(JailEnd)` comes after the last of them."""

    def __init__(self, loop, bubblewrap, jail, argv, cpu_seconds, on_output, on_end, files=()):
        self._loop = loop
        self._on_output = on_output
        self._on_end = on_end
        self._status = b""
        self._first = None
        self._force = None
        output, output_end = os.pipe2(os.O_CLOEXEC)
        status, status_end = os.pipe2(os.O_CLOEXEC)
        self.pid = _fork_into(jail, bubblewrap, argv, cpu_seconds, output_end, status_end, files)
        os.close(output_end)
        os.close(status_end)
        self._process = os.pidfd_open(self.pid)
        self._open = {output, status, self._process}
        loop.watch(output, lambda: self._read_output(output))
        loop.watch(status, lambda: self._read_status(status))
        loop.watch(self._process, self._reap)
        self._end = None

    def kill(self):
        """Ends the whole tree by its first process, which bubblewrap then reports; bubblewrap itself if that fails."""
        if self._end is not None:
            return
        if self._first is not None:
            _kill(self._first)
            self._force = self._force or self._loop.after(FORCE_AFTER_SECONDS, lambda: _kill(self._process))
        else:
            _kill(self._process)

    def _read_output(self, descriptor):
        chunk = os.read(descriptor, 1 << 16)
        if chunk:
            self._on_output(chunk)
        else:
            self._close(descriptor)

    def _read_status(self, descriptor):
        chunk = os.read(descriptor, 4096)
        self._status += chunk
        if not chunk:
            self._close(descriptor)
        elif self._first is None:
            pid = self._reported("child-pid")
            if pid is not None:
                self._first = _open_child(pid, self.pid)

    def _reported(self, name):
        for line in self._status.split(b"\n")[:-1]:
            value = json_text.decode(line.decode("ascii"))
            if name in value:
                return value[name]
        return None

    def _reap(self):
        _, status = os.waitpid(self.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        self._end = (code, None) if code >= 0 else (None, -code)
        self._close(self._process)

    def _close(self, descriptor):
        self._loop.forget(descriptor)
        os.close(descriptor)
        self._open.discard(descriptor)
        if self._open:
            return
        if self._force is not None:
            self._loop.cancel(self._force)
        if self._first is not None:
            os.close(self._first)
        code, signal = self._end
        started = self._reported("exit-code") is not None or (signal is not None and self._first is not None)
        self._on_end(JailEnd(started, code, signal))


def _open_child(pid, parent):
    """A descriptor for a process, None if it is gone: the number may name a stranger by now."""
    try:
        process = os.pidfd_open(pid)
        with open(f"/proc/{pid}/stat", "rb") as file:
            if int(file.read().rsplit(b") ", 1)[1].split()[1]) == parent:
                return process
    except (ProcessLookupError, FileNotFoundError):
        return None
    os.close(process)
    return None


def _kill(process):
    try:
        _signal.pidfd_send_signal(process, _signal.SIGKILL)
    except (ProcessLookupError, OSError):
        pass


def _fork_into(jail, bubblewrap, argv, cpu_seconds, output, status, files):
    seccomp = os.open(jail.filter_path(), os.O_RDONLY | os.O_CLOEXEC)
    options = os.memfd_create("options")
    os.write(options, b"".join(os.fsencode(item) + b"\0" for item in jail.arguments(seccomp, status, files)))
    os.lseek(options, 0, os.SEEK_SET)
    passed = [seccomp, options, status, *(descriptor for descriptor, _ in files)]
    command = [bubblewrap, "--args", str(options), "--", *argv]
    keeper = os.getpid()
    pid = os.fork()
    if pid == 0:
        _become(jail, command, cpu_seconds, output, passed, keeper)
    for descriptor in passed:
        if descriptor != status:
            os.close(descriptor)
    return pid


def _become(jail, command, cpu_seconds, output, passed, keeper):
    try:
        os.setsid()
        nothing = os.open("/dev/null", os.O_RDONLY)
        for source, target in ((nothing, 0), (output, 1), (output, 2)):
            os.dup2(source, target)
        for descriptor in passed:
            os.set_inheritable(descriptor, True)
        if jail.group is not None:
            jail.group.join()
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("500")
        _limit(jail, cpu_seconds)
        os.umask(0o022)
        if jail.own_uids:
            privilege.drop_to(jail.uid)
        kernel.control_process(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.control_process(kernel.PR_SET_PDEATHSIG, _signal.SIGKILL)
        if os.getppid() == keeper:
            os.execve(command[0], command, {})
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    os._exit(127)


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
