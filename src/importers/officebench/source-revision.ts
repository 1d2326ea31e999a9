import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportReport } from '../../schema/import-report.ts';

type Revision = Pick<ImportReport['source'], 'revision' | 'revisionFrom'>;

/** The published state of OfficeBench that this importer was written against. */
const publishedRevision = '4434746ed44f03373031c89eb7677ffedd1ee6e4';

/** The given revision, else that of the git checkout in which the source lies, else the published one. */
export async function sourceRevision(root: string, given: string | undefined): Promise<Revision> {
  if (given !== undefined) return { revision: given, revisionFrom: 'given' };
  const head = await readFile(join(root, '.git', 'HEAD'), 'utf8').catch(() => '');
  const reference = /^ref: (refs\/[\w./-]+)\s*$/.exec(head)?.[1];
  const text = reference?.includes('..')
    ? ''
    : await (reference === undefined ? head : readFile(join(root, '.git', reference), 'utf8').catch(() => ''));
  const commit = /^[0-9a-f]{40}$/.exec(text.trim())?.[0];
  return commit === undefined
    ? { revision: publishedRevision, revisionFrom: 'assumed' }
    : { revision: commit, revisionFrom: 'checkout' };
}
