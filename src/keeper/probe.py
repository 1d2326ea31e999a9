"""Proves by a real jailed command what this machine offers: level, uid, no network, readable interpreters."""

import os
import time

import _socket

import jail
import refusal
from output_capture import OutputCapture
from sandbox import LevelUnavailable, Sandbox, program_end

LIMIT_MS = 20_000
MEMORY_BYTES = 256 << 20
SCRIPT = """
: > /tmp/who
if (exec 3<>/dev/tcp/127.0.0.1/$PORT) 2>/dev/null; then echo network reached; else echo network refused; fi
for program in $INTERPRETERS; do
  if found=$("$program" -I -c 'print("ok")' 2>&1); then echo "runs $program"; else echo "fails $program $found"; fi
done
"""


def probe(spec, accounts):
    began = time.monotonic()
    try:
        sandbox = Sandbox(spec, accounts)
        end, text, host_uid, reached = _run(sandbox, spec)
    except LevelUnavailable as error:
        return refusal.refusal(str(error), spec["bubblewrap"], "level")
    except Exception as error:
        return refusal.refusal(f"{type(error).__name__}: {error}", spec["bubblewrap"])
    if end["kind"] != "exited":
        return refusal.refusal(end.get("reason", end["kind"]), spec["bubblewrap"])
    lines = text.splitlines()
    facts = sandbox.facts()
    return {
        "kind": "possible",
        "level": facts["level"],
        "isolation": facts["isolation"],
        "hostUid": host_uid,
        "network": "refused" if "network refused" in lines and not reached else "reached",
        "interpreters": [_interpreter(path, lines) for path in spec["interpreters"]],
        "durationMs": round((time.monotonic() - began) * 1000),
    }


def _run(sandbox, spec):
    """A listener on the host's loopback is what the jail must not reach."""
    listener = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM | _socket.SOCK_CLOEXEC | _socket.SOCK_NONBLOCK)
    listener.bind(("127.0.0.1", 0))
    listener.listen(4)
    box = sandbox.jail(jail.TASK, sandbox.accounts.task, MEMORY_BYTES, 0)
    prepared = sandbox.prepare(box, LIMIT_MS)
    environment = {
        "PATH": "/usr/bin:/bin",
        "PORT": str(listener.getsockname()[1]),
        "INTERPRETERS": " ".join(spec["interpreters"]),
    }
    sandbox.furnish(box, {"mounts": spec["mounts"], "environment": environment}, [], "/tmp")
    capture = OutputCapture(1 << 16)
    ends = []

    def ended(end):
        ends.append(program_end(end, box, forced[0] if forced else None, capture.text()))
        sandbox.loop.stop()

    forced = []
    process = sandbox.start(prepared, ["/bin/bash", "-c", SCRIPT], capture.add, ended)
    sandbox.loop.after(LIMIT_MS / 1000, lambda: (forced.append({"kind": "wall_limit"}), process.kill()))
    sandbox.loop.run()
    sandbox.bury()
    marker = f"{sandbox.stage.path}/tmp-{jail.TASK.name}/who"
    host_uid = os.stat(marker).st_uid if os.path.exists(marker) else None
    return ends[0], capture.text(), host_uid, _was_reached(listener)


def _was_reached(listener):
    try:
        os.close(listener._accept()[0])
        return True
    except BlockingIOError:
        return False


def _interpreter(path, lines):
    if f"runs {path}" in lines:
        return {"path": path, "kind": "runs"}
    detail = next((line for line in lines if line.startswith(f"fails {path}")), "no answer")
    return {"path": path, "kind": "fails", "detail": detail[:300]}
