import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BlobStore } from '../../src/adapters/blob-store.ts';
import { RecordFiles, type NumberedRecord } from '../../src/adapters/record-files.ts';
import { AnnealError } from '../../src/domain/errors.ts';
import { storageError } from '../../src/domain/storage-error.ts';
import { ExperimentId } from '../../src/schema/ids.ts';
import { createDataHome, dataHomeAt } from '../../src/services/data-home/data-home.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { ensureOfficeMini } from '../../src/services/task-packs/task-pack.ts';
import { EXPERIMENT, FrontClient, ask, binding, leaseRequest, registration, startGateway } from './gateway-fixture.ts';
import { startProviderServer } from './provider-server.ts';

/** Runs with a small file system of its own at the folder given; prints what it saw as JSON. */
const [folder = '', what = ''] = process.argv.slice(2);
const ballast = join(folder, 'ballast');

function fill(): void {
  for (let size = 1 << 20; size >= 512; size >>= 1) {
    for (;;) {
      try {
        writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
      } catch {
        break;
      }
    }
  }
}

const empty = (): void => rmSync(ballast);

async function refused(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'nothing';
  } catch (error) {
    if (error instanceof AnnealError) return error.code;
    return storageError(error)?.code ?? (error as { code?: string }).code ?? String(error);
  }
}

async function blob(): Promise<object> {
  const blobs = new BlobStore(join(folder, 'blobs'));
  const first = await blobs.put('first');
  const large = Buffer.alloc(200_000, 7);
  fill();
  const code = await refused(() => blobs.put(large));
  const parts = readdirSync(join(folder, 'blobs'), { recursive: true }).filter((name) =>
    String(name).endsWith('.part'),
  );
  const stillThere = await blobs.getText(first.sha256);
  empty();
  const again = await blobs.put(large);
  return { code, parts, stillThere, again: (await blobs.get(again.sha256)).equals(large) };
}

async function record(): Promise<object> {
  const [records, sealed] = [join(folder, 'records'), join(folder, 'sealed')];
  mkdirSync(records);
  mkdirSync(sealed);
  const files = new RecordFiles(records, sealed);
  const line = (seq: number): NumberedRecord => ({
    seq,
    sealed: false,
    body: { kind: 'attempt', text: 'x'.repeat(20_000) },
  });
  await files.append([line(1)]);
  fill();
  const code = await refused(() => files.append([line(2), line(3)]));
  empty();
  const before = await new RecordFiles(records, sealed).lastSeq();
  await files.append([line(1), line(2), line(3)]);
  const text = readFileSync(join(records, 'attempts.jsonl'), 'utf8').trimEnd();
  return { code, before, seqs: text.split('\n').map((each) => (JSON.parse(each) as { seq: number }).seq) };
}

async function ledger(): Promise<object> {
  const provider = await startProviderServer({ delayMs: 300 });
  const gateway = await startGateway({ directory: folder });
  const id = ExperimentId.parse(EXPERIMENT);
  await gateway.control.registerExperiment(registration(binding(provider.baseUrl, { timeoutMs: 5_000 })));
  const client = new FrontClient(await gateway.control.openLease(leaseRequest('a')));
  const asked = client.post(1, ask('Sum the sheet.'));
  await provider.arrived(1);
  fill();
  await sleep(800);
  const unsaid = await Promise.race([asked.then(() => 'answered'), sleep(10).then(() => 'waits')]);
  const body = { text: 'x'.repeat(50_000) };
  const append = (): Promise<unknown> =>
    gateway.control.appendRecord({ experimentId: id, stream: 'open', key: 'k', body });
  const code = await refused(append);
  empty();
  const { status } = await asked;
  const { calls } = await gateway.control.listCalls({ experimentId: id });
  fill();
  const second = await client.post(2, ask('And now?'));
  const { unserved } = await gateway.control.leaseUsage({ attemptKey: leaseRequest('a').attemptKey, epoch: 1 });
  empty();
  await append();
  const closed = await gateway.control.closeLease({ attemptKey: leaseRequest('a').attemptKey, epoch: 1, lease: 1 });
  const audit = await gateway.control.auditLedger({ experimentId: id });
  await client.close();
  await gateway.gateway.stop();
  gateway.ledger.close();
  await provider.close();
  return {
    unsaid,
    code,
    status,
    rows: calls.map(({ state, basis }) => `${state} ${basis}`),
    bill: provider.bill,
    charged: audit.charged,
    audit: [audit.unsettled, audit.mismatches],
    second: second.status,
    unserved: [unserved, closed.unserved],
  };
}

const remount = (how: string): Buffer => execFileSync('sh', ['-c', 'mount -o remount,$1 $2', 'sh', how, folder]);

async function pack(): Promise<object> {
  const home = dataHomeAt(join(folder, 'home'));
  mkdirSync(home.root);
  symlinkSync(join(packageRoot, '.anneal-test', 'python'), home.python);
  createDataHome(home);
  fill();
  const code = await refused(() => ensureOfficeMini(home));
  const left = readdirSync(home.packs);
  empty();
  remount('ro');
  const readOnly = [await refused(() => ensureOfficeMini(home)), await refused(() => createDataHome(home))];
  remount('rw');
  return { code, left, readOnly, again: existsSync(await ensureOfficeMini(home)) };
}

const run = { blob, record, ledger, pack }[what];
process.stdout.write(JSON.stringify(await run?.()));
process.exit(0);
