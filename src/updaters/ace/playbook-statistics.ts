import { type Bullet, bulletsOf, type Playbook } from './playbook.ts';

/** Counts that a curator is shown. A bullet may be in two of the classes. */
export interface PlaybookStatistics {
  readonly total: number;
  /** helpful > 5 and harmful < 2 */
  readonly highPerforming: number;
  /** harmful ≥ helpful, and harmful > 0 */
  readonly problematic: number;
  /** Never tagged helpful or harmful. */
  readonly unused: number;
  readonly sections: readonly {
    readonly name: string;
    readonly count: number;
    readonly helpful: number;
    readonly harmful: number;
  }[];
}

/**
 * The counts that a curator is shown. High performing: helpful above 5 and harmful below 2; problematic: harmful at
 * least once and no less often than helpful. Sections without bullets are left out.
 */
export function playbookStatistics(playbook: Playbook): PlaybookStatistics {
  const bullets = bulletsOf(playbook);
  const count = (test: (bullet: Bullet) => boolean): number => bullets.filter(test).length;
  return {
    total: bullets.length,
    highPerforming: count(({ helpful, harmful }) => helpful > 5 && harmful < 2),
    problematic: count(({ helpful, harmful }) => harmful > 0 && harmful >= helpful),
    unused: count(({ helpful, harmful }) => helpful === 0 && harmful === 0),
    sections: playbook.sections.flatMap(({ name, lines }) => {
      const own = lines.filter((line) => line.kind === 'bullet');
      if (name === null || own.length === 0) return [];
      const sum = (key: 'helpful' | 'harmful'): number => own.reduce((total, bullet) => total + bullet[key], 0);
      return [{ name, count: own.length, helpful: sum('helpful'), harmful: sum('harmful') }];
    }),
  };
}
