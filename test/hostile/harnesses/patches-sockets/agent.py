import socket

from minisweagent.agents.default import DefaultAgent


def broken(*arguments, **settings):
    raise OSError("no socket here")


socket.socket.connect = broken


class HarnessAgent(DefaultAgent):
    pass
