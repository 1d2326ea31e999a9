import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { z } from 'zod';
import { readYaml } from '../../../src/services/freeze/read-yaml.ts';
import { type ExperimentFolder, layOut } from '../../support/experiment-files.ts';

const Schema = z.strictObject({
  version: z.literal(1),
  name: z.string(),
  seed: z.number().int().min(0).default(0),
  share: z.number().nullable().default(null),
  stream: z.boolean().default(false),
  nested: z
    .union([z.strictObject({ kind: z.literal('a'), lanes: z.number() }), z.strictObject({ b: z.string() })])
    .optional(),
});

let folder: ExperimentFolder;
beforeEach(() => {
  folder = layOut({});
});
afterEach(() => folder.remove());

function read(text: string, environment: NodeJS.ProcessEnv = {}): z.infer<typeof Schema> {
  folder.write({ 'x.yaml': text });
  return readYaml(join(folder.root, 'x.yaml'), Schema, environment).value;
}

describe('a variable', () => {
  it.each([
    ['seed: ${OTHER:-7}', { seed: 7 }],
    ['seed: ${SEED}', { seed: 12 }],
    ['seed: "${SEED}"', { seed: 12 }],
    ['share: ${SHARE}', { share: 0.25 }],
    ['stream: ${STREAM:-true}', { stream: true }],
    ['nested: { kind: a, lanes: "${SEED}" }', { nested: { kind: 'a', lanes: 12 } }],
    ['seed: 1${SEED}', { seed: 112 }],
  ])('may stand where a number or a truth value is wanted: %s', (line, expected) => {
    expect(read(`version: 1\nname: x\n${line}\n`, { SEED: '12', SHARE: '0.25' })).toMatchObject(expected);
  });

  it.each([
    ['name: ${SEED}', '12'],
    ['name: ${FLAG}', 'true'],
    ['name: ${EMPTY:-007}', '007'],
  ])('stays text where text is wanted, whatever it looks like: %s', (line, expected) => {
    expect(read(`version: 1\n${line}\n`, { SEED: '12', FLAG: 'true' }).name).toBe(expected);
  });

  it.each([
    ['words', 'seed: ${WORDS}'],
    ['nothing', 'seed: ${WORDS:-}'],
    ['a fraction where a whole number is wanted', 'seed: ${FRACTION}'],
    ['a list', 'seed: "${LIST}"'],
  ])('that holds %s is no number', (_, line) => {
    expect(() => read(`version: 1\nname: x\n${line}\n`, { FRACTION: '1.5', LIST: '[1]', WORDS: '' })).toThrow(
      expect.objectContaining({ code: line.includes('WORDS}') ? 'ANL-1005' : 'ANL-1003' }),
    );
  });

  it('is the only text that is read as a number', () => {
    expect(() => read('version: 1\nname: x\nseed: "7"\n')).toThrow(
      expect.objectContaining({ code: 'ANL-1003', at: [expect.objectContaining({ line: 3, column: 1 })] }),
    );
  });
});

describe('an anchor', () => {
  it('may be merged into another map, which then wins', () => {
    const text = 'version: 1\nname: &n x\nnested: { <<: { kind: a, lanes: 1 }, lanes: 2 }\n';
    expect(read(text).nested).toEqual({ kind: 'a', lanes: 2 });
  });

  it('that is missing is told where it is asked for', () => {
    expect(() => read('version: 1\nname: *nobody\n')).toThrow(
      expect.objectContaining({
        code: 'ANL-1001',
        why: 'no anchor &nobody stands before *nobody',
        at: [expect.objectContaining({ line: 2, column: 7 })],
      }),
    );
  });
});

it('a second document in one file is told where it begins', () => {
  expect(() => read('version: 1\nname: x\n---\nversion: 1\n')).toThrow(
    expect.objectContaining({ code: 'ANL-1001', at: [expect.objectContaining({ line: 3, column: 1 })] }),
  );
});

describe('the version of a file', () => {
  it('that is missing is told with the line to add', () => {
    expect(() => read('name: x\n')).toThrow(
      expect.objectContaining({
        code: 'ANL-1006',
        why: 'the version says in which format the file is written',
        next: 'add a line: version: 1',
      }),
    );
  });

  it.each(['2', '"1"', 'one'])('that is %s is told beside the one that can be read', (version) => {
    expect(() => read(`name: x\nversion: ${version}\n`)).toThrow(
      expect.objectContaining({
        code: 'ANL-1003',
        why: expect.stringMatching(/^the file is of format .+, this anneal reads format 1$/),
        at: [expect.objectContaining({ line: 2, column: 1 })],
      }),
    );
  });
});

describe('a missing key', () => {
  it('is told as missing, whatever was wanted there', () => {
    for (const nested of ['{ lanes: 1 }', '{ kind: a }']) {
      expect(() => read(`version: 1\nname: x\nnested: ${nested}\n`)).toThrow(
        expect.objectContaining({ code: 'ANL-1006' }),
      );
    }
  });
});
