import { hashText } from '../../spec/hash.js';
import type { Organisation } from '../engine/organisation.js';
import { MockError } from '../exchange/errors.js';
import type { Organisations } from '../pipeline/organisations.js';

/** Which key an organisation has, without the key. */
export interface KeyView {
  organisation: string;
  /** As `nameKey` set it. */
  name?: string;
  /** The beginning of a hash of the key, in hexadecimal digits. */
  hash: string;
}

const HASH_DIGITS = 6;
/** Characters of a key from which on a name must not contain it: a shorter one is part of a name by chance. */
const LEAST_SECRET = 6;

export function viewKey({ key, keyName, name }: Organisation): KeyView {
  const hash = hashText(key).toString(16).padStart(14, '0').slice(-HASH_DIGITS);
  return { organisation: name, ...(keyName !== undefined && { name: keyName }), hash };
}

/** Names a key, also before its first request. Throws MockError if the name would reveal the key. */
export function nameKey(organisations: Pick<Organisations, 'nameKey'>, name: string, key: string): void {
  const isRevealing = name === key || (key.length >= LEAST_SECRET && name.includes(key));
  if (isRevealing) throw new MockError('invalid', 'The name contains the key: choose another one.');
  organisations.nameKey(key, name);
}
