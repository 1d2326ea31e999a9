import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { buildPolicyBook } from '../../src/adapters/policy-book.ts';
import { TaskId } from '../../src/schema/ids.ts';
import { Modality } from '../../src/schema/splits.ts';
import { TaskToml } from '../../src/schema/task.ts';
import type { ModelRequest } from '../../src/schema/model-call.ts';
import type { World } from '../../src/schema/world.ts';
import { chooseBehaviour, deliberationTurns } from '../../src/simulated/choose-behaviour.ts';
import { playbookBullets } from '../../src/simulated/playbook-bullets.ts';
import { lessons } from '../../src/simulated/lessons.ts';
import { simulate } from '../../src/simulated/simulate.ts';
import { publishedWorlds } from './published-worlds.ts';
import { commandOf, nextRequest, openingRequest } from './request-builder.ts';

const pack = fileURLToPath(new URL('../../tasks/office-mini', import.meta.url));
const tasks = readdirSync(pack)
  .filter((name) => /^[pdxc]\d+$/.test(name))
  .map((name) => {
    const read = (file: string): string => readFileSync(join(pack, name, file), 'utf8');
    const { modality } = TaskToml.parse(parse(read('task.toml'))).metadata;
    const id = TaskId.parse(`office-mini/${name}`);
    return { id, path: join(pack, name), instruction: read('instruction.md'), modality };
  });
const policies = buildPolicyBook(tasks);
const playbook = lessons
  .map(({ rule }, index) => `[sai-${String(index + 1).padStart(5, '0')}] helpful=0 harmful=0 :: ${rule}`)
  .join('\n');
const cases = publishedWorlds.flatMap((world) => tasks.map((task) => ({ world, task, name: world.name, id: task.id })));

describe('the simulated solver on the built-in pack', () => {
  it('has policies for all sixteen tasks, four of each modality', () => {
    const counts = Modality.options.map((name) => policies.policies.filter(({ modality }) => modality === name).length);
    expect(counts).toEqual([4, 4, 4, 4]);
  });

  it.each(cases)('in the world $name does $id as the world declares', ({ world, task }) => {
    const policy = policies.policies.find(({ taskId }) => taskId === task.id);
    if (policy === undefined) throw new Error(`no policy for ${task.id}`);
    for (const rules of ['', playbook]) {
      const bullets = playbookBullets(rules);
      const behaviour = chooseBehaviour(world, policy, bullets, 7);
      const commands = dialogue(openingRequest(task.instruction, rules), world);
      const script = behaviour === 'careful' || behaviour === 'careless' ? policy[behaviour].trimEnd() : null;
      const weighed = deliberationTurns(world, policy, bullets).length;
      expect(commands.filter((command) => command === 'true')).toHaveLength(weighed);
      expect(commands.some((command) => command.includes(script ?? 'solve.py'))).toBe(script !== null);
      expect(commands.at(-1)).toBe(behaviour === 'breaks-off' ? '' : 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT');
      expect(commands.length - weighed).toBeLessThanOrEqual(6);
      expect(commands.join('\n')).not.toMatch(/anneal-canary|Typical failure|Reference solution/);
    }
  });
});

/** All commands of one attempt up to the submission, or to a reply without one, which is the empty text. */
function dialogue(opening: ModelRequest, world: World): string[] {
  const commands: string[] = [];
  for (let request = opening; commands.length < 100;) {
    const response = simulate(request, { role: 'solver', world, policies });
    commands.push(commandOf(response));
    if (commands.at(-1) === '' || commands.at(-1)?.includes('COMPLETE_TASK') === true) break;
    request = nextRequest(request, response);
  }
  return commands;
}
