import type { Organisation } from '../engine/organisation.js';
import { ApiError } from './errors.js';

/** What a `limited-*` key may do: three requests at once, then one every two seconds. */
const LIMITED = { per_s: 0.5, burst: 3 };

/** Throws ApiError 429 with Retry-After when the organisation asks too fast (dialect `limits.rate`, key `limited-*`). */
export function checkRate(organisation: Organisation): void {
  const rate = Number(organisation.world.setup.dialect['limits.rate']);
  const limited = organisation.key.startsWith('limited-');
  if (!limited && !(rate > 0)) return;
  const { per_s, burst } = limited ? LIMITED : { per_s: rate, burst: Math.max(1, Math.ceil(rate)) };
  const { now } = organisation.world;
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
