import { z } from 'zod';
import { Sha256 } from './ids.ts';

const count = z.number().int().nonnegative();

/**
 * How a jail's first process ended, as the keeper saw it. `start_failed` means the sandbox itself could not be set
 * up, which nothing inside can bring about: it is the host's fault. `stopped`: the keeper was told to.
 */
export const SandboxEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: count }),
  z.object({ kind: z.literal('signalled'), signal: z.string() }),
  z.object({ kind: z.literal('wall_limit') }),
  /** At the wall limit nobody listened at the gateway's socket, and had not for as long as outages count. */
  z.object({ kind: z.literal('gateway_lost') }),
  z.object({ kind: z.literal('out_of_memory') }),
  z.object({ kind: z.literal('output_limit') }),
  z.object({ kind: z.literal('start_failed'), jail: z.enum(['harness', 'task', 'judge']), reason: z.string() }),
  z.object({ kind: z.literal('stopped') }),
]);
export type SandboxEnd = z.infer<typeof SandboxEnd>;

/** `full`: a host uid of its own for each jail and a memory cgroup; anything less is `user`. */
const SandboxLevel = z.enum(['full', 'user']);

const Isolation = z.object({ uids: z.enum(['own', 'shared']), cgroup: z.enum(['v1', 'v2', 'none']) });

const facts = {
  version: z.literal(1),
  end: SandboxEnd,
  level: SandboxLevel,
  isolation: Isolation,
  /** From the jail's start to its end, waits included. */
  wallMs: count,
  /** Of everything that ran in the jails. */
  cpuMs: count,
  /** Of the keeper itself. */
  keeperCpuMs: count,
  /** By phase: stage, run, bury, collect. */
  phasesMs: z.record(z.string(), z.number()),
};

/** One regular file of the working directory, copied to `out/work/<path>` of the state directory. */
const CollectedFile = z.object({
  path: z.string(),
  bytes: count,
  sha256: Sha256,
  /** False when an input of the same path has the same bytes. */
  changed: z.boolean(),
});

/** An entry the copy-out left out: `path` is escaped and at most 300 characters. */
const CopyOutNote = z.object({
  path: z.string(),
  reason: z.enum([
    'symbolic_link',
    'hard_link',
    'fifo',
    'socket',
    'device',
    'name',
    'case_twin',
    'too_deep',
    'path_too_long',
    'too_many_entries',
    'file_too_large',
    'total_too_large',
  ]),
});

/** `done.json` of an attempt. `out/work` and `out/harness` of the state directory stand when it does. */
export const AttemptDone = z.object({
  mode: z.literal('attempt'),
  ...facts,
  /** `outcome.json` as the harness wrote it, up to 64 KiB; untrusted, perhaps not even JSON; null without one. */
  outcomeText: z.string().nullable(),
  files: z.array(CollectedFile),
  /** The first 200. */
  notes: z.array(CopyOutNote),
  notesTotal: count,
  commands: count,
  /** Commands answered from an earlier epoch's log, and the first whose text differed. */
  replayed: count,
  divergedAtCommand: z.number().int().positive().nullable(),
  /** Exec requests refused, by reason. */
  refusals: z.record(z.string(), count),
  /** What waits and gateway outages added to the wall limit. */
  extendedMs: count,
  harnessOutputBytes: count,
  /** null without a memory cgroup. */
  peakMemoryBytes: z.object({ harness: count.nullable(), task: count.nullable() }),
});
export type AttemptDone = z.infer<typeof AttemptDone>;

/** `done.json` of a judge run. `out/verifier` holds what the tests wrote to `/logs/verifier`. */
export const JudgeDone = z.object({
  mode: z.literal('judge'),
  ...facts,
  /** `reward.txt` as written, up to 1,000 bytes; null without one. */
  rewardText: z.string().nullable(),
  /** null without a memory cgroup. */
  peakMemoryBytes: z.object({ judge: count.nullable() }),
});
export type JudgeDone = z.infer<typeof JudgeDone>;

/** `done.json` when the keeper itself failed: the epoch is lost, whatever its jails did. */
const KeeperFault = z.object({
  version: z.literal(1),
  mode: z.enum(['attempt', 'judge']),
  fault: z.string(),
  elapsedMs: count,
});

/** `done.json` of a state directory, written last: until it is there, the sandbox is running or lost. */
export const DoneFile = z.union([z.discriminatedUnion('mode', [AttemptDone, JudgeDone]), KeeperFault]);
export type DoneFile = z.infer<typeof DoneFile>;

/** What `anneal doctor` learns from one jailed command. */
export const SandboxProbe = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('possible'),
    level: SandboxLevel,
    isolation: Isolation,
    /** Host uid of the jailed command, read from a file it made; never 0. */
    hostUid: count.nullable(),
    /** `refused`: a listener on the host's loopback could not be reached, and saw nobody. */
    network: z.enum(['refused', 'reached']),
    interpreters: z.array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('runs'), path: z.string() }),
        z.object({ kind: z.literal('fails'), path: z.string(), detail: z.string() }),
      ]),
    ),
    durationMs: count,
  }),
  z.object({
    kind: z.literal('impossible'),
    cause: z.enum([
      'kernel_setting',
      'apparmor',
      'namespace_limit',
      'nested_container',
      'architecture',
      'bubblewrap_missing',
      'bash_missing',
      'python_missing',
      'level',
      'unknown',
    ]),
    reason: z.string(),
    remedy: z.string(),
  }),
]);
export type SandboxProbe = z.infer<typeof SandboxProbe>;
