import { deriveApplyDelta } from './ace/derive-apply-delta.ts';
import { deriveApplyTags } from './ace/derive-apply-tags.ts';
import type { DeriveFunction } from './derive-function.ts';

/** What a `derive` action may name. */
export const deriveFunctions: Readonly<Record<string, DeriveFunction>> = {
  'ace.apply-delta': deriveApplyDelta,
  'ace.apply-tags': deriveApplyTags,
};
