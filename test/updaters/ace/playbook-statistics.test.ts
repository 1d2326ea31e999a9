import { describe, expect, it } from 'vitest';
import { parsePlaybook } from '../../../src/updaters/ace/parse-playbook.ts';
import { playbookStatistics } from '../../../src/updaters/ace/playbook-statistics.ts';

describe('playbookStatistics', () => {
  it('counts by helpfulness and by section', () => {
    const bullets = [
      [6, 1],
      [6, 2],
      [5, 0],
      [1, 1],
      [0, 0],
      [0, 3],
    ].map(([helpful, harmful], index) => `[sai-0000${index + 1}] helpful=${helpful} harmful=${harmful} :: r${index}`);
    const playbook = parsePlaybook(
      `(empty)\n## A\n${bullets.slice(0, 4).join('\n')}\n## B\n${bullets.slice(4).join('\n')}\n## C\n`,
    );
    expect(playbookStatistics(playbook)).toEqual({
      total: 6,
      highPerforming: 1,
      problematic: 2,
      unused: 1,
      sections: [
        { name: 'A', count: 4, helpful: 18, harmful: 4 },
        { name: 'B', count: 2, helpful: 0, harmful: 3 },
      ],
    });
  });
});
