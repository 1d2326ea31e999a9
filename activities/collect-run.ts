import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { classifyRun, type KeeperEnd, type ReportedEnd } from '../src/domain/outcome.ts';
import { hasSubmitted } from '../src/domain/has-submitted.ts';
import type { RunEffect } from '../src/schema/attempt-effect.ts';
import type { AttemptKey, Sha256 } from '../src/schema/ids.ts';
import type { Lease } from '../src/schema/lease.ts';
import type { AttemptDone, SandboxEnd } from '../src/schema/sandbox-done.ts';
import type { ActivityDependencies } from './dependencies.ts';

type Observation = Awaited<ReturnType<ActivityDependencies['sandbox']['observe']>>;

const ClaimedOutcome = z.object({ exit_status: z.string().catch(''), exception_signature: z.string().catch('') });

/** Close the lease, store what the sandbox left as blobs, classify the run. */
export async function collectRun(
  { gateway, blobs, clock }: ActivityDependencies,
  run: {
    readonly key: AttemptKey;
    readonly epoch: number;
    readonly lease: Lease;
    readonly stateDirectory: string;
    readonly observed: Observation;
    readonly openMs: number;
  },
): Promise<RunEffect> {
  const { lease, stateDirectory } = run;
  const collectedAt = clock();
  const usage = await gateway.closeLease({
    attemptKey: run.key,
    epoch: run.epoch,
    lease: lease.lease,
    elapsedMs:
      run.observed.kind === 'lost'
        ? run.observed.elapsedMs
        : Math.max(0, run.observed.done.wallMs - run.observed.done.extendedMs),
  });
  const outputs = await storeOutputs(blobs, stateDirectory, run.observed);
  const observed = outputs === null ? notThere(run.observed) : run.observed;
  const done = observed.kind === 'done' ? observed.done : null;
  const stored: Record<string, Sha256> = {};
  let submitted = false;
  for (const [role, path] of [
    ['trajectory', 'out/harness/trajectory.json'],
    ['harnessLog', 'harness.log'],
    ['commands', 'commands.jsonl'],
  ] as const) {
    const file = join(stateDirectory, path);
    if (!existsSync(file)) continue;
    const bytes = await readFile(file);
    stored[role] = (await blobs.put(bytes)).sha256;
    if (role === 'commands') submitted = hasSubmitted(bytes.toString('utf8'));
  }
  return {
    version: 1,
    runClass: classifyRun({
      usage,
      keeper: keeperEnd(observed),
      reported: done === null ? null : reportedEnd(done, submitted),
      cancelledBy: null,
    }),
    stopped: done?.end.kind === 'stopped',
    usage,
    wallMs: observed.kind === 'lost' ? observed.elapsedMs : observed.done.wallMs,
    sandbox: { level: done?.level ?? 'unknown', cgroup: done?.isolation.cgroup ?? 'unknown' },
    phases: { open: run.openMs, ...done?.phasesMs, store: clock() - collectedAt },
    cpuMs: done === null ? {} : { keeper: done.keeperCpuMs, jails: done.cpuMs },
    blobs: stored,
    outputs: outputs ?? [],
  };
}

/** What was copied out, as blobs; null where a file is not the one that the keeper saw, as a power cut may leave it. */
async function storeOutputs(
  blobs: ActivityDependencies['blobs'],
  stateDirectory: string,
  observed: Observation,
): Promise<RunEffect['outputs'] | null> {
  const outputs: RunEffect['outputs'] = [];
  for (const { path, bytes, sha256 } of observed.kind === 'done' ? observed.done.files : []) {
    const file = join(stateDirectory, 'out', 'work', path);
    if (!existsSync(file)) return null;
    const stored = await blobs.put(await readFile(file));
    if (stored.sha256 !== sha256) return null;
    outputs.push({ path, sha256, bytes });
  }
  return outputs;
}

/** A run whose outputs are gone is one that nobody can judge: infrastructure. */
function notThere(observed: Observation): Observation {
  const elapsedMs = observed.kind === 'done' ? observed.done.wallMs : observed.elapsedMs;
  return { kind: 'lost', reason: 'what was copied out is not what the keeper saw', elapsedMs };
}

function keeperEnd(observed: Observation): KeeperEnd {
  if (observed.kind === 'lost') return { kind: 'lost', reason: observed.reason };
  return endOf(observed.done.end);
}

function endOf(end: SandboxEnd): KeeperEnd {
  if (end.kind === 'stopped') return { kind: 'lost', reason: 'stopped on request' };
  return end.kind === 'start_failed' ? { kind: 'start_failed', reason: `${end.jail}: ${end.reason}` } : end;
}

/** What the run says of itself; null when it says nothing that can be read. A submission that nobody saw is none. */
function reportedEnd({ outcomeText }: AttemptDone, submitted: boolean): ReportedEnd | null {
  if (outcomeText === null) return null;
  try {
    const claimed = ClaimedOutcome.parse(JSON.parse(outcomeText));
    const exitStatus = claimed.exit_status === 'Submitted' && !submitted ? '' : claimed.exit_status;
    return { exitStatus, exceptionSignature: claimed.exception_signature || null };
  } catch {
    return null;
  }
}
