import { errors, type ErrorDocument, type SourcePosition } from './errors.ts';

/**
 * The one shape in which an error is printed, without colour:
 *
 *     error ANL-1102  leakage group "g" is in two splits
 *       at   splits/selection.yaml:41:7  and  splits/feedback.yaml:113:7
 *       why  a group must stay within one split
 *       next move a/b to feedback, or drop it    nothing was started, 0 tokens spent (exit 2)
 *
 * Lines that have nothing to say are left out.
 */
export function renderError(error: ErrorDocument): string {
  const { exit } = errors[error.code];
  const closing = [error.notSpent, `(exit ${exit})`].filter((part) => part !== null).join(' ');
  return [
    `error ${error.code}  ${error.message}`,
    ...(error.at.length > 0 ? [`  at   ${error.at.map(renderPosition).join('  and  ')}`] : []),
    ...(error.why === null ? [] : [`  why  ${error.why.replaceAll('\n', '\n       ')}`]),
    `  next ${error.next}    ${closing}`,
  ].join('\n');
}

function renderPosition({ file, line, column }: SourcePosition): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}
