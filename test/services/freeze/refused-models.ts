import { replaced, validExperiment } from '../../support/experiment-files.ts';
import type { RefusedExperiment } from './refused-experiments.ts';

/** The first model of a valid experiment, as `settings` instead. */
function model(title: string, settings: string, at: string): RefusedExperiment {
  const files = replaced(validExperiment, 'experiment.yaml', 'provider: simulated\n    world: no-transfer', settings);
  return { title, files, code: 'ANL-1003', at: `experiment.yaml:${at}` };
}

/** Models of providers whose settings do not hold. */
export const refusedModels: readonly RefusedExperiment[] = [
  model('a wire that no provider of the name speaks', 'provider: anthropic\n    wire: chat\n    model: m', '20:5'),
  model('a wire that does not exist', 'provider: openai\n    wire: grpc\n    model: m', '20:5'),
  model('the wire of another provider', 'provider: openai\n    wire: messages\n    model: m', '20:5'),
  model('a client wire that does not exist', 'provider: openai\n    clientWire: grpc\n    model: m', '20:5'),
  model(
    'a temperature that Anthropic does not know',
    'provider: anthropic\n    model: m\n    sampling: { temperature: 1.5 }',
    '21:17',
  ),
  model('a key that is no variable name', 'provider: openai\n    model: m\n    keyVariable: sk-123', '21:5'),
  ...(
    [
      ['that is none', 'here'],
      ['of another protocol', 'ftp://example.com/v1'],
      ['that is a script', 'javascript:alert(1)'],
      ['with a user and a password', 'https://user:secret@example.com/v1'],
      ['with a user and no slashes', '"https:user:secret@example.com/v1"'],
      ['with a key in its query', 'https://example.com/v1?api-key=sk-123'],
      ['with a fragment', '"https://example.com/v1#chat"'],
    ] as const
  ).flatMap(([title, url]) =>
    ['openai', 'anthropic'].map((provider) =>
      model(`a base URL ${title}, ${provider}`, `provider: ${provider}\n    model: m\n    baseUrl: ${url}`, '21:5'),
    ),
  ),
];
