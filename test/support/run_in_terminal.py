"""Run a shell command in a pseudo-terminal: `run_in_terminal.py COLUMNS ROWS STEPS SECONDS COMMAND`.

STEPS is a JSON list of [text, keys]: keys are typed once that text has been printed after the step before. What was printed
goes to standard output; ends with the command's exit code, 98 after SECONDS.
"""

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time


def main() -> int:
    columns, rows, steps = int(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
    seconds, command = float(sys.argv[4]), sys.argv[5]
    child, terminal = pty.fork()
    if child == 0:
        os.execvp("bash", ["bash", "-c", command])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    printed, seen, deadline = b"", 0, time.monotonic() + seconds
    while time.monotonic() < deadline:
        while steps and (at := printed.find(steps[0][0].encode(), seen)) >= 0:
            seen = at + len(steps[0][0].encode())
            os.write(terminal, steps.pop(0)[1].encode())
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            piece = b""
        if not piece:
            break
        printed += piece
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
        sys.stdout.buffer.write(printed)
        return 98
    sys.stdout.buffer.write(printed)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


sys.exit(main())
