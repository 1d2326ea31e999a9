/** Replaces secrets by value, wherever they stand in a text. */
export interface Redactor {
  /** Values shorter than 6 characters are not taken: they would blank ordinary text. */
  readonly add: (secret: string) => void;
  readonly redact: (text: string) => string;
}

/** Knows no secret at first. What it replaces reads `[redacted]`. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  return {
    add: (secret) => {
      if (secret.length >= 6) secrets.add(secret);
    },
    redact: (text) => {
      let clean = text;
      for (const secret of secrets) clean = clean.replaceAll(secret, '[redacted]');
      return clean;
    },
  };
}
