import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderReport } from '../../src/report/documents/render-report.ts';
import type { Report } from '../../src/schema/report.ts';
import { World } from '../../src/schema/world.ts';
import { packageRoot } from '../../src/services/package-root.ts';
import { worldsDirectory } from '../../src/services/freeze/world-document.ts';
import { type Findings, WholeRun } from '../support/whole-run.ts';

const world = World.parse(parse(readFileSync(join(worldsDirectory, 'no-transfer.yaml'), 'utf8')));

const sign = (delta: number | null | undefined): '+' | '0' | '-' | null =>
  delta === null || delta === undefined ? null : delta > 0 ? '+' : delta < 0 ? '-' : '0';

describe('the demo', () => {
  let findings: Record<1 | 4, Findings>;
  let asked: Record<1 | 4, readonly string[]>;
  let report: Report;
  const runs: WholeRun[] = [];

  beforeAll(async () => {
    const finished: Partial<Record<1 | 4, Findings>> = {};
    const requests: Partial<Record<1 | 4, readonly string[]>> = {};
    for (const lanes of [4, 1] as const) {
      const run = new WholeRun();
      runs.push(run);
      await run.start('experiments/demo.yaml', lanes);
      await run.complete();
      finished[lanes] = run.findings();
      report = run.report();
      requests[lanes] = (await run.calls())
        .map(({ role, attemptKey, call, requestHash }) => `${role} ${attemptKey} ${call} ${requestHash}`)
        .toSorted();
      await run.engine.down({ now: false }, () => {});
    }
    findings = finished as Record<1 | 4, Findings>;
    asked = requests as Record<1 | 4, readonly string[]>;
  }, 420_000);

  afterAll(async () => {
    for (const run of runs) await run.remove();
  });

  test('comes to the same scores, revisions, champions and queries in two data homes, with one lane and with four', () => {
    expect(findings[1]).toEqual(findings[4]);
    expect(findings[1].scores).toHaveLength(6 + 3 * 4 + 7 * 2);
  });

  test('asks both models the same in both, byte for byte: neither time nor machine stands in a prompt', () => {
    expect(new Set(asked[4].map((line) => line.split(' ')[0]))).toEqual(new Set(['solver', 'updater']));
    expect(asked[1]).toEqual(asked[4]);
  });

  test('finds every sign that its world declares', () => {
    const champion = report.arms[0]?.champions.find(({ claimed }) => claimed);
    expect(champion?.revision).not.toBe('h0');
    expect({
      selection: sign(champion?.selection.delta),
      inDomain: sign(champion?.inDomain.delta),
      crossOffice: sign(champion?.crossOffice.delta),
    }).toEqual(world.expectedSigns);
  });

  test('ends as the README shows it, and with the tokens that its picture shows', () => {
    const screen = renderReport(report);
    const shown = screen.slice(0, screen.indexOf('\nnext ')).trimEnd();
    expect(shown).toContain('tokens  solver ');
    expect(readFileSync(join(packageRoot, 'README.md'), 'utf8')).toContain(shown);
    const tokens = shown.split('\n').find((line) => line.startsWith('tokens  '));
    expect(readFileSync(join(packageRoot, 'docs', 'demo.svg'), 'utf8')).toContain(`>${tokens}<`);
  });

  test('covers every planned task and contradicts nothing', () => {
    expect(report).toMatchObject({
      state: 'complete',
      simulated: true,
      world: 'no-transfer',
      unscored: [],
      findings: [],
    });
    for (const { scored, planned, verdict } of [
      report.baseline.selection,
      report.baseline.inDomain,
      report.baseline.crossOffice,
    ]) {
      expect([scored, verdict.kind]).toEqual([planned, 'covered']);
    }
    expect(report.arms[0]?.queries).toEqual({ used: 4, cap: 4 });
  });

  test('spends tokens in both roles and none that is unknown', () => {
    const tokens = (report.resources.tokens ?? []).filter(({ calls }) => calls > 0);
    expect(tokens.map(({ role }) => role)).toEqual(['solver', 'updater']);
    for (const { reported, charged, unknownRows } of tokens) {
      expect([reported > 0, charged, unknownRows]).toEqual([true, reported, 0]);
    }
  });
});
