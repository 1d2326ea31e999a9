import {
  type Alias,
  LineCounter,
  type Document,
  type Scalar,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parse,
  parseDocument,
  visit,
} from 'yaml';
import type { z } from 'zod';
import { readNamedText } from '../../adapters/named-file.ts';
import { AnnealError, type SourcePosition } from '../../domain/errors.ts';
import { expandVariables } from './expand-variables.ts';

const notSpent = 'nothing was started, 0 tokens spent';

/** A YAML document with the place of each of its values. */
export interface YamlSource<Value> {
  readonly file: string;
  readonly value: Value;
  /** Where the value at a path stands; falls back to the nearest parent. */
  position(path: readonly PropertyKey[]): SourcePosition;
}

/**
 * Read a YAML file, expand variables in its strings, and parse it with a schema. A number may be a variable too; anchors,
 * aliases and merge keys (`<<`) hold.
 * @throws AnnealError ANL-1004 no such file, ANL-1017 no readable text, ANL-1001 syntax, ANL-1005 variable that is not set,
 * ANL-1024 `${` that is none, ANL-1002 unknown key, ANL-1006 missing key, ANL-1003 any other bad value; each with
 * file:line:col.
 */
export function readYaml<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  environment: NodeJS.ProcessEnv,
  namedBy?: SourcePosition,
): YamlSource<z.infer<Schema>> {
  const lines = new LineCounter();
  const document = parseDocument(readNamedText(file, namedBy), {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
    merge: true,
  });
  const broken = syntaxFault(document);
  if (broken !== null) {
    const { line, col } = lines.linePos(broken.offset);
    throw new AnnealError('ANL-1001', { file }, { at: [{ file, line, column: col }], why: broken.why, notSpent });
  }
  const position = (path: readonly PropertyKey[]): SourcePosition => positionOf(document, lines, file, path);
  const expanded = new Set<Scalar>();
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== 'string' || node.range === undefined || node.range === null) return;
      const { line, col } = lines.linePos(node.range[0]);
      const value = expandVariables(node.value, environment, { file, line, column: col });
      if (value !== node.value) expanded.add(node);
      node.value = value;
    },
  });
  const first = schema.safeParse(valueOf(document, file));
  const parsed =
    first.success || !retypeVariables(document, expanded, first.error.issues)
      ? first
      : schema.safeParse(valueOf(document, file));
  if (parsed.success) return { file, value: parsed.data, position };
  throw schemaError(file, parsed.error, document, position);
}

/** The first thing that keeps a document from being read, an alias of nothing included. */
function syntaxFault(
  document: ReturnType<typeof parseDocument>,
): { readonly why: string; readonly offset: number } | null {
  const [broken] = document.errors;
  if (broken !== undefined) {
    const why = broken.code === 'MULTIPLE_DOCS' ? 'a second document begins here, and one is read' : broken.message;
    return { why, offset: broken.pos[0] };
  }
  let lost: Alias | null = null;
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document) !== undefined) return undefined;
      lost = node;
      return visit.BREAK;
    },
  });
  const alias = lost as Alias | null;
  return alias === null
    ? null
    : { why: `no anchor &${alias.source} stands before *${alias.source}`, offset: alias.range?.[0] ?? 0 };
}

/** A variable's value is text: where a number or a truth value is wanted it is read as one. Whether there was such a place. */
function retypeVariables(
  document: Document,
  expanded: ReadonlySet<Scalar>,
  issues: readonly z.core.$ZodIssue[],
): boolean {
  const wanted = leaves(issues).filter((issue) => issue.code === 'invalid_type' && issue.expected !== 'string');
  const retyped = wanted.map(({ path }) => {
    const node = document.getIn(path, true);
    if (!isScalar(node) || !expanded.has(node) || typeof node.value !== 'string') return false;
    const value: unknown = parse(node.value);
    if (typeof value !== 'number' && typeof value !== 'boolean') return false;
    node.value = value;
    return true;
  });
  return retyped.includes(true);
}

/** @throws AnnealError ANL-1001 for aliases that grow without bounds. */
function valueOf(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AnnealError('ANL-1001', { file }, { at: [{ file }], why, notSpent });
  }
}

function schemaError(
  file: string,
  error: z.ZodError,
  document: Document,
  position: (path: readonly PropertyKey[]) => SourcePosition,
): AnnealError {
  const issue = deepest(error.issues);
  const key = issue.path.map(String).join('.') || 'the document';
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys[0] ?? '';
    const at = [position([...issue.path, unknown])];
    return new AnnealError('ANL-1002', { key: unknown, file }, { at, notSpent });
  }
  const at = [position(issue.path)];
  if (key === 'version' && issue.code === 'invalid_value')
    return versionError(file, document.get('version'), issue.values, at);
  if (!document.hasIn(issue.path)) {
    return new AnnealError(
      'ANL-1006',
      { key, file },
      { at, why: issue.message.replace(', received undefined', ''), notSpent },
    );
  }
  return new AnnealError('ANL-1003', { key, file }, { at, why: issue.message, notSpent });
}

function versionError(
  file: string,
  found: unknown,
  readable: readonly unknown[],
  at: readonly SourcePosition[],
): AnnealError {
  const wanted = `version: ${String(readable[0])}`;
  if (found === undefined) {
    const why = 'the version says in which format the file is written';
    return new AnnealError('ANL-1006', { key: 'version', file }, { at, why, next: `add a line: ${wanted}`, notSpent });
  }
  const why = `the file is of format ${JSON.stringify(found)}, this anneal reads format ${readable.join(', ')}`;
  const next = `write ${wanted}, or use the anneal that the file was written for`;
  return new AnnealError('ANL-1003', { key: 'version', file }, { at, why, next, notSpent });
}

/** The issues of every alternative of every union. */
function leaves(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.flatMap((issue) =>
    issue.code === 'invalid_union'
      ? leaves(issue.errors.flat().map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })))
      : [issue],
  );
}

/** Of a failed union, the alternative that knows most of the keys, and there the issue that got furthest, says most. */
function deepest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const candidates = issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
    const [closest = []] = issue.errors.toSorted((left, right) => unknownKeys(left) - unknownKeys(right));
    return closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
  });
  const unknownFirst = candidates.find((issue) => issue.code === 'unrecognized_keys');
  const sorted = candidates.toSorted((left, right) => right.path.length - left.path.length);
  const chosen = unknownFirst ?? sorted[0] ?? issues[0];
  if (chosen === undefined) throw new Error('a failed parse without issues');
  return chosen;
}

function unknownKeys(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);
}

function positionOf(
  document: Document,
  lines: LineCounter,
  file: string,
  path: readonly PropertyKey[],
): SourcePosition {
  let node: unknown = document.contents;
  let offset: number | undefined = isNode(node) ? (node.range?.[0] ?? undefined) : undefined;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === step);
      if (pair === undefined) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    } else break;
  }
  if (offset === undefined) return { file };
  const { line, col } = lines.linePos(offset);
  return { file, line, column: col };
}
