import type { Operation } from '../../spec/generated/operations.js';
import type { Organisation } from '../engine/organisation.js';
import { ApiError, InvalidInput } from '../exchange/errors.js';
import { isRefused } from './organisations.js';

/** Headers in which other services expect a key. */
const OTHER_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-apikey', 'api_key', 'x-auth-token'];

/**
 * Throws the ApiError of the dialect (`auth.missing-key`, `auth.invalid-key`) if the operation needs a key.
 */
export function authenticate(
  organisation: Organisation,
  operation: Operation,
  headers: Readonly<Record<string, string | undefined>>,
): void {
  const { key } = organisation;
  if (operation.auth === 'none') return;
  const { dialect } = organisation;
  if (key === '') {
    const seen = OTHER_HEADERS.find((name) => headers[name] !== undefined);
    const instead = seen === undefined ? '' : `, not in "${seen}"`;
    const msg = `The API key is missing: send it in the header "apikey"${instead}.`;
    const point = dialect['auth.missing-key'];
    if (point === '422') throw new InvalidInput([{ loc: ['header', 'apikey'], msg, type: 'missing' }]);
    throw new ApiError(point === '403' ? 403 : 401, msg);
  }
  if (isRefused(key)) {
    throw new ApiError(Number(dialect['auth.invalid-key']) as 401 | 403, 'The API key is not valid.');
  }
}

/** Rate limit of a `limited-*` key: three requests at once, then one every two seconds. */
const LIMITED = { per_s: 0.5, burst: 3 };

/**
 * Throws ApiError 429 with Retry-After if the organisation sends requests too fast (dialect `limits.rate`,
 * key `limited-*`).
 */
export function checkRate(organisation: Organisation): void {
  const rate = Number(organisation.dialect['limits.rate']);
  const limited = organisation.key.startsWith('limited-');
  if (!limited && !(rate > 0)) return;
  const { per_s, burst } = limited ? LIMITED : { per_s: rate, burst: Math.max(1, Math.ceil(rate)) };
  const { now } = organisation;
  organisation.bucket ??= { tokens: burst, filled_at: now };
  const { bucket } = organisation;
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filled_at) / 1000) * per_s);
  bucket.filled_at = now;
  if (bucket.tokens >= 1) {
    bucket.tokens -= 1;
    return;
  }
  const wait_s = Math.max(1, Math.ceil((1 - bucket.tokens) / per_s));
  throw new ApiError(429, `Too many requests: at most ${per_s} a second. Ask again in ${wait_s} s.`, {
    'retry-after': String(wait_s),
  });
}
