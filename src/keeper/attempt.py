"""One attempt: the harness jail, its commands, the wall limit, and what is taken out afterwards."""

import os

import file_copy
import jail
from command_log import CommandLog, Recording
from command_runner import CommandRunner
from exec_service import ExecService
from output_capture import OutputCapture
from regular_files import Notes, ReadLimits
from sandbox import Phases, Sandbox, program_end, start_failed
from wall_clock import WallClock, hand_over

OUT_BYTES, OUT_INODES = 64 << 20, 200
OUTCOME_BYTES = 64 << 10
INPUTS_WRITTEN = 946_684_800
"""2000-01-01 UTC, the time of every input: a listing of them is the same in every attempt and on every machine."""


class Attempt:
    def __init__(self, spec, state, accounts):
        self._spec = spec
        self._limits = spec["limits"]
        self._state = state
        self._phases = Phases()
        self._sandbox = Sandbox(spec, accounts)
        self._forced = None
        self._ended = None
        self._harness = None
        self._capture = OutputCapture(self._limits["harnessLogBytes"])
        self._notes = Notes()

    def run(self):
        """The record for done.json."""
        self._sandbox.loop.on_stop_signal(lambda: self._kill({"kind": "stopped"}))
        self._prepare()
        self._phases.end("stage")
        self._start_harness()
        self._show_life()
        self._sandbox.loop.run()
        self._phases.end("run")
        self._finish_processes()
        self._phases.end("bury")
        files = [] if self._ended["kind"] == "stopped" else self._collect()
        self._phases.end("collect")
        return self._record(files)

    def _prepare(self):
        """Harness and first command are forked first: what they wait for passes while the stage is filled."""
        sandbox, spec, limits = self._sandbox, self._spec, self._limits
        stage, accounts = sandbox.stage, sandbox.accounts
        self._harness_jail = sandbox.jail(jail.HARNESS, accounts.harness, limits["harnessMemoryBytes"], OUT_BYTES)
        self._task_jail = sandbox.jail(jail.TASK, accounts.task, limits["taskMemoryBytes"], limits["workBytes"])
        self._prepared_harness = sandbox.prepare(self._harness_jail, limits["wallMs"])
        self._runner = CommandRunner(
            sandbox.loop,
            lambda: sandbox.prepare(self._task_jail, limits["commandMs"], takes_command=True),
            sandbox.start,
            limits["commandOutputBytes"],
            self._command_fault,
        )
        self._log = CommandLog(self._state.file("commands.jsonl"), limits["commands"], limits["logBytes"])
        self._recording = Recording(spec["replayLogs"])
        self._exec = ExecService(
            sandbox.loop,
            self._runner,
            self._log,
            self._recording,
            limits["commandMs"],
            lambda: self._clock.remaining_ms(),
        )
        self._work = stage.writable("work", self._task_jail.storage.folder, limits["workInodes"], accounts.task)
        self._inputs = self._stage_inputs(accounts.owner(accounts.task))
        directory = spec["workDirectory"]
        sandbox.furnish(self._task_jail, spec["task"], ["--bind", self._work, directory], directory)
        self._furnish_harness()

    def _stage_inputs(self, owner):
        """{path: digest} of what the working directory holds at first."""
        staged = {}
        for item in self._spec["inputs"]:
            target = os.path.normpath(item["path"])
            file_copy.make_folders(self._work, f"{target}/" if os.path.isdir(item["source"]) else target, owner)
            destination = self._work if target == "." else f"{self._work}/{target}"
            for copied in file_copy.copy_trusted(item["source"], destination, owner):
                staged[os.path.normpath(f"{target}/{copied['path']}")] = copied["sha256"]
        for path in staged:
            os.utime(f"{self._work}/{path}", (INPUTS_WRITTEN, INPUTS_WRITTEN))
        return staged

    def _furnish_harness(self):
        sandbox, spec = self._sandbox, self._spec
        uid = sandbox.accounts.harness
        self._out = sandbox.stage.writable("out", self._harness_jail.storage.folder, OUT_INODES, uid, 0o700)
        socket_folder = sandbox.stage.folder("exec", uid, 0o700)
        self._exec.listen(socket_folder, sandbox.accounts.owner(uid))
        mounts = ["--bind", self._out, "/out", "--ro-bind", socket_folder, "/run/exec"]
        self._lease = None
        if spec["lease"] is not None:
            folder = sandbox.stage.bound(spec["lease"]["socketDirectory"], "gateway")
            mounts += ["--ro-bind", folder, "/run/gateway"]
            owner = sandbox.accounts.owner(uid)
            self._lease = {"socket": f"{folder}/gateway.sock", "token": spec["lease"]["token"], "owner": owner}
            if owner is not None:
                os.chown(folder, owner, owner)
                os.chmod(folder, 0o700)
            hand_over(self._lease)
        sandbox.furnish(self._harness_jail, spec["harness"], mounts, "/out")

    def _start_harness(self):
        limits = self._limits
        self._clock = WallClock(
            self._sandbox.loop,
            max(0, limits["wallMs"] - limits["elapsedMs"]),
            self._lease,
            limits["unreachableMs"],
            lambda kind: self._kill({"kind": kind}),
        )
        argv = self._spec["harness"]["argv"]
        self._harness = self._sandbox.start(self._prepared_harness, argv, self._harness_output, self._harness_ended)

    def _show_life(self):
        self._state.show_life()
        self._sandbox.loop.after(1, self._show_life)

    def _harness_output(self, chunk):
        self._capture.add(chunk)
        if self._capture.total > self._limits["harnessOutputBytes"]:
            self._kill({"kind": "output_limit"})

    def _harness_ended(self, end):
        self._ended = program_end(end, self._harness_jail, self._forced, self._capture.text())
        self._runner.kill()
        self._sandbox.loop.stop()

    def _command_fault(self, reason):
        self._kill(start_failed(self._task_jail, reason))

    def _kill(self, forced):
        """The first reason stands."""
        self._forced = self._forced or forced
        self._runner.kill()
        self._harness.kill()

    def _finish_processes(self):
        self._wall_ms = round(self._clock.elapsed_ms())
        self._clock.stop()
        self._exec.close()
        self._memory = {
            "harness": self._harness_jail.peak_memory_bytes(),
            "task": self._task_jail.peak_memory_bytes(),
        }
        self._runner.close()
        self._sandbox.bury()

    def _collect(self):
        caps, out = self._limits["copyOut"], self._state.file("out")
        limits = ReadLimits(caps["entries"], caps["depth"], caps["fileBytes"], caps["totalBytes"])
        for folder in (out, f"{out}/work", f"{out}/harness"):
            os.mkdir(folder, 0o755)
        files = file_copy.copy_tree(self._work, f"{out}/work", limits, self._notes)
        for entry in files:
            entry["changed"] = self._inputs.get(entry["path"]) != entry["sha256"]
        file_copy.copy_tree(self._out, f"{out}/harness", ReadLimits(OUT_INODES, 4, OUT_BYTES, OUT_BYTES), Notes())
        with open(self._state.file("harness.log"), "wb") as file:
            file.write(self._capture.bytes())
        return files

    def _outcome_text(self):
        """What the harness says about itself; never trusted, never parsed here."""
        try:
            with open(self._state.file("out/harness/outcome.json"), "rb") as file:
                text = file.read(OUTCOME_BYTES + 1)
            return text.decode("utf-8") if len(text) <= OUTCOME_BYTES else None
        except (OSError, UnicodeDecodeError):
            return None

    def _record(self, files):
        return {
            "version": 1,
            "mode": "attempt",
            "end": self._ended,
            "outcomeText": self._outcome_text(),
            "files": files,
            "notes": self._notes.entries,
            "notesTotal": self._notes.total,
            "commands": self._log.commands,
            "replayed": self._exec.replayed,
            "divergedAtCommand": self._recording.diverged_at,
            "refusals": self._exec.refusals,
            "wallMs": self._wall_ms,
            "extendedMs": round(self._clock.extended * 1000),
            "harnessOutputBytes": self._capture.total,
            "peakMemoryBytes": self._memory,
            **self._sandbox.facts(),
            "phasesMs": self._phases.spent,
        }
