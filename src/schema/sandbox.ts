import { z } from 'zod';

const count = z.number().int().nonnegative();
const absolutePath = z.string().regex(/^\/[^\0\n]*$/);

/**
 * A host file or folder shown read-only at a fixed path inside a jail. `copy` takes regular files only, refuses
 * anything else, and gives them open permissions: for small folders. `bind` shows it as it is, a Python
 * environment with the interpreter behind it: for large ones that every uid may read.
 */
export const JailMount = z.object({ source: absolutePath, target: absolutePath, how: z.enum(['copy', 'bind']) });
export type JailMount = z.infer<typeof JailMount>;

const environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().regex(/^[^\0]*$/));

/** A jail's mounts and its whole environment: nothing is inherited. */
const JailView = z.object({ mounts: z.array(JailMount), environment });

/** What the copy-out takes at most; bytes are apparent sizes, folders and refused entries count as entries. */
const CopyOutLimits = z.object({
  entries: count.default(2_000),
  depth: count.default(16),
  fileBytes: count.default(50_000_000),
  totalBytes: count.default(200_000_000),
});

/** Limits the keeper holds from outside; times in ms, sizes in bytes. */
const AttemptLimits = z.object({
  /** Wall time of the attempt over all epochs, waiting for the provider and gateway outages not counted. */
  wallMs: count,
  /** What earlier epochs used of it, without their waits. */
  elapsedMs: count.default(0),
  /** How much gateway outage may extend the wall time at most. */
  unreachableMs: count.default(600_000),
  /** One command at most; also at least 1 s and at most what is left. */
  commandMs: count.default(300_000),
  /** What a command's observation keeps, half from the front, half from the end. */
  commandOutputBytes: count.default(65_536),
  commands: count.default(2_000),
  /** Of `commands.jsonl`; further commands are refused. */
  logBytes: count.default(67_108_864),
  /** What the harness process may print before it is ended (`output_limit`). */
  harnessOutputBytes: count.default(16_777_216),
  /** What `harness.log` keeps of it. */
  harnessLogBytes: count.default(1_048_576),
  /** With /tmp and /dev/shm it takes at most half of `taskMemoryBytes`: all three are scaled down where that is less. */
  workBytes: count.default(268_435_456),
  workInodes: count.default(4_000),
  /** Memory cgroup of each jail; without one only the address space of each process is limited. */
  harnessMemoryBytes: count.default(2_147_483_648),
  taskMemoryBytes: count.default(4_294_967_296),
  copyOut: CopyOutLimits.prefault({}),
});

const common = {
  /** Opaque; shown in keeper.json only. */
  key: z.string(),
  epoch: z.number().int().positive(),
  /** Of the lease: no two jails of one kind run under one slot at a time. */
  slot: count,
  /** `full` fails where only `user` is possible; `auto` takes the strongest available. */
  level: z.enum(['auto', 'full', 'user']).default('auto'),
};

/** One epoch of an attempt: a harness jail, and a fresh task jail for each command over one working directory. */
export const AttemptSandbox = z.object({
  mode: z.literal('attempt'),
  ...common,
  /** Working directory of every command; empty but for `inputs`. */
  workDirectory: absolutePath,
  /** Copied into the working directory: `path` is relative to it, `.` for its root. */
  inputs: z.array(
    z.object({ source: absolutePath, path: z.string().regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\0\n]+$/) }),
  ),
  /** Bound at `/run/gateway` of the harness jail; null for a harness without a model. */
  lease: z.object({ socketDirectory: absolutePath, token: z.string().regex(/^[\x21-\x7e]+$/) }).nullable(),
  /** The harness process. It also has `/out` (writable) and `/run/exec`; working directory `/out`. */
  harness: JailView.extend({ argv: z.array(z.string()).min(1) }),
  task: JailView,
  limits: AttemptLimits,
  /** `commands.jsonl` of earlier epochs: while the command text agrees, observations come from the longest of them. */
  replayLogs: z.array(absolutePath).default([]),
});
export type AttemptSandbox = z.infer<typeof AttemptSandbox>;
/** As a caller writes it: limits with a default may be left out. */
export type AttemptSandboxInput = z.input<typeof AttemptSandbox>;

/** One run of a task's tests in a jail of its own; `/logs/verifier` is writable and taken out afterwards. */
export const JudgeSandbox = JailView.extend({
  mode: z.literal('judge'),
  ...common,
  argv: z.array(z.string()).min(1).default(['/bin/bash', '/tests/test.sh']),
  /** Outside the outputs, so that nothing planted there is imported. */
  directory: absolutePath.default('/tests'),
  limits: z.object({
    wallMs: count,
    memoryBytes: count.default(2_147_483_648),
    /** What the tests may print before they are ended. */
    outputBytes: count.default(67_108_864),
    /** What `test-stdout.txt` keeps of it. */
    logBytes: count.default(1_048_576),
  }),
});
export type JudgeSandbox = z.infer<typeof JudgeSandbox>;
/** As a caller writes it: argv, directory and limits with a default may be left out. */
export type JudgeSandboxInput = z.input<typeof JudgeSandbox>;

const driver = {
  version: z.literal(1),
  bubblewrap: absolutePath,
  stagingRoot: absolutePath,
  /** Folders below /usr that jails see empty. */
  hidden: z.array(absolutePath),
  uids: z.object({ base: count, slot: count }),
};
/** `spec.json` of a state directory: what a sandbox was asked for, and what the driver adds. */
export const KeeperSpec = z.discriminatedUnion('mode', [AttemptSandbox.extend(driver), JudgeSandbox.extend(driver)]);
export type KeeperSpec = z.infer<typeof KeeperSpec>;

/**
 * `keeper.json`: pid and start time (clock ticks since boot) together name one process for ever; `place` is device and inode of
 * the state directory, so that a copy of it names nobody.
 */
export const KeeperIdentity = z.object({
  version: z.literal(1),
  pid: z.number().int().positive(),
  startTime: count,
  place: z.string().default(''),
  key: z.string(),
  epoch: z.number().int().positive(),
  /** Milliseconds since 1970. */
  startedAt: count,
});
export type KeeperIdentity = z.infer<typeof KeeperIdentity>;

/** One line of `commands.jsonl`, written before the harness sees the observation. */
export const CommandEntry = z.object({
  n: z.number().int().positive(),
  sha256: z.string(),
  command: z.string(),
  timeoutMs: count,
  endedAt: count,
  output: z.string(),
  /** Before truncation. */
  outputBytes: count,
  /** -1 after a time-out. */
  returncode: z.number().int(),
  timedOut: z.boolean(),
  durationMs: count,
  /** Set when the observation is an earlier epoch's: what running the command again gave. */
  rerun: z.object({ returncode: z.number().int(), timedOut: z.boolean() }).nullable(),
});
export type CommandEntry = z.infer<typeof CommandEntry>;
