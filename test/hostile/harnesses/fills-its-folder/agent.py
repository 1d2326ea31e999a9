from minisweagent.agents.default import DefaultAgent

try:
    with open("/out/fill", "wb") as file:
        while True:
            file.write(bytes(1 << 20))
except OSError:
    pass
try:
    for number in range(1000):
        open(f"/out/f{number}", "w").close()
except OSError:
    pass


class HarnessAgent(DefaultAgent):
    pass
