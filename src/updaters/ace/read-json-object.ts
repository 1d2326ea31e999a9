import { parsedJson } from '../../domain/parsed-json.ts';

/** A JSON object, or an empty one for any other text. */
export function readJsonObject(text: string): Record<string, unknown> {
  const value = parsedJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
