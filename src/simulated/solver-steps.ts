import { assertNever } from '../domain/assert-never.ts';

/** One turn of the solver's dialogue. */
export type SolverStep =
  | { readonly kind: 'look' }
  | { readonly kind: 'weigh'; readonly text: string }
  | { readonly kind: 'write'; readonly command: string }
  | { readonly kind: 'check' }
  | { readonly kind: 'submit' }
  | { readonly kind: 'break-off' };

const SCRIPT = '.solve.py';
const PYTHON = '/opt/solver/bin/python';

/** What the solver does in one attempt. */
export type SolverPlan =
  /** Runs a script; `pieceLength` is the most characters of it in one turn. */
  | { readonly kind: 'script'; readonly script: string; readonly pieceLength: number }
  /** Hands in what is there. */
  | { readonly kind: 'idle' }
  /** Looks once and calls no tool any more. */
  | { readonly kind: 'break-off' };

/** The whole dialogue of an attempt: a look, a turn for each text of `weighed`, the work, the submission. */
export function solverDialogue(plan: SolverPlan, weighed: readonly string[]): SolverStep[] {
  const turns = weighed.map((text) => ({ kind: 'weigh' as const, text }));
  switch (plan.kind) {
    case 'script': {
      const [look = { kind: 'look' }, ...rest] = solverSteps(plan.script, plan.pieceLength);
      return [look, ...turns, ...rest];
    }
    case 'idle':
      return [{ kind: 'look' }, ...turns, { kind: 'submit' }];
    case 'break-off':
      return [{ kind: 'look' }, ...turns, { kind: 'break-off' }];
    default:
      return assertNever(plan);
  }
}

/**
 * The dialogue that brings `script` into the working directory, runs it once, removes it again and submits: look, write
 * (one turn for each piece of at most `pieceLength` characters), check, submit. Four turns for a short script.
 */
export function solverSteps(script: string, pieceLength: number): SolverStep[] {
  const pieces = cut(script.endsWith('\n') ? script : `${script}\n`, pieceLength);
  const writes = pieces.map((piece, index) => {
    const commands = [append(piece, index === 0)];
    if (index === pieces.length - 1) commands.push(`${PYTHON} ${SCRIPT}; status=$?; rm -f ${SCRIPT}; exit $status`);
    return { kind: 'write' as const, command: commands.join('\n') };
  });
  return [{ kind: 'look' }, ...writes, { kind: 'check' }, { kind: 'submit' }];
}

/** A here-document adds a line break at the end; a piece that stops inside a line is stripped of it. */
function append(piece: string, first: boolean): string {
  const whole = piece.endsWith('\n');
  const delimiter = unusedDelimiter(piece);
  const body = whole ? piece : `${piece}\n`;
  return `${whole ? 'cat' : 'head -c -1'} ${first ? '>' : '>>'} ${SCRIPT} <<'${delimiter}'\n${body}${delimiter}`;
}

function unusedDelimiter(piece: string): string {
  let delimiter = 'END_OF_SCRIPT';
  while (piece.includes(delimiter)) delimiter += '_';
  return delimiter;
}

/** Cuts at the last line break that fits, else inside the line; never inside a surrogate pair. */
function cut(text: string, length: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > length) {
    const lineEnd = rest.lastIndexOf('\n', length - 1) + 1;
    const place = lineEnd > 0 ? lineEnd : /[\uD800-\uDBFF]/.test(rest.charAt(length - 1)) ? length - 1 : length;
    pieces.push(rest.slice(0, place));
    rest = rest.slice(place);
  }
  return [...pieces, rest];
}
