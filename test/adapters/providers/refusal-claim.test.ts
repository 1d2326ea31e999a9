import { expect, it } from 'vitest';
import { refusalClaim } from '../../../src/adapters/providers/refusal-claim.ts';

/** Texts of real servers: what they say, the field that the body names, what it comes to. */
it.each<[string, string | null, string | null]>([
  ["400 Unsupported parameter: 'seed' is not supported with this model.", 'seed', 'setting_refused seed'],
  [
    "Unsupported value: 'temperature' does not support 0.2 with this model.",
    null,
    'setting_refused sampling.temperature',
  ],
  ['Unrecognized request argument supplied: reasoning_effort', null, 'setting_refused sampling.reasoningEffort'],
  ['400 temperature: range: 0..1', null, 'setting_refused sampling.temperature'],
  ['`temperature` may only be set to 1 when thinking is enabled.', null, 'setting_refused sampling.temperature'],
  [
    'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens',
    null,
    'setting_refused sampling.maxOutputTokens',
  ],
  ['max_tokens must be at least 1, got 0.', null, 'setting_refused sampling.maxOutputTokens'],
  [
    "[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': 'Extra inputs are not permitted'}]",
    null,
    'setting_refused seed',
  ],
  [
    '{"detail":[{"type":"extra_forbidden","loc":["body","top_p"],"msg":"Extra inputs are not permitted"}]}',
    null,
    'setting_refused sampling.topP',
  ],
  ["Invalid value: 'xhigh'.", 'reasoning.effort', 'setting_refused sampling.reasoningEffort'],
  [
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    null,
    'setting_refused model',
  ],
  ['No endpoints found that support tool use', null, 'setting_refused model'],
  ['tools is not supported in this model', null, 'setting_refused model'],
  ['API key not valid. Please pass a valid API key.', null, 'key_refused -'],
  ['Your credit balance is too low to access the Anthropic API.', null, 'credit_gone -'],
  ['invalid model ID', null, 'model_unknown -'],
  ["Model 'office-9' not found", null, 'model_unknown -'],
  ["Invalid value: 'x'. Supported values are: 'assistant', 'user'.", 'messages[0].role', null],
  ["Invalid 'tools[0].function.name': string does not match pattern", 'tools[0].function.name', null],
  ["An assistant message with 'tool_calls' must be followed by tool messages", 'messages', null],
  ['messages.1.content.0: unknown block', null, null],
  ['Could not parse the JSON body of your request', null, null],
  ["tool call id 'n' is invalid", null, null],
  ['', null, null],
])('a 400 that says %j about the field %s claims %s', (message, parameter, expected) => {
  const claim = refusalClaim({ code: '', parameter, message });
  expect(claim === null ? null : `${claim.kind} ${claim.setting ?? '-'}`).toBe(expected);
});
