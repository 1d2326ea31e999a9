import { AnnealError } from '../../domain/errors.ts';

const pattern = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Expand `${VAR}` and `${VAR:-default}` in one string. The template itself is what gets written back anywhere.
 * @throws AnnealError ANL-1005 for a variable that is neither set nor defaulted; `at` is where the string stands.
 */
export function expandVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  at: { readonly file: string; readonly line?: number; readonly column?: number },
): string {
  return text.replaceAll(pattern, (_, variable: string, fallback: string | undefined) => {
    const value = environment[variable];
    if (value !== undefined && value !== '') return value;
    if (fallback !== undefined) return fallback;
    throw new AnnealError('ANL-1005', { variable }, { at: [at], notSpent: 'nothing was started, 0 tokens spent' });
  });
}
