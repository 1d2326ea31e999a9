import { sha256Of } from '../../src/domain/sha256.ts';
import { PolicyBook, normaliseInstruction } from '../../src/schema/policy-book.ts';
import type { TaskPolicy } from '../../src/schema/policy-book.ts';
import { Modality } from '../../src/schema/splits.ts';

/** A task's instruction as its file holds it, line breaks and all. */
export function instructionOf(modality: Modality): string {
  return `Finish the ${modality} work in notes.md\nand facts.csv.  Write output/result.xlsx.\n`;
}

/** One pack task of each modality; the scripts say what they are. */
export const book: PolicyBook = PolicyBook.parse({
  version: 1,
  policies: Modality.options.map((modality) => {
    const instruction = normaliseInstruction(instructionOf(modality));
    return {
      taskId: `fixture/${modality}`,
      modality,
      origin: 'pack',
      instructionDigest: sha256Of(instruction),
      instruction,
      careful: `print('careful ${modality}')\n`,
      careless: `print('careless ${modality}')\n`,
    };
  }),
});

export function policyOf(modality: Modality): TaskPolicy {
  const policy = book.policies.find((candidate) => candidate.modality === modality);
  if (policy === undefined) throw new Error(`no policy for ${modality}`);
  return policy;
}
