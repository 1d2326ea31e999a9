/** The line by which a command submits; the runner tells every model so, whatever a revision says. */
const submissionLine = 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';

/**
 * Whether a command of a keeper's log (JSON lines) printed that line. Only this makes a claimed submission one: the
 * claim itself is written by the process that hostile code runs in.
 */
export function hasSubmitted(commandLog: string): boolean {
  return commandLog
    .split('\n')
    .filter((line) => line.includes(submissionLine))
    .some((line) => outputOf(line).some((printed) => printed.trim() === submissionLine));
}

function outputOf(line: string): string[] {
  try {
    const entry = JSON.parse(line) as { readonly output?: unknown } | null;
    return typeof entry?.output === 'string' ? entry.output.split('\n') : [];
  } catch {
    return []; // The torn last line of a keeper that was killed.
  }
}
