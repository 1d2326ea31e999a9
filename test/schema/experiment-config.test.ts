import { describe, expect, it } from 'vitest';
import { ModelSettings } from '../../src/schema/experiment-config.ts';
import { experimentRegistration } from '../../src/schema/experiment-registration.ts';
import { ModelBinding } from '../../src/schema/model-binding.ts';
import { buildLock } from '../support/lock-builder.ts';

/** The settings of a model, and the binding that the gateway is given for them. */
function bound(settings: Record<string, unknown>): ModelBinding {
  const lock = buildLock();
  lock.identity.models.solver = ModelSettings.parse(settings);
  return ModelBinding.parse(experimentRegistration(lock).models.solver);
}

describe('a model in an experiment', () => {
  it.each([
    [{ provider: 'openai' }, { provider: 'openai', wire: 'chat', baseUrl: 'https://api.openai.com/v1' }],
    [
      { provider: 'openai', wire: 'responses' },
      { provider: 'openai', wire: 'responses', baseUrl: 'https://api.openai.com/v1' },
    ],
    [{ provider: 'anthropic' }, { provider: 'anthropic', wire: 'messages', baseUrl: 'https://api.anthropic.com' }],
    [
      { provider: 'anthropic', baseUrl: 'http://127.0.0.1:1', clientWire: 'chat', stream: true },
      { provider: 'anthropic', wire: 'messages', baseUrl: 'http://127.0.0.1:1', stream: true },
    ],
  ])('as %o is bound to %o', (settings, expected) => {
    expect(bound({ model: 'm', ...settings })).toMatchObject({
      model: 'm',
      sampling: { maxOutputTokens: 4096 },
      ...expected,
    });
  });

  it('that leaves the client wire open says nothing of it: the identity of experiments made before stays', () => {
    for (const settings of [
      { provider: 'openai', model: 'm' },
      { provider: 'simulated', world: 'null' },
    ])
      expect(Object.keys(ModelSettings.parse(settings))).not.toContain('clientWire');
  });
});

it.each([
  ['openai', 'messages'],
  ['anthropic', 'chat'],
  ['anthropic', 'responses'],
] as const)('a binding of %s to the wire %s is refused', (provider, wire) => {
  const binding = bound({ provider: 'openai', model: 'm' });
  expect(ModelBinding.safeParse({ ...binding, provider, wire }).success).toBe(false);
});
