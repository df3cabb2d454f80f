import { parseUrl } from '../../../spec/addresses.js';
import { openapi } from '../../../spec/generated/documents.js';
import { REDACTED } from '../../../spec/redact.js';
import { isSameJson, readField, toFields } from '../../conversation/json.js';
import { isSame } from './observed-run.js';

/** Texts in which some clients normalize line breaks. */
const TEXTS = new Set(['task', 'description', 'output', 'prompt', 'js']);
/** Texts that some clients trim, too. The text of a task is the user's own. */
const TRIMMED = new Set(['description', 'output', 'prompt', 'js']);
/** Fields without meaning if they are blank. */
const OPTIONAL = new Set(['prompt']);
/** Addresses, which some clients normalize. */
const ADDRESSES = new Set(['url', 'allowed_urls', 'proxy_server']);

/**
 * Whether the value that a client sent for the field `name` contains the value in the job. It may have more fields, and list members
 * in any order. A null or empty field may be absent.
 */
export function hasExpectedValue(name: string, expected: unknown, sent: unknown): boolean {
  // Recorded exchanges have no secrets.
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

/** In a list, null and empty members are compared like others. */
function isMember(name: string, expected: unknown, sent: unknown): boolean {
  return isEmpty(expected) ? isSame(expected, sent) : hasExpectedValue(name, expected, sent);
}

/** Equivalent to an absent field. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Equal to the default that the description of the API gives a field of a request. */
export function isDefault(name: string, value: unknown): boolean {
  return isSame(
    value,
    readField(readField(openapi.components.schemas.TaskRequest?.properties, name), 'default'),
  );
}

/** Equal except for changes that clients may make to such a field. */
export function isEquivalent(name: string, one: unknown, other: unknown): boolean {
  if (isSame(one, other) || other === REDACTED) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  if (TEXTS.has(name)) return normalizeText(name, one) === normalizeText(name, other);
  return ADDRESSES.has(name) && isSameAddress(one, other);
}

function normalizeText(name: string, text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  return TRIMMED.has(name) ? lines.trim() : lines;
}

/** Empty, or a text of nothing but white space. */
export function isBlank(value: unknown): boolean {
  return isEmpty(value) || (typeof value === 'string' && value.trim() === '');
}

/** The parts of an address, normalized: URL parsers write them differently. Undefined if it is none. */
function parseAddress(address: string) {
  const url = parseUrl(address);
  if (!url) return undefined;
  const { protocol, username, password, host, pathname, searchParams, hash } = url;
  const normalizeEscapes = (text: string) => text.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
  return {
    place: [protocol, username, password, host, normalizeEscapes(pathname)].join(' '),
    fragment: normalizeEscapes(hash),
    parameters: [...searchParams].map(([name, value]) => JSON.stringify([name, value])),
  };
}

/** Equal as text or after parsing. */
function isSameAddress(one: string, other: string): boolean {
  if (one === other) return true;
  const parts = parseAddress(one);
  return parts !== undefined && isSameJson(parts, parseAddress(other));
}

/** `reported` leads to `given`: clients may add parameters such as `interactive` and `embed`, but drop none. */
export function hasSameDestination(reported: unknown, given: unknown): boolean {
  if (typeof reported !== 'string' || typeof given !== 'string') return false;
  if (reported === given) return true;
  const [actual, expected] = [parseAddress(reported), parseAddress(given)];
  if (!actual || !expected || actual.place !== expected.place) return false;
  if (expected.fragment !== '' && actual.fragment !== expected.fragment) return false;
  return expected.parameters.every((each) => actual.parameters.includes(each));
}
