import pLimit from 'p-limit';
import type { AttemptRecord } from '../../src/schema/record.ts';
import type { DeclaredHarness, DeclaredOutcome } from '../hostile/declared-harness.ts';
import { AttemptLab } from './attempt-lab.ts';
import type { JailLevel } from './jail-level.ts';
import { packExperiment, packModel, packTasks } from './pack-experiment.ts';
import { type ProviderServer, startProviderServer } from './provider-server.ts';

const lanes = 4;

export interface HarnessRun {
  readonly records: readonly AttemptRecord[];
  /** What the harness printed. */
  readonly log: string;
}

/** Attempts of many harnesses at one level, several at a time over one gateway, begun at once and asked for by name. */
export class HarnessRuns {
  readonly lab: AttemptLab;
  readonly provider: ProviderServer;
  private readonly runs = new Map<string, Promise<HarnessRun | Error>>();

  private constructor(lab: AttemptLab, provider: ProviderServer) {
    this.lab = lab;
    this.provider = provider;
  }

  static async start(level: JailLevel, harnesses: readonly DeclaredHarness[], uidBase: number): Promise<HarnessRuns> {
    const provider = await startProviderServer({ profile: (_, body) => packModel(body) });
    const runs = new HarnessRuns(await AttemptLab.create(level, packExperiment(provider.baseUrl), uidBase), provider);
    const limit = pLimit(lanes);
    for (const harness of harnesses) {
      const run = limit(() => runs.run(harness)).catch((error: unknown) => error as Error);
      runs.runs.set(harness.name, run);
    }
    return runs;
  }

  /** @throws what the attempt threw. */
  async of({ name }: DeclaredHarness): Promise<HarnessRun> {
    const run = await this.runs.get(name);
    if (run === undefined || run instanceof Error) throw run ?? new Error(`no harness ${name}`);
    return run;
  }

  async end(): Promise<void> {
    await Promise.all(this.runs.values());
    await this.lab.remove();
    await this.provider.close();
  }

  private async run(harness: DeclaredHarness): Promise<HarnessRun> {
    const revision = await this.lab.revision(harness.files());
    const records = await this.lab.attempt(revision, harness.short === true ? packTasks.short : packTasks.long);
    const [first] = records;
    return { records, log: first === undefined ? '' : await this.lab.text(first, 'harnessLog') };
  }
}

export function declaredAt({ outcome, outcomeAtUser }: DeclaredHarness, { name }: JailLevel): DeclaredOutcome {
  return name === 'user' ? (outcomeAtUser ?? outcome) : outcome;
}

/** A record's outcome in the words of a declaration, with the signature where it says more. */
export function outcomeOf({ outcome }: AttemptRecord): DeclaredOutcome | { readonly class: string } {
  switch (outcome.kind) {
    case 'scored':
      return { class: 'scored', reward: outcome.reward as 0 | 1 };
    case 'scored_with_agent_error':
      return { class: outcome.cause, reward: outcome.reward as 0 | 1 };
    case 'unscored_infra':
      return { class: `infrastructure of the ${outcome.phase}: ${outcome.reason}` };
    case 'cancelled':
      return { class: `cancelled by ${outcome.by}` };
  }
}
