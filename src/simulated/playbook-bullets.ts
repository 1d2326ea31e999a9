/** One rule of a playbook as it stands in a prompt. */
export interface PlaybookBullet {
  readonly id: string;
  readonly content: string;
}

const line = /^[ \t]*\[([a-z]{3,}-\d{5})\] helpful=\d+ harmful=\d+ :: (.+)$/gm;

/** All bullets that stand in `text`, in reading order; other lines are passed over. */
export function playbookBullets(text: string): PlaybookBullet[] {
  return [...text.matchAll(line)].map(([, id = '', content = '']) => ({ id, content: content.trim() }));
}
