/** An epoch of an attempt as the lines of an audit name it: `office-mini/p1 0123456789ab#1`. */
export function attemptName({
  task,
  key,
  epoch,
}: {
  readonly task: string;
  readonly key: string;
  readonly epoch: number;
}): string {
  return `${task} ${key.slice(0, 12)}#${epoch}`;
}
