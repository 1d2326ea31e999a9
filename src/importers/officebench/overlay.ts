import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { AnnealError } from '../../domain/errors.ts';

const Overlay = z.strictObject({
  version: z.literal(1),
  /** `<A-B>/<N>` to the reason why text and evaluation contradict each other in content, which no replay can find. */
  contradictory: z.record(z.string().regex(/^\d+-\d+\/\d+$/), z.string().min(1)),
});

/** Reads the curated list of contradictions. Throws ANL-1001, ANL-1003 or ANL-1004. */
export async function readOverlay(file: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AnnealError('ANL-1004', { file }, { cause });
  });
  const parsed = Overlay.safeParse(yamlOf(file, text));
  if (!parsed.success) {
    const key = parsed.error.issues[0]?.path.join('.') ?? 'version';
    throw new AnnealError('ANL-1003', { key, file }, { at: [{ file }], why: z.prettifyError(parsed.error) });
  }
  return new Map(Object.entries(parsed.data.contradictory));
}

function yamlOf(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new AnnealError('ANL-1001', { file }, { at: [{ file }], cause });
  }
}
