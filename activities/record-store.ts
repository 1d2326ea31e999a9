import { isClosed } from '../src/domain/is-closed.ts';
import type { ExperimentLock } from '../src/schema/experiment-lock.ts';
import { ExperimentRecord } from '../src/schema/record.ts';
import type { ExperimentId } from '../src/schema/ids.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** Streams of the record table; what stands in `sealed` is closed until the experiment is. */
export type RecordStream = 'open' | 'sealed';

const page = 5_000;

interface StreamRecord {
  readonly seq: number;
  readonly stream: string;
  readonly body: unknown;
}

/** Appends records once per key to the durable table and projects them to the experiment's JSONL files. */
export class RecordStore {
  private readonly dependencies: Pick<ActivityDependencies, 'gateway' | 'experiments'>;
  /** One projection of an experiment at a time. */
  private readonly queues = new Map<ExperimentId, Promise<unknown>>();

  constructor(dependencies: Pick<ActivityDependencies, 'gateway' | 'experiments'>) {
    this.dependencies = dependencies;
  }

  /** Append once; a repeated key leaves the first body standing. Returns whether it was the first. */
  async append(lock: ExperimentLock, stream: RecordStream, key: string, record: ExperimentRecord): Promise<boolean> {
    const { appended } = await this.dependencies.gateway.appendRecord({
      experimentId: lock.id,
      stream,
      key,
      body: ExperimentRecord.parse(record),
    });
    await this.project(lock);
    return appended;
  }

  /** Every record of an experiment in the order appended. */
  async all(id: ExperimentId): Promise<ExperimentRecord[]> {
    return (await this.since(id, 0)).map(({ body }) => ExperimentRecord.parse(body));
  }

  /** Write again what is missing of an experiment's files, and where it is closed, beside the open ones. */
  async rebuild(lock: ExperimentLock): Promise<void> {
    const fresh = await this.project(lock);
    if (!fresh.some(({ stream }) => stream === 'sealed')) return;
    if (isClosed(await this.all(lock.id))) await this.dependencies.experiments.openSealed(lock);
  }

  private project(lock: ExperimentLock): Promise<readonly StreamRecord[]> {
    const run = async (): Promise<readonly StreamRecord[]> => {
      const since = await this.dependencies.experiments.projectedSeq(lock);
      const fresh = await this.since(lock.id, since);
      await this.dependencies.experiments.project(
        lock,
        fresh.map(({ seq, stream, body }) => ({ seq, sealed: stream === 'sealed', body })),
      );
      return fresh;
    };
    const next = (this.queues.get(lock.id) ?? Promise.resolve()).then(run, run);
    this.queues.set(lock.id, next);
    return next;
  }

  private async since(id: ExperimentId, since: number): Promise<StreamRecord[]> {
    const found = [];
    let cursor = since;
    while (true) {
      const { records } = await this.dependencies.gateway.listRecords({ experimentId: id, since: cursor, limit: page });
      found.push(...records);
      if (records.length < page) return found;
      cursor = records.at(-1)?.seq ?? cursor;
    }
  }
}
