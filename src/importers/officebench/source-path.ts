/** A path of the upstream set that would leave the folder it belongs to, or that no system should meet. */
export class UnsafePath extends Error {
  constructor(path: string) {
    super(`path ${JSON.stringify(path)} is not a plain relative path`);
    this.name = 'UnsafePath';
  }
}

// Control characters, backslash and colon mean something else elsewhere.
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u001f\u007f\\:]/;

/** Drops a leading `./`. Returns a slash-separated path without `.` and `..`; throws `UnsafePath` for anything else. */
export function plainRelativePath(path: string): string {
  const plain = path.replace(/^(?:\.\/)+/, '');
  const parts = plain.split('/');
  const bad = (part: string) => part === '' || part === '.' || part === '..' || part.length > 200;
  if (plain.length > 512 || forbidden.test(plain) || parts.some(bad)) throw new UnsafePath(path);
  return plain;
}

const fromReference = /^(?:\.\.\/){4}reference\/(.+)$/;
const fromCache = /^(?:\.\.\/){4}cache\/\d+\/testbed\/(.+)$/;

/** Where a path of the evaluation lies in the package: below the working directory, or below `tests/`. */
export type PackagePath = { kind: 'output'; path: string } | { kind: 'tests'; path: string };

/** Upstream reaches references and untouched inputs by climbing out of the testbed; here they lie beside the judge. */
export function packagePath(path: string): PackagePath {
  const reference = fromReference.exec(path)?.[1];
  if (reference !== undefined) return { kind: 'tests', path: `expected/${plainRelativePath(reference)}` };
  const input = fromCache.exec(path)?.[1];
  if (input !== undefined) return { kind: 'tests', path: `pristine/${plainRelativePath(input)}` };
  return { kind: 'output', path: plainRelativePath(path) };
}
