import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Refusal } from './call-outcome.ts';

/** HTTP status of a refusal at the front. Only `provider_unavailable` is worth asking again. */
export function frontStatus({ type, code }: Refusal): ContentfulStatusCode {
  switch (type) {
    case 'call_limit':
    case 'token_limit':
    case 'budget_refused':
      return 403;
    case 'invalid_request':
      return INVALID[code] ?? 400;
    case 'context_overflow':
    case 'refusal':
      return 400;
    case 'provider_unavailable':
      return 503;
    case 'fenced':
      return 410;
    case 'call_conflict':
      return 409;
  }
}

const INVALID: Readonly<Record<string, ContentfulStatusCode>> = {
  bad_token: 401,
  no_such_path: 404,
  body_too_large: 413,
  content_encoding: 415,
};
