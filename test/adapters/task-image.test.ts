import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readTaskImage } from '../../src/adapters/task-image.ts';
import { TaskId } from '../../src/schema/ids.ts';

const task = TaskId.parse('desk/d1');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'anneal-image-'));
  mkdirSync(join(folder, 'inputs'));
  writeFileSync(join(folder, 'inputs', 'a.txt'), 'a');
  writeFileSync(join(folder, 'b c.txt'), 'b');
});

afterEach(() => rmSync(folder, { recursive: true }));

function read(...lines: string[]): ReturnType<typeof readTaskImage> {
  writeFileSync(join(folder, 'Dockerfile'), `FROM x\n${lines.join('\n')}\n`);
  return readTaskImage(task, folder);
}

function copied(...lines: string[]): string[] {
  return read('WORKDIR /app', ...lines).copies.map(
    ({ source, destination }) => `${source.slice(folder.length + 1) || '.'} → ${destination}`,
  );
}

describe("a task's Dockerfile", () => {
  test('gives working directory and environment, the last one of each holding', () => {
    const image = read('WORKDIR /app', 'ENV A=1 B="two words"', 'ENV A 3', 'WORKDIR sub');
    expect(image).toMatchObject({ workdir: '/app/sub', environment: { A: '3', B: 'two words' } });
  });

  test.each<[string, string[]]>([
    ['COPY inputs/ /app/', ['inputs → /app']],
    ['COPY inputs /app', ['inputs → /app']],
    ['COPY inputs /app/data', ['inputs → /app/data']],
    ['COPY inputs/a.txt .', ['inputs/a.txt → /app']],
    ['COPY inputs/a.txt ./', ['inputs/a.txt → /app/a.txt']],
    ['COPY inputs/a.txt renamed.txt', ['inputs/a.txt → /app/renamed.txt']],
    ['COPY ["b c.txt", "/app/"]', ['b c.txt → /app/b c.txt']],
    ['COPY inputs/a.txt inputs /app/', ['inputs/a.txt → /app/a.txt', 'inputs → /app']],
    ['COPY . /app', ['. → /app']],
  ])('%s copies where docker would', (line, expected) => {
    expect(copied(line)).toEqual(expected);
  });

  test.each([
    ['RUN true', 'ANL-1202'],
    ['VOLUME /app', 'ANL-1202'],
    ['ENTRYPOINT ["x"]', 'ANL-1202'],
    ['ADD inputs /app', 'ANL-1202'],
    ['COPY --chown=1:1 inputs /app', 'ANL-1202'],
    ['COPY inputs ${HOME}', 'ANL-1202'],
    ['COPY inputs/*.txt /app/', 'ANL-1203'],
    ['COPY inputs/../../x /app/', 'ANL-1203'],
    ['COPY inputs /applications', 'ANL-1203'],
    ['COPY inputs ../out', 'ANL-1203'],
    ['WORKDIR /opt', 'ANL-1203'],
    ['WORKDIR /proc/self', 'ANL-1203'],
  ])('%s is refused by name and line', (line, code) => {
    expect(() => read('WORKDIR /app', line)).toThrow(
      expect.objectContaining({ code, at: [{ file: join(folder, 'Dockerfile'), line: 3 }], exit: 2 }),
    );
  });
});
