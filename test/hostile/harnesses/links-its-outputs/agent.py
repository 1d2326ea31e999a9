"""Does the task, and makes the deliverable a link to the right text, beside FIFOs, sockets, devices and odd names."""

from minisweagent.agents.default import DefaultAgent

MAKER = r"""
printf right > real.txt; rm -f out.txt; ln -s real.txt out.txt
ln -s /etc/passwd passwd; ln -s / root; ln real.txt twin; mkfifo fifo; mknod device c 1 3
/usr/bin/python3 -I -c 'import socket; socket.socket(socket.AF_UNIX).bind("sock")'
touch $'new\nline' $'esc\x1b]52;c;eA==\x07' $'bad\xff' UPPER.txt upper.txt
mkdir -p $(printf 'd/%.0s' $(seq 30))
"""


class HarnessAgent(DefaultAgent):
    def run(self, task, **variables):
        result = super().run(task, **variables)
        self.env.executor(MAKER, 20)
        return result
