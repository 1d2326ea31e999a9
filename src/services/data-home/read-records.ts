import { basename } from 'node:path';
import { AnnealError } from '../../domain/errors.ts';
import { inRecordOrder } from '../../domain/record-order.ts';
import { ExperimentRecord } from '../../schema/record.ts';
import type { ExperimentDirectory } from './experiment-directory.ts';
import { readRecordLines, type RecordText } from './read-record-lines.ts';

/**
 * All records of an experiment, open and sealed, in the order of the ledger, also while it runs or closes.
 * Only engine code reads sealed records before close; screens show their aggregates.
 * @throws AnnealError ANL-6008 for a damaged line, naming file and line.
 */
export function readRecords(directory: ExperimentDirectory): ExperimentRecord[] {
  const lines = readRecordLines(directory).flatMap((line) => readLine(line, basename(directory.root)));
  return inRecordOrder(lines).map(({ record }) => record);
}

/** A record with its number in the ledger, null where its line tells none. */
interface ReadLine {
  readonly seq: number | null;
  readonly record: ExperimentRecord;
}

function readLine({ file, line, text, unended }: RecordText, experiment: string): ReadLine[] {
  try {
    const { seq, ...body } = JSON.parse(text) as { readonly seq?: unknown };
    return [{ seq: typeof seq === 'number' ? seq : null, record: ExperimentRecord.parse(body) }];
  } catch (cause) {
    if (unended) return [];
    throw new AnnealError('ANL-6008', { file, experiment }, { at: [{ file, line }], cause });
  }
}
