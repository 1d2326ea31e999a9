import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { AuditSources } from '../../src/audit/audit-sources.ts';
import { blobsCheck } from '../../src/audit/checks/blobs.ts';
import { recordsCheck } from '../../src/audit/checks/records.ts';
import { keptBlobs } from '../../src/audit/kept-blobs.ts';
import type { Audit } from '../../src/audit/audit-experiment.ts';
import { gatherAuditSources } from '../../src/services/data-home/gather-audit-sources.ts';
import type { EvidenceCopy } from './evidence-copy.ts';

/** One thing taken away from a copy: its name, how to take it away and how to put it back. */
interface Loss {
  readonly name: string;
  readonly take: () => void;
  readonly putBack: () => void;
}

/** What may be taken away from a finished experiment, and what of it an audit does not tell by name, which has to be nothing. */
export const lossRules: readonly (readonly [rule: string, missed: (copy: EvidenceCopy) => Promise<string[]>])[] = [
  [
    'any one line that is taken out of any record file, and names the file',
    async (copy) => {
      const losses = lineLosses(copy);
      const unwritten = recordKinds.filter((kind) => !copy.records().some((record) => record.kind === kind));
      return [...unwritten, ...(await linesNotMissed(copy)), ...(await undetected(copy, losses))];
    },
  ],
  ['any file of the experiment that is removed, and names it', async (copy) => undetected(copy, fileLosses(copy))],
  [
    'any blob of any kind that is deleted or changed, and names it: no blob is kept that it does not know',
    async (copy) => {
      const known = new Set((await namedBlobs(copy)).map(({ digest }) => digest));
      const strange = filesBelow(copy.home.blobs).filter((path) => !known.has(basename(path)));
      const losses = await blobLosses(copy);
      const lacking = blobKinds.filter((kind) => !losses.some((loss) => loss.kind.startsWith(kind)));
      const outputs = losses.filter(({ kind }) => kind.startsWith('output/')).slice(0, 2);
      return [...strange, ...lacking, ...(await blobsNotMissed(copy, losses)), ...(await undetected(copy, outputs))];
    },
  ],
];

/** Kinds of records that a whole run writes. */
const recordKinds = ['attempt', 'champion', 'decision', 'disclosure', 'query', 'revision', 'usage'] as const;
const blobKinds = [
  'output/',
  'trajectory',
  'harnessLog',
  'commands',
  'judge',
  'evidence',
  'prompt',
  'reply',
  'derived',
];

/** Paths of all files below a folder, relative to it. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** The first, a middle and the last line of every record file, one loss each; the name is that of the file. */
function lineLosses(copy: EvidenceCopy): Loss[] {
  return filesBelow(copy.folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => {
      const path = join(copy.folder, name);
      const text = readFileSync(path, 'utf8');
      const lines = text.split('\n').slice(0, -1);
      const places = new Set([0, Math.floor(lines.length / 2), lines.length - 1]);
      return [...places].map((index) => ({
        name: fileNameTold(basename(name)),
        take: () =>
          writeFileSync(
            path,
            lines
              .toSpliced(index, 1)
              .map((line) => `${line}\n`)
              .join(''),
          ),
        putBack: () => writeFileSync(path, text),
      }));
    });
}

/** Lines of the records that may be taken out of their files, any one alone, without the check of records naming the file. */
async function linesNotMissed(copy: EvidenceCopy): Promise<string[]> {
  return withSources(copy, async (sources) => {
    const silent: string[] = [];
    for (const line of sources.lines) {
      const found = await recordsCheck.run({ ...sources, lines: sources.lines.filter((other) => other !== line) });
      const told = found.state === 'fail' && found.faults.some((fault) => fault.includes(fileNameTold(line.file)));
      if (!told) silent.push(`${line.file}:${line.line}`);
    }
    return silent;
  });
}

/** Sealed or opened, a record file has one name in an audit. */
function fileNameTold(name: string): string {
  return name.replace('.opened', '');
}

/** Every file of the experiment's folder but its lock, one loss each. */
function fileLosses(copy: EvidenceCopy): Loss[] {
  return filesBelow(copy.folder)
    .filter((name) => name !== 'lock.json')
    .map((name) => ({ name: fileNameTold(name.replace(/^records\//, '')), ...fileLoss(join(copy.folder, name)) }));
}

function fileLoss(path: string): Pick<Loss, 'take' | 'putBack'> {
  const bytes = readFileSync(path);
  return {
    take: () => rmSync(path),
    putBack: () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
    },
  };
}

/** Of every kind of blob the first, once deleted and once with another byte. The name is its digest. */
async function blobLosses(copy: EvidenceCopy): Promise<readonly (Loss & { readonly kind: string })[]> {
  const byKind = new Map<string, string>();
  for (const { name, digest } of await namedBlobs(copy)) {
    const kind = name.replace(/ (\(.*\) )?(of )?.*$/, (_, part: string | undefined) => (part ? ` ${part.trim()}` : ''));
    if (!byKind.has(kind)) byKind.set(kind, digest);
  }
  return [...byKind].flatMap(([kind, digest]) => {
    const path = copy.blobPath(digest);
    const { take, putBack } = fileLoss(path);
    const alter = (): void => {
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.length === 0 ? ' ' : bytes.fill((bytes[0] ?? 0) ^ 1, 0, 1));
    };
    return [
      { kind, name: digest, take, putBack },
      { kind, name: digest, take: alter, putBack },
    ];
  });
}

/** What the audit holds to be the blobs of an experiment. */
async function namedBlobs(copy: EvidenceCopy): ReturnType<typeof keptBlobs> {
  return withSources(copy, keptBlobs);
}

/** Losses of blobs that the check of blobs does not tell by digest. */
async function blobsNotMissed(copy: EvidenceCopy, losses: readonly Loss[]): Promise<string[]> {
  return withSources(copy, async (sources) => {
    const silent: string[] = [];
    for (const { name, take, putBack } of losses) {
      take();
      const found = await blobsCheck.run(sources);
      putBack();
      if (found.state !== 'fail' || !found.faults.some((fault) => fault.includes(name))) silent.push(name);
    }
    return silent;
  });
}

async function withSources<Value>(copy: EvidenceCopy, use: (sources: AuditSources) => Promise<Value>): Promise<Value> {
  const sources = await gatherAuditSources(copy.home, copy.lock);
  try {
    return await use(sources);
  } finally {
    sources.ledger.close();
  }
}

/** The audit with one thing after the other taken away: what each left undetected, or detected without its name or a repair. */
async function undetected(copy: EvidenceCopy, losses: readonly Loss[]): Promise<string[]> {
  const silent: string[] = [];
  for (const { name, take, putBack } of losses) {
    take();
    const said = failures(await copy.audit());
    putBack();
    if (!said.includes(name)) silent.push(`${name}: ${said || 'nothing'}`);
  }
  return silent;
}

function failures({ checks }: Audit): string {
  return checks
    .filter(({ state, repair }) => state === 'fail' && repair !== null && repair !== '')
    .flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`))
    .join('\n');
}
