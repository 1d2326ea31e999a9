import { AnnealError } from '../../domain/errors.ts';

/** A reference as it is written, or the beginning of something that is none. */
const pattern = /\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-((?:(?!\$\{)[^}])*))?\})?/g;
const notSpent = 'nothing was started, 0 tokens spent';

/**
 * Expand `${VAR}` and `${VAR:-default}` in one string. The template itself is what gets written back anywhere. What a
 * variable holds is taken as it is.
 * @throws AnnealError ANL-1005 for a variable that is neither set nor defaulted, ANL-1024 for a `${` that begins neither
 * form, a reference within a default included; `at` is where the string stands.
 */
export function expandVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  at: { readonly file: string; readonly line?: number; readonly column?: number },
): string {
  return text.replaceAll(pattern, (_, variable: string | undefined, fallback: string | undefined) => {
    if (variable === undefined) throw new AnnealError('ANL-1024', { text }, { at: [at], notSpent });
    const value = environment[variable];
    if (value !== undefined && value !== '') return value;
    if (fallback !== undefined) return fallback;
    throw new AnnealError('ANL-1005', { variable }, { at: [at], notSpent });
  });
}
