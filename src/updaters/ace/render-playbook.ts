import type { Bullet, Playbook } from './playbook.ts';

/** The playbook as text: `## NAME` headers, one line a bullet, a final line feed; '' for an empty one. */
export function renderPlaybook({ sections }: Playbook): string {
  const lines = sections.flatMap(({ name, lines: own }) => [
    ...(name === null ? [] : [`## ${name}`]),
    ...own.map((line) => (line.kind === 'bullet' ? renderBullet(line) : line.text)),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

/** `[slug-NNNNN] helpful=H harmful=M :: content` */
export function renderBullet({ id, helpful, harmful, content }: Bullet): string {
  return `[${id}] helpful=${helpful} harmful=${harmful} :: ${content}`;
}
