import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { rmSync, symlinkSync } from 'node:fs';
import { readTaskDirectory } from '../../src/adapters/task-directory.ts';
import { TaskId } from '../../src/schema/ids.ts';
import { type ExperimentFolder, layOut, taskFiles } from '../support/experiment-files.ts';

const task = TaskId.parse('desk/d1');
let folder: ExperimentFolder;

beforeEach(() => {
  folder = layOut(taskFiles('d1'));
});

afterEach(() => folder.remove());

const path = (): string => join(folder.root, 'tasks', 'd1');
const toml = (text: string): void => folder.write({ 'tasks/d1/task.toml': text });
const minimal = '[metadata]\nmodality = "document"\nleakage_group = "g"\n';

describe('a task directory', () => {
  test('is read with its defaults', () => {
    toml(minimal);
    expect(readTaskDirectory(task, path())).toMatchObject({
      id: task,
      instruction: 'Write the figures of d1 to out.txt.\n',
      image: { workdir: '/app' },
      toml: {
        metadata: { deliverables: [] },
        agent: { timeout_sec: 600 },
        verifier: { timeout_sec: 600 },
      },
    });
  });

  test('may hold keys of its own, which other tools read', () => {
    toml(`schema_version = "1.4"\n[task]\nname = "x"\n${minimal}colour = "blue"\n`);
    expect(readTaskDirectory(task, path()).toml.metadata.modality).toBe('document');
  });

  test('that does not exist is told by its path', () => {
    rmSync(path(), { recursive: true });
    expect(() => readTaskDirectory(task, path())).toThrow(
      expect.objectContaining({ code: 'ANL-1201', at: [{ file: path() }] }),
    );
  });

  test('with broken TOML is told by line and column', () => {
    toml(`${minimal}[agent\n`);
    expect(() => readTaskDirectory(task, path())).toThrow(
      expect.objectContaining({ code: 'ANL-1203', at: [{ file: join(path(), 'task.toml'), line: 4, column: 7 }] }),
    );
  });

  test.each(['gpus = 2', 'os = "windows"', 'allowed_hosts = ["x"]', 'mcp_servers = ["x"]', 'healthcheck = "x"'])(
    'that needs %s is refused by that name',
    (line) => {
      toml(`${minimal}[environment]\n${line}\n`);
      expect(() => readTaskDirectory(task, path())).toThrow(
        expect.objectContaining({
          code: 'ANL-1206',
          fields: { task, feature: expect.stringContaining(line.split(' ')[0] ?? '') as string },
        }),
      );
    },
  );

  test.each([
    ['[environment]\nnetwork_mode = "public"', 'environment.network_mode = "public"', 5, 1],
    ['[environment]\n  network_mode = "allowlist"', 'environment.network_mode = "allowlist"', 5, 3],
    ['[agent]\ntimeout_sec = 9\nnetwork_mode = "public"', 'agent.network_mode = "public"', 6, 1],
    ['[verifier]\nallowed_hosts = ["x"]', 'verifier.allowed_hosts', 5, 1],
    ['[environment]\nallow_internet = true', 'environment.allow_internet = true', 5, 1],
    ['environment = { os = "linux", network_mode = "public" }', 'environment.network_mode = "public"', 1, 31],
  ])('that asks for a network is refused at that place: %s', (text, feature, line, column) => {
    toml(text.startsWith('[') ? `${minimal}${text}\n` : `${text}\n${minimal}`);
    expect(() => readTaskDirectory(task, path())).toThrow(
      expect.objectContaining({
        code: 'ANL-1206',
        fields: { task, feature },
        why: 'no jail has a network',
        notSpent: 'nothing was started, 0 tokens spent',
        at: [{ file: join(path(), 'task.toml'), line, column }],
      }),
    );
  });

  test.each(['network_mode = "no-network"', 'allow_internet = false', ''])(
    'that asks for none, or for nothing, is read: %s',
    (line) => {
      toml(`${minimal}[environment]\n${line}\n`);
      expect(readTaskDirectory(task, path()).id).toBe(task);
    },
  );

  test.each([
    ['a link into its tests', (extra: string): void => symlinkSync('../tests/test.sh', extra), 'is a symbolic link'],
    ['a link to a folder', (extra: string): void => symlinkSync('/etc', extra), 'is a symbolic link'],
    ['a pipe', (extra: string): void => void execFileSync('mkfifo', [extra]), 'is no regular file'],
  ])('that holds %s is refused: no digest covers it', (_, make, why) => {
    make(join(path(), 'environment', 'extra'));
    expect(() => readTaskDirectory(task, path())).toThrow(
      expect.objectContaining({ code: 'ANL-1203', why: `environment/extra ${why}` }),
    );
  });
});
