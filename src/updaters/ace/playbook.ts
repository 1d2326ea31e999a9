/** One rule. `helpful` and `harmful` count the reflections that found it so. */
export interface Bullet {
  readonly kind: 'bullet';
  /** Section slug, hyphen, five digits, for example `sai-00012`; unique in the playbook and never used again. */
  readonly id: string;
  readonly helpful: number;
  readonly harmful: number;
  /** One physical line. */
  readonly content: string;
}

/** A line that is no bullet; kept as it is. */
export interface PlainLine {
  readonly kind: 'plain';
  readonly text: string;
}

/** A header and what stands below it, in the order of the file. */
export interface Section {
  /** Text after `## `; null for the lines before the first header. */
  readonly name: string | null;
  readonly lines: readonly (Bullet | PlainLine)[];
}

/** A playbook as a value. `sections[0]` is always the part before the first header, usually without lines. */
export interface Playbook {
  readonly sections: readonly Section[];
}

/** Greatest number an id can carry. */
export const lastId = 99_999;

/** All bullets, in the order of the file. */
export function bulletsOf(playbook: Playbook): Bullet[] {
  return playbook.sections.flatMap(({ lines }) => lines.filter((line) => line.kind === 'bullet'));
}

/** One more than the greatest number in any id: a learned playbook that starts a new search goes on counting. */
export function nextIdOf(playbook: Playbook): number {
  const numbers = bulletsOf(playbook).map(({ id }) => Number(/-(\d+)$/.exec(id)?.[1] ?? 0));
  return numbers.reduce((most, number) => Math.max(most, number), 0) + 1;
}

/** The same playbook with each bullet replaced by what `change` makes of it; null takes it out. */
export function mapBullets(playbook: Playbook, change: (bullet: Bullet) => Bullet | null): Playbook {
  return {
    sections: playbook.sections.map(({ name, lines }) => ({
      name,
      lines: lines.flatMap((line) => {
        const changed = line.kind === 'bullet' ? change(line) : line;
        return changed === null ? [] : [changed];
      }),
    })),
  };
}
