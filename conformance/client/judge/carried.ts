import { REDACTED } from '../../../spec/redact.js';
import { asFields, field } from '../../conversation/json.js';
import { isSame } from './observed-run.js';

/** Whether what was sent has all that is expected. There may be more in it; members of a list may be anywhere in it. */
export function isCarried(expected: unknown, sent: unknown): boolean {
  if (isEmpty(expected) || sent === REDACTED) return true;
  if (Array.isArray(expected) && Array.isArray(sent))
    return expected.every((member) => sent.some((each) => isCarried(member, each)));
  const fields = asFields(expected);
  if (!fields || !asFields(sent)) return isAlike(expected, sent);
  return Object.entries(fields).every(([name, value]) => isCarried(value, field(sent, name)));
}

/** Means the same as a field that is left out. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Some clients trim texts and normalize URLs. */
export function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return isSame(one, other);
  if (one.trim() === other.trim()) return true;
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}
