/** Key under which arguments that are no JSON object travel on a wire that takes only objects. */
const UNPARSED = 'unparsed_arguments';

/** Tool arguments as the object that Anthropic's wire wants; text that is no object is kept whole under one key. */
export function toolInputOf(written: string): Readonly<Record<string, unknown>> {
  if (written.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The text itself is told instead.
  }
  return { [UNPARSED]: written };
}

/** The JSON text of such an object; gives text that was kept whole as it was written. */
export function argumentsOf(input: unknown): string {
  if (input === undefined || input === null) return '{}';
  if (typeof input !== 'object') return typeof input === 'string' ? input : JSON.stringify(input);
  const [first, second] = Object.entries(input);
  if (first?.[0] === UNPARSED && second === undefined && typeof first[1] === 'string') return first[1];
  return JSON.stringify(input);
}
