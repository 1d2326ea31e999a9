import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/services/package-root.ts';
import { type ModelAnswer, RunnerFixture, observation, runCommand, submit } from '../support/runner-fixture.ts';

const fixtures: RunnerFixture[] = [];

afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.remove();
});

function fixtureOf(files: Readonly<Record<string, string>>, answers: readonly ModelAnswer[] = [submit]): RunnerFixture {
  const fixture = new RunnerFixture(files);
  fixture.answers = [...answers];
  fixture.exec = (command) =>
    observation(command.includes('COMPLETE_TASK') ? 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n' : `ran: ${command}\n`);
  fixtures.push(fixture);
  return fixture;
}

const environmentFile = readFileSync(join(packageRoot, 'harnesses', 'h0', 'environment.py'), 'utf8');

describe('the runner with a candidate', () => {
  const agent = (body: string): Record<string, string> => ({
    'agent.py': `from minisweagent.agents.default import DefaultAgent\n\n\nclass HarnessAgent(DefaultAgent):\n${body}`,
  });

  test('that defines dataclasses loads it', async () => {
    const fixture = fixtureOf({
      'agent.py': `from __future__ import annotations
from dataclasses import dataclass, field
from minisweagent.agents.default import DefaultAgent


@dataclass
class Notes:
    lines: list[str] = field(default_factory=list)


class HarnessAgent(DefaultAgent):
    def run(self, task, **variables):
        notes = Notes()
        notes.lines.append("seen")
        return super().run(task + " " + notes.lines[0], **variables)
`,
    });
    const { outcome } = await fixture.run();
    expect(outcome['exit_status']).toBe('Submitted');
    expect(fixture.calls[0]?.body.messages[1]?.['content']).toContain('Write out.txt. seen');
  });

  test.each<[string, Record<string, string>, string, RegExp]>([
    [
      'raises in its agent',
      agent('    def run(self, task, **variables):\n        return {}["x"]\n'),
      'KeyError',
      /^KeyError at agent\.py:run$/,
    ],
    [
      'raises deep in a library',
      agent('    def run(self, task, **variables):\n        import json\n        return json.loads("{")\n'),
      'JSONDecodeError',
      /^JSONDecodeError at agent\.py:run$/,
    ],
    [
      'leaves the process',
      agent('    def run(self, task, **variables):\n        raise SystemExit(0)\n'),
      'SystemExit',
      /^SystemExit at agent\.py:run$/,
    ],
    [
      'interrupts itself',
      agent('    def run(self, task, **variables):\n        raise KeyboardInterrupt\n'),
      'KeyboardInterrupt',
      /^KeyboardInterrupt at agent\.py:run$/,
    ],
    ['is no Python', { 'agent.py': 'class HarnessAgent(:\n' }, 'SyntaxError', /^SyntaxError/],
    ['lacks its class', { 'agent.py': 'x = 1\n' }, 'AttributeError', /^AttributeError/],
    [
      'imports what is not there',
      { 'agent.py': 'import nowhere_to_be_found\n' },
      'ModuleNotFoundError',
      /^ModuleNotFoundError at agent\.py:<module>$/,
    ],
    [
      'raises in its environment',
      {
        'environment.py': `${environmentFile}\n    def execute(self, action, cwd=""):\n        raise ValueError("no")\n`,
      },
      'ValueError',
      /^ValueError at environment\.py:execute$/,
    ],
    ['breaks its own prompt', { 'systemprompt.md': 'You {{ are' }, 'TemplateSyntaxError', /^TemplateSyntaxError/],
    [
      'asks its prompt for what is not there',
      { 'systemprompt.md': 'You {{ unknown_name }}' },
      'UndefinedError',
      /^UndefinedError/,
    ],
  ])('that %s ends with its signature and status 0', async (_, files, status, signature) => {
    const { exitCode, outcome } = await fixtureOf(files).run();
    expect([exitCode, outcome['exit_status']]).toEqual([0, status]);
    expect(outcome['exception_signature']).toMatch(signature);
  });

  test('that raises after some calls keeps the trajectory of what it did', async () => {
    const body = `    def step(self):
        if self.n_calls == 2:
            raise RuntimeError("tired")
        return super().step()
`;
    const fixture = fixtureOf(agent(body), [runCommand('ls')]);
    const { outcome, trajectory } = await fixture.run();
    expect(outcome['exception_signature']).toBe('RuntimeError at agent.py:step');
    expect(trajectory?.messages.length).toBeGreaterThan(4);
  });

  test('that writes an outcome of its own does not keep it', async () => {
    const body = `    def run(self, task, **variables):
        with open("/out/outcome.json", "w") as file:
            file.write('{"exit_status": "Submitted", "exception_signature": ""}')
        raise RuntimeError("lie")
`;
    const { outcome } = await fixtureOf(agent(body)).run();
    expect(outcome).toMatchObject({ exit_status: 'RuntimeError', exception_signature: 'RuntimeError at agent.py:run' });
  });
});
