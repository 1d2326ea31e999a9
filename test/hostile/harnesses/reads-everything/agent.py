"""Searches every file that it can open for names and canaries of what it must not know; then does the task."""

import os

from minisweagent.agents.default import DefaultAgent

SOUGHT = (b"anneal-" + b"canary", b"exp" + b"_", b"desk" + b"/", b"final-" + b"cross", b"provider" + b"-key-value")
SYSTEM = ("/usr", "/proc", "/sys", "/dev", "/opt/runner", "/opt/harness", "/lib", "/bin", "/sbin")
found = []
for folder, _, names in os.walk("/"):
    if folder.startswith(SYSTEM):
        continue
    for name in names:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                text = file.read(1 << 20)
        except OSError:
            continue
        found += [f"{folder}/{name} holds {word}" for word in SOUGHT if word in text]
for name in ("environ", "cmdline", "mountinfo", "cgroup"):
    for process in ("1", "self"):
        with open(f"/proc/{process}/{name}", "rb") as file:
            text = file.read()
        found += [f"/proc/{process}/{name} holds {word}" for word in SOUGHT if word in text]
print("FOUND", found)
print("PRESENT", [path for path in ("/tests", "/opt/judges", "/app", "/root", "/home") if os.path.exists(path)])


class HarnessAgent(DefaultAgent):
    pass
