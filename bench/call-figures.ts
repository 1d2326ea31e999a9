import type { CallLane, CallTarget } from './call-target.ts';
import { timedCall } from './call-target.ts';

const CONNECTIONS = 8;

/**
 * What one target showed: milliseconds of each call, milliseconds to the first streamed byte (none where the target cannot
 * stream), calls per second over eight connections.
 */
export interface CallFigures {
  readonly name: string;
  readonly whole: readonly number[];
  readonly first: readonly number[];
  readonly perSecond: number;
}

/**
 * Measures all targets in one run: each is warmed up, then single calls alternate between the targets, so that load of the
 * machine falls on all alike; then eight connections at once, one target after the other.
 */
export async function callFigures(targets: readonly CallTarget[], calls: number): Promise<readonly CallFigures[]> {
  for (const target of targets) await rate(target, calls * 4);
  const whole = await alternate(targets, calls, false);
  const first = await alternate(targets, Math.min(calls, 80), true);
  const figures: CallFigures[] = [];
  for (const [index, target] of targets.entries()) {
    figures.push({
      name: target.name,
      whole: (whole[index] ?? []).map((time) => time.whole),
      first: (first[index] ?? []).map((time) => time.first),
      perSecond: await rate(target, calls),
    });
  }
  return figures;
}

type Time = Awaited<ReturnType<typeof timedCall>>;

async function alternate(targets: readonly CallTarget[], calls: number, stream: boolean): Promise<Time[][]> {
  const lanes: CallLane[] = [];
  for (const target of targets) lanes.push(await target.lane(0));
  const times: Time[][] = lanes.map(() => []);
  const failed = new Set<number>();
  for (let call = 1; call <= calls; call += 1) {
    for (const [index, lane] of lanes.entries()) {
      if (failed.has(index)) continue;
      try {
        times[index]?.push(await timedCall(lane, call, stream));
      } catch (error) {
        if (!stream) throw error;
        process.stderr.write(`${targets[index]?.name ?? ''} does not stream here: ${String(error)}\n`);
        failed.add(index);
      }
    }
  }
  for (const lane of lanes) await lane.close();
  return times;
}

async function rate(target: CallTarget, calls: number): Promise<number> {
  const each = Math.ceil(calls / CONNECTIONS);
  const lanes = await Promise.all(Array.from({ length: CONNECTIONS }, async (_, index) => target.lane(index)));
  const started = performance.now();
  await Promise.all(
    lanes.map(async (lane) => {
      for (let call = 1; call <= each; call += 1) await timedCall(lane, call);
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const lane of lanes) await lane.close();
  return (CONNECTIONS * each) / seconds;
}
