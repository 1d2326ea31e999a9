import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AnnealError } from '../domain/errors.ts';
import { inRecordOrder } from '../domain/record-order.ts';
import { ExperimentRecord } from '../schema/record.ts';
import type { ExperimentDirectory } from './experiment-directory.ts';

/**
 * All records of an experiment, open and sealed, in the order of the ledger.
 * Only engine code reads sealed records before close; screens show their aggregates.
 * @throws AnnealError ANL-6008 for a damaged line, naming file and line.
 */
export function readRecords(directory: ExperimentDirectory): ExperimentRecord[] {
  const lines = [directory.records, directory.sealed].flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.jsonl'))
          .toSorted()
          .flatMap((name) => readLines(join(folder, name)))
      : [],
  );
  return inRecordOrder(lines).map(({ record }) => record);
}

/** A record with its number in the ledger, null where its line tells none. */
interface ReadLine {
  readonly seq: number | null;
  readonly record: ExperimentRecord;
}

function readLines(file: string): ReadLine[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    if (text === '') return [];
    try {
      const { seq, ...body } = JSON.parse(text) as { readonly seq?: unknown };
      return [{ seq: typeof seq === 'number' ? seq : null, record: ExperimentRecord.parse(body) }];
    } catch (cause) {
      // A last line without its newline is an append in progress.
      if (index === lines.length - 1) return [];
      throw new AnnealError(
        'ANL-6008',
        { file, experiment: basename(dirname(dirname(file))) },
        { at: [{ file, line: index + 1 }], cause },
      );
    }
  });
}
