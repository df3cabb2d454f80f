import { REDACTED } from '../../../spec/redact.js';
import { readField, toFields } from '../../conversation/json.js';
import { isSameAddress } from './addresses.js';
import { isSame } from './observed-run.js';

/** Texts for people, of which some clients trim the ends, and write line breaks in one form. */
const TRIMMED = new Set(['task', 'description', 'output', 'prompt', 'js']);
/** Those that say nothing where they are blank. */
const OPTIONAL = new Set(['prompt']);
/** Addresses, which some clients normalize. */
const ADDRESSES = new Set(['url', 'allowed_urls', 'proxy_server']);

/**
 * Whether what a client sent for the field `name` has all that the job has there. There may be more in it, and members of a list
 * may be anywhere in it; a field that is null or empty may be left out.
 */
export function hasExpectedValue(name: string, expected: unknown, sent: unknown): boolean {
  // The exchanges on record show no secrets.
  if (sent === REDACTED) return true;
  if (isEmpty(expected)) return sent === undefined || sent === null || isSame(expected, sent);
  if (OPTIONAL.has(name) && isEmpty(sent)) return isBlank(expected);
  if (Array.isArray(expected))
    return (
      Array.isArray(sent) && expected.every((member) => sent.some((each) => isMember(name, member, each)))
    );
  const fields = toFields(expected);
  if (!fields) return isEquivalent(name, expected, sent);
  if (!toFields(sent)) return false;
  return Object.entries(fields).every(([each, value]) =>
    hasExpectedValue(each, value, readField(sent, each)),
  );
}

/** In a list null and empty members are members like others. */
function isMember(name: string, expected: unknown, sent: unknown): boolean {
  return isEmpty(expected) ? isSame(expected, sent) : hasExpectedValue(name, expected, sent);
}

/** Means the same as a field that is left out. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Equal but for what clients may change in the text of such a field. */
export function isEquivalent(name: string, one: unknown, other: unknown): boolean {
  if (isSame(one, other) || other === REDACTED) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  if (TRIMMED.has(name)) return normalizeText(one) === normalizeText(other);
  return ADDRESSES.has(name) && isSameAddress(one, other);
}

function normalizeText(text: string): string {
  return text.trim().replace(/\r\n?/g, '\n');
}

function isBlank(text: unknown): boolean {
  return typeof text === 'string' && text.trim() === '';
}
