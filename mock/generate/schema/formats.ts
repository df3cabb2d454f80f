import { parseUrl } from '../../../spec/addresses.js';

type FormatCheck = (text: string) => boolean;

/** No expression has a repetition that could match the same text in two ways, so no text causes long backtracking. */
const createMatcher =
  (expression: RegExp): FormatCheck =>
  (text) =>
    expression.test(text);

const TIME = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?(z|[+-]([01]\\d|2[0-3])(:?[0-5]\\d)?)';
const isTime = createMatcher(new RegExp(`^${TIME}$`, 'i'));
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[a-z0-9]+(-+[a-z0-9]+)*';
/** The characters of a URI (RFC 3986), without the structure of its parts. */
const isAddressText = createMatcher(/^([!#$&-;=?-[\]_a-z~]|%[0-9a-f]{2})*$/i);

/** Formats that are checked, as far as a short expression can check RFC 3339, 3986, 4122 and 5321. */
const TEXT_FORMATS: Readonly<Record<string, FormatCheck>> = {
  date: isDate,
  time: isTime,
  'date-time': (text) => /^.{10}[t\s]/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  duration: createMatcher(/^P(?!$)((\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?|(\d+W)?)$/),
  uri: (text) => /^[a-z][a-z0-9+.-]*:/i.test(text) && isAddressText(text) && parseUrl(text) !== undefined,
  'uri-reference': (text) => isAddressText(text) && parseUrl(text, 'https://example.com') !== undefined,
  url: (text) => /^(https?|ftp):\/\/\S+$/i.test(text) && parseUrl(text) !== undefined,
  email: createMatcher(new RegExp(`^${ATOM}(\\.${ATOM})*@(${LABEL}\\.)+${LABEL}$`, 'i')),
  hostname: createMatcher(
    /^(?=.{1,253}\.?$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*\.?$/i,
  ),
  ipv4: createMatcher(/^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/),
  ipv6: (text) => /^[0-9a-f:.]+$/i.test(text) && parseUrl(`http://[${text}]`) !== undefined,
  regex: isRegularExpression,
  uuid: createMatcher(/^(urn:uuid:)?[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i),
  'json-pointer': createMatcher(/^(\/([^~/]|~[01])*)*$/),
  byte: (text) => text.length % 4 === 0 && /^[a-z0-9+/]*={0,2}$/i.test(text),
};

/** Number formats of OpenAPI. Every JavaScript integer has 64 bits. */
const NUMBER_FORMATS: Readonly<Record<string, (value: number) => boolean>> = {
  int32: (value) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31,
  int64: Number.isInteger,
};

/** True for unknown formats and for values of a type that the format does not apply to. */
export function isOfFormat(value: string | number, name: string): boolean {
  if (typeof value === 'string') return !Object.hasOwn(TEXT_FORMATS, name) || TEXT_FORMATS[name]!(value);
  return !Object.hasOwn(NUMBER_FORMATS, name) || NUMBER_FORMATS[name]!(value);
}

function isDate(text: string): boolean {
  if (!/^\d\d\d\d-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** `\Z` belongs to other languages: JavaScript would read it as the letter. */
function isRegularExpression(text: string): boolean {
  if (/[^\\]\\Z/.test(text)) return false;
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
