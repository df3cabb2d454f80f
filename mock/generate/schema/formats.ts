import { RE2JS } from 're2js';

type IsOfFormat = (text: string) => boolean;

/** A test by the linear-time engine, compiled at its first use: no text makes it backtrack without bound. */
function linear(source: string): IsOfFormat {
  let compiled: RE2JS | undefined;
  return (text) => {
    compiled ??= RE2JS.compile(RE2JS.translateRegExp(`^(?:${source})$`), RE2JS.CASE_INSENSITIVE);
    return compiled.test(text);
  };
}

/** A test by the engine of JavaScript, for look-ahead: only where no repetition stands inside a repetition. */
const native =
  (expression: RegExp): IsOfFormat =>
  (text) =>
    expression.test(text);

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `(?:${OCTET}\\.){3}${OCTET}`;
const H16 = '[0-9a-f]{1,4}';
/** RFC 3986, appendix A: `IPv6address`. */
const IPV6 = `(?:(?:(?:${H16}:){6}|::(?:${H16}:){5}|(?:${H16})?::(?:${H16}:){4}|${upTo(1)}::(?:${H16}:){3}|${upTo(2)}::(?:${H16}:){2}|${upTo(3)}::${H16}:|${upTo(4)}::)(?:${H16}:${H16}|${IPV4})|${upTo(5)}::${H16}|${upTo(6)}::)`;

function upTo(groups: number): string {
  return `(?:(?:${H16}:){0,${groups}}${H16})?`;
}

const ENCODED = '%[0-9a-f]{2}';
const MARKS = "a-z0-9\\-._~!$&'()*+,;=";
const SEGMENT = `(?:[${MARKS}:@]|${ENCODED})`;
const HOST = `(?:\\[(?:${IPV6}|v[0-9a-f]+\\.[${MARKS}:]+)\\]|${IPV4}|(?:[${MARKS}]|${ENCODED})*)`;
const AUTHORITY = `(?:(?:[${MARKS}:]|${ENCODED})*@)?${HOST}(?::\\d*)?`;
const PATH = `${SEGMENT}+(?:/${SEGMENT}*)*`;
const SCHEME = '[a-z][a-z0-9+\\-.]*:';
const HIERARCHY = `(?:/?/${AUTHORITY}(?:/${SEGMENT}*)*|/(?:${PATH})?|${PATH})`;
const QUERY_AND_FRAGMENT = `(?:\\?(?:${SEGMENT}|[/?])*)?(?:#(?:${SEGMENT}|[/?])*)?`;

const isUri = linear(`${SCHEME}${HIERARCHY}${QUERY_AND_FRAGMENT}`);
const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const VARIABLE = `(?:[a-z0-9_]|${ENCODED})+(?::[1-9][0-9]{0,3}|\\*)?`;

const TEXT_FORMATS: Readonly<Record<string, IsOfFormat>> = {
  date: isDate,
  time: (text) => isTime(text, true),
  'date-time': (text) => isDateTime(text, true),
  'iso-time': (text) => isTime(text, false),
  'iso-date-time': (text) => isDateTime(text, false),
  duration: native(/^P(?!$)((\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?|(\d+W)?)$/),
  uri: (text) => /[/:]/.test(text) && isUri(text),
  'uri-reference': linear(`(?:${SCHEME})?${HIERARCHY}?${QUERY_AND_FRAGMENT}`),
  'uri-template': linear(
    `(?:[^\\x00-\\x20"'<>%\\\\^\`{|}]|${ENCODED}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*`,
  ),
  url: (text) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text),
  email: linear(`${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}`),
  hostname: native(
    /^(?=.{1,253}\.?$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*\.?$/i,
  ),
  ipv4: linear(IPV4),
  ipv6: linear(IPV6),
  regex: isRegularExpression,
  uuid: linear('(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'),
  'json-pointer': linear('(?:/(?:[^~/]|~0|~1)*)*'),
  'json-pointer-uri-fragment': linear(`#(?:/(?:[a-z0-9_\\-.!$&'()*+,;:=@]|${ENCODED}|~0|~1)*)*`),
  'relative-json-pointer': linear('(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~0|~1)*)*)'),
  byte: linear('(?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?'),
};

/** Formats of numbers, as OpenAPI has them. Every integer of JavaScript is one of 64 bits. */
const NUMBER_FORMATS: Readonly<Record<string, (value: number) => boolean>> = {
  int32: (value) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31,
  int64: Number.isInteger,
};

/** Whether texts of that format can be told from others. */
export function isFormat(name: string): boolean {
  return Object.hasOwn(TEXT_FORMATS, name);
}

/** Whether a value is of a format. True for unknown formats and for values of a type that the format is not about. */
export function isOfFormat(value: string | number, name: string): boolean {
  if (typeof value === 'string') return !isFormat(name) || TEXT_FORMATS[name]!(value);
  return !Object.hasOwn(NUMBER_FORMATS, name) || NUMBER_FORMATS[name]!(value);
}

/** RFC 3339, section 5.6: `full-date`. */
function isDate(text: string): boolean {
  if (!/^\d\d\d\d-\d\d-\d\d$/.test(text)) return false;
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

/** RFC 3339, section 5.6: `full-time`, with leap seconds at midnight UTC. */
function isTime(text: string, isZoneRequired: boolean): boolean {
  const match = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(z|([+-])(\d\d)(?::?(\d\d))?)?$/i.exec(text);
  if (!match || (isZoneRequired && !match[4])) return false;
  const [hour, minute, second, zoneHour, zoneMinute] = [1, 2, 3, 6, 7].map((group) =>
    Number(match[group] ?? 0),
  ) as [number, number, number, number, number];
  if (zoneHour > 23 || zoneMinute > 59) return false;
  if (second < 60) return hour <= 23 && minute <= 59;
  const sign = match[5] === '-' ? -1 : 1;
  const utc = hour * 60 + minute - sign * (zoneHour * 60 + zoneMinute);
  return second < 61 && [-1, 1439].includes(utc);
}

function isDateTime(text: string, isZoneRequired: boolean): boolean {
  const [date = '', time = '', ...rest] = text.split(/t|\s/i);
  return rest.length === 0 && isDate(date) && isTime(time, isZoneRequired);
}

/** `\Z` is of other languages: JavaScript would take it for the letter. */
function isRegularExpression(text: string): boolean {
  if (/[^\\]\\Z/.test(text)) return false;
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
