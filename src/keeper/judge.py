"""One judge run: a task's tests over collected outputs, in a jail that the solver never touched."""

import os

import file_copy
import jail
from output_capture import OutputCapture
from regular_files import Notes, ReadLimits
from sandbox import Phases, Sandbox, program_end

VERDICT_BYTES, VERDICT_INODES = 16 << 20, 100
REWARD_BYTES = 1000


class Judge:
    def __init__(self, spec, state, accounts):
        self._spec = spec
        self._state = state
        self._phases = Phases()
        self._sandbox = Sandbox(spec, accounts)
        self._forced = None
        self._ended = None
        self._process = None
        self._capture = OutputCapture(spec["limits"]["logBytes"])

    def run(self):
        """The record for done.json."""
        sandbox, limits = self._sandbox, self._spec["limits"]
        sandbox.loop.on_stop_signal(lambda: self._kill({"kind": "stopped"}))
        self._jail = sandbox.jail(jail.JUDGE, sandbox.accounts.judge, limits["memoryBytes"], VERDICT_BYTES)
        prepared = sandbox.prepare(self._jail, limits["wallMs"])
        self._furnish()
        self._phases.end("stage")
        timer = sandbox.loop.after(limits["wallMs"] / 1000, lambda: self._kill({"kind": "wall_limit"}))
        self._process = sandbox.start(prepared, self._spec["argv"], self._output, self._end)
        sandbox.loop.run()
        self._phases.end("run")
        sandbox.loop.cancel(timer)
        peak = self._jail.peak_memory_bytes()
        sandbox.bury()
        self._phases.end("bury")
        reward = self._collect()
        self._phases.end("collect")
        return {
            "version": 1,
            "mode": "judge",
            "end": self._ended,
            "rewardText": reward,
            "wallMs": round(self._phases.spent["run"]),
            "peakMemoryBytes": {"judge": peak},
            **sandbox.facts(),
            "phasesMs": self._phases.spent,
        }

    def _furnish(self):
        stage, uid = self._sandbox.stage, self._jail.uid
        self._verdict = stage.writable("verdict", self._jail.storage.folder, VERDICT_INODES, uid, 0o700)
        mounts = ["--bind", self._verdict, "/logs/verifier"]
        self._sandbox.furnish(self._jail, self._spec, mounts, self._spec["directory"])

    def _output(self, chunk):
        self._capture.add(chunk)
        if self._capture.total > self._spec["limits"]["outputBytes"]:
            self._kill({"kind": "output_limit"})

    def _end(self, end):
        self._ended = program_end(end, self._jail, self._forced, self._capture.text())
        self._sandbox.loop.stop()

    def _kill(self, forced):
        self._forced = self._forced or forced
        self._process.kill()

    def _collect(self):
        """The verdict's files to out/verifier, and the reward's text."""
        out = self._state.file("out")
        for folder in (out, f"{out}/verifier"):
            os.mkdir(folder, 0o755)
        limits = ReadLimits(VERDICT_INODES, 4, VERDICT_BYTES, VERDICT_BYTES)
        file_copy.copy_tree(self._verdict, f"{out}/verifier", limits, Notes())
        with open(self._state.file("test-stdout.txt"), "wb") as file:
            file.write(self._capture.bytes())
        try:
            with open(f"{out}/verifier/reward.txt", "rb") as file:
                return file.read(REWARD_BYTES).decode("utf-8", "replace")
        except FileNotFoundError:
            return None
