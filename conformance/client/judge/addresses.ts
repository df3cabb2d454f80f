import { isSameJson } from '../../conversation/json.js';

/** The parts of an address, normalized: URL parsers write them differently. */
function parseAddress(address: string) {
  const { protocol, username, password, host, pathname, searchParams, hash } = new URL(address.trim());
  const normalizeEscapes = (text: string) => text.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
  return {
    place: [protocol, username, password, host, normalizeEscapes(pathname)].join(' '),
    fragment: normalizeEscapes(hash),
    parameters: [...searchParams].map(([name, value]) => JSON.stringify([name, value])),
  };
}

/** Equal as text or after parsing. */
export function isSameAddress(one: string, other: string): boolean {
  if (one === other) return true;
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  return isSameJson(parseAddress(one), parseAddress(other));
}

/** `reported` leads to `given`: clients may add parameters such as `interactive` and `embed`, but drop none. */
export function hasSameDestination(reported: unknown, given: unknown): boolean {
  if (typeof reported !== 'string' || typeof given !== 'string') return false;
  if (reported === given) return true;
  if (!URL.canParse(reported) || !URL.canParse(given)) return false;
  const [actual, expected] = [parseAddress(reported), parseAddress(given)];
  if (actual.place !== expected.place) return false;
  if (expected.fragment !== '' && actual.fragment !== expected.fragment) return false;
  return expected.parameters.every((each) => actual.parameters.includes(each));
}
