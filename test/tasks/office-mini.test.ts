import { cp, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { parse } from 'smol-toml';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { JudgeReport } from '../../src/schema/judgement.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { buildOfficeMini } from '../support/office-mini.ts';
import { judgesFolder, solverPython } from '../support/solver-python.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ids = ['c1', 'c2', 'c3', 'c4', 'd1', 'd2', 'd3', 'd4', 'p1', 'p2', 'p3', 'p4', 'x1', 'x2', 'x3', 'x4'];
const source = join(packageRoot, 'tasks', 'office-mini');
const builder = join(source, 'build.py');

const Row = z.object({
  task: z.string(),
  name: z.string(),
  reward: z.number().nullable(),
  declared: z.tuple([z.number(), z.number()]),
  failing: z.array(z.string()),
  misses: z.array(z.string()),
  report: JudgeReport.nullable(),
});

const Metadata = z.object({
  modality: z.enum(['presentation', 'document', 'spreadsheet', 'cross-office']),
  leakage_group: z.string(),
  deliverables: z.array(z.string()).min(1),
  edit_task: z.boolean(),
  preservation_weight: z.number(),
  input_sha256: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});

let pack = '';
let rows: z.infer<typeof Row>[] = [];

beforeAll(async () => {
  pack = await buildOfficeMini();
  const table = join(pack, 'rows.json');
  const tasks = ids.map((id) => join(pack, id));
  await execa(solverPython, ['-B', join(judgesFolder, 'replay.py'), ...tasks, '--json', table], { reject: false });
  rows = z.array(Row).parse(JSON.parse(await readFile(table, 'utf8')));
});

async function metadataOf(id: string): Promise<z.infer<typeof Metadata>> {
  const task = parse(await readFile(join(pack, id, 'task.toml'), 'utf8'));
  return Metadata.parse(task['metadata']);
}

function reportOf(id: string, name: string): JudgeReport {
  const report = rows.find((row) => row.task === id && row.name === name)?.report;
  if (!report) throw new Error(`no verdict for ${id} ${name}`);
  return report;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('the builder', () => {
  it('makes the recorded inputs byte for byte, in any time zone and locale', async () => {
    const env = { TZ: 'Asia/Tokyo', LC_ALL: 'C', PYTHONHASHSEED: '7' };
    const done = await execa(solverPython, ['-B', builder, '--check'], { env });
    expect(done.stdout).toBe('24 inputs, 0 differ from inputs.sha256');
  });

  it('refuses a folder that is not empty', async () => {
    const done = await execa(solverPython, ['-B', builder, pack], { reject: false });
    expect(done.exitCode).toBe(2);
  });

  it('makes exactly the sixteen tasks', async () => {
    const entries = await readdir(pack, { withFileTypes: true });
    expect(
      entries
        .filter((e) => e.isDirectory())
        .map((e) => e.name)
        .toSorted(),
    ).toEqual(ids);
  });
});

describe('every replay earns what its task declares', () => {
  it.each(ids)('%s', (id) => {
    const found = rows.filter((row) => row.task === id);
    expect(found.flatMap((row) => row.misses.map((miss) => `${row.name}: ${miss}`))).toEqual([]);
    expect(found.map((row) => row.name)).toEqual(expect.arrayContaining(['reference', 'empty', 'corrupt', 'trap']));
  });
});

describe('the replay driver', () => {
  it('fails on a verdict that is not the declared one', async () => {
    const task = join(temporaryFolder('replay'), 'x1');
    await cp(join(pack, 'x1'), task, { recursive: true });
    const declared = join(task, 'replays', 'expected.toml');
    const text = await readFile(declared, 'utf8');
    await writeFile(declared, text.replace('failing = ["formula", "moves"]', 'failing = ["formula"]'));
    const done = await execa(solverPython, ['-B', join(judgesFolder, 'replay.py'), task], { reject: false });
    expect(done.exitCode).toBe(1);
    expect(done.stdout).toMatch(/trap .* MISS .* failing \['formula', 'moves'\], declared \['formula'\]/);
    expect(done.stdout).toMatch(/4 of 5 replays as declared$/);
  });
});

describe('a task of the pack', () => {
  it.each(ids)('%s is fully accepted on its reference, and its trap is not', (id) => {
    const reference = reportOf(id, 'reference');
    expect(reference.reward).toBe(1);
    expect(reference.vector).toMatchObject({ semantic: 100, strict: true });
    expect(reportOf(id, 'trap').vector.strict).toBe(false);
  });

  it.each(ids)('%s judges exactly the deliverables that it declares', async (id) => {
    const { deliverables } = await metadataOf(id);
    const faults = (fault: string): object[] => deliverables.map((file) => ({ file, fault }));
    expect(reportOf(id, 'empty').deliveryFaults).toEqual(faults('missing'));
    expect(reportOf(id, 'corrupt').deliveryFaults).toEqual(faults('unreadable'));
  });

  it.each(ids)('%s declares the weight of what the unmodified input already meets', async (id) => {
    const { edit_task: edited, preservation_weight: declared } = await metadataOf(id);
    const kept = reportOf(id, 'reference').criteria.filter((c) => c.kind === 'preservation');
    const weight = kept.reduce((sum, c) => sum + c.weight, 0);
    expect(edited ? weight : declared).toBeCloseTo(declared, 9);
    const unmodified = rows.find((row) => row.task === id && row.name === 'unmodified');
    expect(unmodified !== undefined).toBe(edited);
    expect(unmodified?.reward ?? 0).toBeLessThanOrEqual(declared + 1e-6);
    const met = unmodified?.report?.criteria.filter((c) => c.status === 'pass').map((c) => c.kind) ?? [];
    expect(met.filter((kind) => kind !== 'preservation')).toEqual([]);
  });

  it.each(ids)('%s names every required output in its instruction', async (id) => {
    const instruction = await readFile(join(pack, id, 'instruction.md'), 'utf8');
    const { deliverables } = await metadataOf(id);
    expect(deliverables.filter((file) => !instruction.includes(`/app/${file}`))).toEqual([]);
  });

  it.each(ids)('%s carries one canary in its sealed files and in nothing that a solver sees', async (id) => {
    const canary = /anneal-canary-[0-9a-f]{16}/g;
    const canaries = new Set<string>();
    for (const file of await filesBelow(join(pack, id))) {
      const found = (await readFile(file, 'latin1')).match(canary) ?? [];
      const name = file.slice(join(pack, id).length + 1);
      const sealed = /^(tests|solution|replays)\/[^/]+$/.test(name);
      expect({ name, canary: found.length > 0 }).toEqual({ name, canary: sealed });
      found.forEach((text) => canaries.add(text));
    }
    expect(canaries.size).toBe(1);
  });

  it.each(ids)('%s shows no expected value in what it observed on the unmodified or trapped output', (id) => {
    for (const name of ['unmodified', 'trap'].filter((n) => rows.some((row) => row.task === id && row.name === n))) {
      for (const c of reportOf(id, name).criteria.filter(
        (found) => found.status === 'fail' && (found.expected ?? '').length > 3,
      )) {
        expect(c.observed).not.toContain(c.expected);
      }
    }
  });
});

describe('leakage groups', () => {
  it('hold together every two tasks that share an input', async () => {
    const owners = new Map<string, Set<string>>();
    for (const id of ids) {
      const { input_sha256: hashes, leakage_group: group } = await metadataOf(id);
      for (const digest of Object.values(hashes)) owners.set(digest, (owners.get(digest) ?? new Set()).add(group));
    }
    expect([...owners.values()].filter((groups) => groups.size > 1)).toEqual([]);
  });

  it('pair two tasks of each of two modalities on the same bytes', async () => {
    const groups = new Map<string, string[]>();
    for (const id of ids) {
      const { leakage_group: group } = await metadataOf(id);
      groups.set(group, [...(groups.get(group) ?? []), id]);
    }
    expect([...groups.values()].filter((members) => members.length > 1)).toEqual([
      ['d2', 'd3'],
      ['p2', 'p3'],
    ]);
  });
});
