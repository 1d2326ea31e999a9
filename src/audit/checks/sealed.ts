import { canaryPattern } from '../../domain/canary-pattern.ts';
import { judge, type AuditCheck } from '../audit-check.ts';
import { isClosed, recordsOf, recordsOfKind, type AuditSources } from '../audit-sources.ts';
import { sentFaults } from '../sent-texts.ts';
import { updaterBytes } from '../updater-bytes.ts';
import { runAnew } from '../run-anew.ts';

/** How long a record may take to reach its file. */
const graceMs = 60_000;

/** No canary of a sealed file stands in any byte that an updater received or wrote, and all of those bytes are there and are what was sent and answered. */
export const sealedCheck: AuditCheck = {
  name: 'sealed',
  run: async (sources) => {
    const { canaries, lock } = sources;
    const undisclosed = [...(await unkept(sources)), ...(await sentFaults(sources))];
    const leaks: string[] = [];
    let size = 0;
    let texts = 0;
    for await (const { name, bytes } of updaterBytes(sources)) {
      size += bytes.byteLength;
      texts += 1;
      const found = new Set(bytes.toString('latin1').toLowerCase().match(canaryPattern));
      if (found.size > 0) leaks.push(`${found.size} canaries in ${name}`);
    }
    return judge(
      [...leaks, ...undisclosed],
      `0 of ${canaries.length} canaries found in ${sizeText(size)} of updater-visible bytes (${texts} texts)`,
      leaks.length > 0
        ? `its search saw sealed text: do not claim ${lock.id}; mend the leak, ${runAnew}`
        : 'restore the records and blobs named from a copy: until then nobody can tell what its search saw',
    );
  },
};

/** Every call of an updater has its prompt on record, and what is on record is there, unchanged. */
async function unkept(sources: AuditSources): Promise<string[]> {
  const { ledger, lock, blob, sha256 } = sources;
  const disclosures = recordsOfKind(sources, 'disclosure');
  const prompted = new Set(
    disclosures.filter(({ items }) => items.some(({ content }) => content === 'prompt')).map(({ key }) => key),
  );
  // A lease is opened before its prompt is put on record: of an open experiment the last ones may be on their way.
  const newest = Math.max(0, ...recordsOf(sources).map(({ at }) => Date.parse(at)));
  const settled = isClosed(sources) ? Number.POSITIVE_INFINITY : newest - graceMs;
  const calls = ledger.epochs(lock.id).filter(({ role, openedAt }) => role === 'updater' && openedAt < settled);
  const faults = calls
    .filter(({ attemptKey }) => !prompted.has(attemptKey))
    .map(({ attemptKey, arm }) => `call ${attemptKey.slice(0, 12)} of ${arm} has no prompt on record`);
  for (const { content, blob: digest } of disclosures.flatMap(({ items }) => items)) {
    const bytes = await blob(digest);
    if (bytes === null || sha256(bytes) !== digest)
      faults.push(`${content} ${digest.slice(0, 12)} is missing or changed`);
  }
  return faults;
}

function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'] as const;
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
