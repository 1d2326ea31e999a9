import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Check } from '../../src/services/doctor/check.ts';
import type { ImportReport } from '../../src/schema/import-report.ts';
import type { Sha256 } from '../../src/schema/ids.ts';
import { CommandLine } from '../support/command-line.ts';
import { demoRecords } from '../support/demo-story.ts';
import { writeExperiment } from '../support/fake-engine.ts';
import { buildLock } from '../support/lock-builder.ts';

const opened: CommandLine[] = [];

function commandLine(...parameters: ConstructorParameters<typeof CommandLine>): CommandLine {
  const made = new CommandLine(...parameters);
  opened.push(made);
  return made;
}

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

/** Golden transcripts are reviewed like code: `npx vitest run test/cli -u` writes them anew. */
function golden(name: string): string {
  return `../transcripts/${name}.txt`;
}

describe('services', () => {
  it('are started and stopped with one line each; where none runs, none is said to be stopped', async () => {
    const line = commandLine({}, { up: false });
    writeExperiment(line.home, buildLock(), []);
    await expect(
      [
        (await line.run('up')).transcript,
        (await line.run('down --now')).transcript,
        (await line.run('down')).transcript,
      ].join('\n'),
    ).toMatchFileSnapshot(golden('services'));
  });

  it('are checked by doctor, with the fix beside what fails', async () => {
    const checks: Check[] = [
      { name: 'node', state: 'ok', detail: 'v20.20.0', fix: null },
      {
        name: 'sandbox',
        state: 'fail',
        detail: 'user namespaces are refused',
        fix: 'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
      },
      { name: 'worker', state: 'warn', detail: 'stopped', fix: 'anneal up' },
    ];
    const broken = commandLine({ doctor: async () => checks });
    const sound = commandLine({ doctor: async () => checks.slice(0, 1) });
    await expect(
      [(await broken.run('doctor')).transcript, (await sound.run('doctor')).transcript].join('\n'),
    ).toMatchFileSnapshot(golden('doctor'));
  });

  it('are asked by doctor for three small calls each, where an experiment is named, with what they cost', async () => {
    const live: readonly Check[] = [
      {
        name: 'solver+updater key',
        state: 'ok',
        detail: 'MODEL_API_KEY is accepted by models.example, model-a answers',
        fix: null,
      },
      {
        name: 'solver+updater tools',
        state: 'fail',
        detail: 'it answered without the tool it was asked to call',
        fix: 'take a model or an endpoint that calls tools: the harness H0 works by them',
      },
      {
        name: 'solver+updater cost',
        state: 'ok',
        detail:
          "$0.0021 for 3 requests, 412 tokens; booked under the doctor's account exp_0d0c7042, in no experiment's totals",
        fix: null,
      },
    ];
    const sound: Check = { name: 'node', state: 'ok', detail: 'v20.20.0', fix: null };
    const asked: string[] = [];
    const line = commandLine({
      doctor: async () => [sound],
      doctorLive: async (_, wanted) => {
        asked.push(wanted);
        return live;
      },
    });
    await expect((await line.run('doctor --live ace.yaml')).transcript).toMatchFileSnapshot(golden('doctor-live'));
    expect(asked).toEqual(['ace.yaml']);
  });

  it('start what had not run, which doctor then shows as running, and lead to the run', async () => {
    let started = false;
    const line = commandLine({
      doctor: async () => [
        { name: 'worker', state: started ? 'ok' : 'warn', detail: started ? 'pid 7' : 'stopped', fix: null },
      ],
      doctorLive: async () => {
        started = true;
        return [{ name: 'solver key', state: 'ok', detail: 'accepted', fix: null }];
      },
    });
    const { transcript } = await line.run('doctor --live ace.yaml');
    expect(transcript).toContain('ok   worker      pid 7');
    expect(transcript).toContain('next  anneal run ace.yaml');
  });
});

describe('revisions and tasks', () => {
  it('are compared, with what stayed the same named', async () => {
    const line = commandLine();
    writeExperiment(line.home, buildLock(), demoRecords(5));
    const patch =
      ' playbook.md | 1 +\n\ndiff --git a/playbook.md b/playbook.md\n+[sai-00001] helpful=1 harmful=0 :: Recalculate first';
    const changed = commandLine({ diff: async () => patch });
    writeExperiment(changed.home, buildLock(), demoRecords(5));
    await expect(
      [
        (await changed.run('diff h0..cand-1')).transcript,
        (await line.run('diff h0..cand-9')).transcript,
        (await line.run('diff a b c d')).transcript,
      ].join('\n'),
    ).toMatchFileSnapshot(golden('diff'));
  });

  it('are imported, with what was put aside and why', async () => {
    const totals = {
      ...{ upstreamTasks: 3, tasks: 12, listed: 7, byStatus: {}, byFinding: {}, inputFiles: 0, inputFilesReused: 0 },
      quarantinedBy: { unsatisfiable: 2, 'existence-only': 3, vacuous: 0 },
      listedByModality: { document: 3, spreadsheet: 2, 'cross-office': 2 },
    };
    const source: ImportReport['source'] = {
      ...{ project: 'OfficeBench', url: 'https://example.com', revision: '4434746ed44f03373031c89eb7677ffedd1ee6e4' },
      ...{ revisionFrom: 'checkout', licence: 'Apache-2.0', listingSha256: 'a'.repeat(64) as Sha256 },
    };
    const line = commandLine({
      importOfficeBench: async ({ out }) => {
        mkdirSync(out);
        writeFileSync(`${out}/splits.yaml`, '');
        return { version: 1, importer: 'officebench', mode: 'faithful', source, totals, groups: [], tasks: [] };
      },
    });
    await expect(
      [
        (await line.run('import officebench ../OfficeBench --out imported')).transcript,
        (await line.run('import officebench ../OfficeBench')).transcript,
      ].join('\n'),
    ).toMatchFileSnapshot(golden('import'));
  });

  it('are audited: each replay that missed is named', async () => {
    const replays = [
      { task: 'office-mini/p1', replay: 'reference', expected: '1', reward: 1, misses: [], ok: true },
      {
        task: 'office-mini/p1',
        replay: 'empty',
        expected: '0',
        reward: 0.2,
        misses: ['reward 0.2, declared 0', 'delivered true, declared false'],
        ok: false,
      },
    ];
    const failing = commandLine({ auditTasks: async () => replays });
    const passing = commandLine({ auditTasks: async () => replays.slice(0, 1) });
    await expect(
      [(await failing.run('tasks audit')).transcript, (await passing.run('tasks audit')).transcript].join('\n'),
    ).toMatchFileSnapshot(golden('tasks-audit'));
  });
});
