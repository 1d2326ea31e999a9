/** The value of a JSON text; undefined for a text that is none, from hostile code or cut by a kill for example. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
