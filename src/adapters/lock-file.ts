import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { byteDigest } from './byte-digest.ts';
import { canonicalJson } from '../domain/canonical-json.ts';
import { AnnealError } from '../domain/errors.ts';
import { ExperimentLock } from '../schema/experiment-lock.ts';

const Sealed = z.looseObject({ digest: z.string(), identity: z.json() });

/**
 * Read `lock.json`. Its digest is the experiment's identity, so it is checked over what stands there, before defaults.
 * @throws AnnealError ANL-6001 for a damaged or changed file; whatever reading throws when there is none.
 */
export function readLockFile(file: string): ExperimentLock {
  const text = readFileSync(file, 'utf8');
  try {
    const raw: unknown = JSON.parse(text);
    const { digest, identity } = Sealed.parse(raw);
    if (byteDigest(canonicalJson(identity)) === digest) return ExperimentLock.parse(raw);
  } catch (cause) {
    throw new AnnealError('ANL-6001', { object: file }, { why: 'it cannot be read', next: rewrite, cause });
  }
  throw new AnnealError('ANL-6001', { object: file }, { why: 'it was changed since it was frozen', next: rewrite });
}

const rewrite = 'anneal run FILE     with the unchanged file writes it again';
