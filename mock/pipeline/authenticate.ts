import type { Call } from './call.js';
import { ApiError, InvalidInput } from './errors.js';
import { isRefused } from './organisations.js';

/** The key of a request: the header `apikey`, else the cookie of that name. Section "Authentication", rules 1 and 2. */
export function keyOf(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = headers.apikey?.trim();
  if (key) return key;
  const { cookie } = headers;
  if (cookie === undefined) return undefined;
  const found = /(?:^|;\s*)apikey=([^;]*)/.exec(cookie)?.[1]?.trim();
  return found || undefined;
}

/** Longest key, in characters. */
const LONGEST_KEY = 512;

/** Throws ApiError as the dialect has it (`auth.missing-key`, `auth.invalid-key`) where the operation needs a key. */
export function authenticate(call: Call): void {
  if (call.operation.auth === 'none') return;
  const { key, world } = call.organisation;
  const { dialect } = world.setup;
  if (key === '') {
    const msg = 'The API key is missing: send it in the header "apikey".';
    const point = dialect['auth.missing-key'];
    if (point === '422') throw new InvalidInput([{ loc: ['header', 'apikey'], msg, type: 'missing' }]);
    throw new ApiError(point === '403' ? 403 : 401, msg);
  }
  if (isRefused(key) || key.length > LONGEST_KEY) {
    throw new ApiError(Number(dialect['auth.invalid-key']) as 401 | 403, 'The API key is not valid.');
  }
}
