import { harnessFileNames } from '../schema/harness.ts';
import { recordsOfKind, type AuditSources } from './audit-sources.ts';

/** One text that an updater received or wrote. */
export interface UpdaterBytes {
  /** Where it stands, for people: channel, arm and the start of a digest. */
  readonly name: string;
  readonly channel: 'evidence' | 'prompt' | 'reply' | 'derived' | 'candidate' | 'finding';
  readonly bytes: Buffer;
}

/** Every byte that an updater of this experiment ever received or wrote, one text after the other, each blob once. */
export async function* updaterBytes(sources: AuditSources): AsyncGenerator<UpdaterBytes> {
  const seen = new Set<string>();
  for (const { arm, items } of recordsOfKind(sources, 'disclosure')) {
    for (const { content, blob } of items) {
      if (seen.has(blob)) continue;
      seen.add(blob);
      const bytes = await sources.blob(blob);
      if (bytes !== null) yield { name: `${content} ${blob.slice(0, 12)} of ${arm}`, channel: content, bytes };
    }
  }
  for (const { arm, candidate, commit } of recordsOfKind(sources, 'revision')) {
    const files = await sources.files(commit);
    if (files === null) continue;
    for (const name of harnessFileNames) {
      yield {
        name: `${name} of ${candidate === 0 ? 'h0' : `${arm} cand-${candidate}`}`,
        channel: 'candidate',
        bytes: Buffer.from(files[name]),
      };
    }
  }
  for (const { arm, event, reason } of recordsOfKind(sources, 'decision')) {
    if (arm !== null && event === 'updater-findings') {
      yield { name: `findings told to ${arm}`, channel: 'finding', bytes: Buffer.from(reason) };
    }
  }
}
