import type { RefusalClaim } from '../../schema/model-call.ts';

/** Fields of a request that the experiment pins, and where its file says so. All others are the agent's. */
const PINNED: Readonly<Record<string, string>> = {
  model: 'model',
  seed: 'seed',
  temperature: 'sampling.temperature',
  top_p: 'sampling.topP',
  reasoning_effort: 'sampling.reasoningEffort',
  reasoning: 'sampling.reasoningEffort',
  'reasoning.effort': 'sampling.reasoningEffort',
  thinking: 'sampling.reasoningEffort',
  output_config: 'sampling.reasoningEffort',
  max_tokens: 'sampling.maxOutputTokens',
  max_completion_tokens: 'sampling.maxOutputTokens',
  max_output_tokens: 'sampling.maxOutputTokens',
  stream: 'stream',
  stream_options: 'stream',
  response_format: 'model',
  tool_choice: 'model',
  store: 'baseUrl',
  n: 'baseUrl',
};

const fields = Object.keys(PINNED)
  .map((field) => field.replaceAll('.', String.raw`\.`))
  .join('|');
const name = `['"\`]?(${fields})['"\`]?`;

/** How servers say that a field is no good; the first group is the field. */
const FIELD_PHRASES: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:unsupported|unknown|unrecognized|unrecognised|unexpected|invalid|extra|illegal)[a-z ]{0,30}(?:parameter|argument|field|value|keyword|input)s?[a-z ]{0,20}[:=]? ?${name}(?![\w.[])`,
  ),
  new RegExp(
    String.raw`(?<![\w.])${name} (?:is|are|does|do|must|should|may|can|cannot)\b[a-z0-9 ,]{0,20}(?:not |only |too |be )[a-z0-9 ]{0,30}`,
  ),
  new RegExp(String.raw`\bdoes not support (?:the )?(?:parameters? |setting )?${name}(?![\w.[])`),
  new RegExp(String.raw`^(?:\d{3} )?${name} ?: [^\n]{5,60}`),
  new RegExp(String.raw`'loc': [[(]'body', '(${fields})'[\])]`),
  new RegExp(String.raw`"loc": ?\["body", ?"(${fields})"\]`),
];

const TOOLS_PHRASE =
  /(?:does not support|not support(?:ed)?|no endpoints found that support)[a-z ]{0,20}(?:tools?\b|tool use|tool call|tool choice|function call)[a-z]*|(?:tools?|tool use|tool calling|tool choice|function calling)[a-z ]{0,20}(?:is|are) not (?:supported|enabled|available)|"auto" tool choice requires/;
const KEY_PHRASE =
  /(?:api[ _-]?key|x-api-key)[a-z ]{0,20}(?:not valid|invalid|incorrect|expired)|(?:invalid|incorrect|expired) (?:api[ _-]?key|x-api-key)/;
const CREDIT_PHRASE =
  /credit balance is too low|insufficient (?:credits?|balance|funds|quota)|exceeded your current quota|billing (?:hard )?limit/;
const MODEL_PHRASE =
  /invalid model\b[a-z ]{0,20}|\bmodel\b[^\n]{0,80}?(?:does not exist|not found|is not available|is not a valid model)/;

interface Refused {
  readonly code: string;
  readonly parameter: string | null;
  readonly message: string;
}

/** What a 400 lays on the key, the credit, the model or a pinned setting; null where it speaks of what was asked. */
export function refusalClaim({ code, parameter, message }: Refused): RefusalClaim | null {
  const text = message.toLowerCase();
  const named = parameter === null ? undefined : PINNED[parameter];
  if (named !== undefined) {
    const unknown = parameter === 'model' && !/support|parameter|value/.test(`${code} ${text}`);
    return unknown ? claim('model_unknown', null, null) : claim('setting_refused', named, null);
  }
  // A field of the agent's own was named: tools and messages are its to write.
  if (parameter !== null && /[.[]/.test(parameter)) return null;
  const key = KEY_PHRASE.exec(text);
  if (key !== null) return claim('key_refused', null, key[0]);
  const credit = CREDIT_PHRASE.exec(text);
  if (credit !== null) return claim('credit_gone', null, credit[0]);
  const tools = TOOLS_PHRASE.exec(text);
  if (tools !== null) return claim('setting_refused', 'model', tools[0]);
  for (const phrase of FIELD_PHRASES) {
    const found = phrase.exec(text);
    const field = found?.[1] === undefined ? undefined : PINNED[found[1]];
    if (found !== null && field !== undefined) return claim('setting_refused', field, found[0]);
  }
  const model = MODEL_PHRASE.exec(text);
  return model === null ? null : claim('model_unknown', null, model[0]);
}

function claim(kind: RefusalClaim['kind'], setting: string | null, phrase: string | null): RefusalClaim {
  return { kind, setting, phrase };
}
