import type { Random } from '../random.js';
import { generateDateTime, generateIpv4, generateUrl, getFaker, pickWord as word } from './property-texts.js';

type FormatGenerator = (random: Random) => string;

const generateEmail: FormatGenerator = (random) => `${word(random)}.${word(random)}@example.com`;
const generateUri: FormatGenerator = (random) => generateUrl(getFaker(random));
const generateReference: FormatGenerator = (random) => `/${word(random)}/${word(random)}`;
const generateHost: FormatGenerator = (random) => `${word(random)}.example.com`;
const generateTime: FormatGenerator = (random) => generateDateTime(random).slice(11);

const GENERATORS: Record<string, FormatGenerator> = {
  date: (random) => generateDateTime(random).slice(0, 10),
  time: generateTime,
  'date-time': generateDateTime,
  'iso-time': generateTime,
  'iso-date-time': generateDateTime,
  duration: (random) =>
    random.pick([`PT${random.int(1, 59)}M`, `PT${random.int(1, 23)}H`, `P${random.int(1, 28)}D`]),
  email: generateEmail,
  'idn-email': generateEmail,
  hostname: generateHost,
  'idn-hostname': generateHost,
  ipv4: generateIpv4,
  ipv6: (random) => `2001:db8::${random.int(1, 0xffff).toString(16)}`,
  uri: generateUri,
  url: generateUri,
  iri: generateUri,
  'uri-reference': generateReference,
  'iri-reference': generateReference,
  'uri-template': (random) => `/${word(random)}/{id}`,
  uuid: (random) => random.uuid(),
  'json-pointer': generateReference,
  'json-pointer-uri-fragment': (random) => `#/${word(random)}`,
  'relative-json-pointer': (random) => `${random.int(0, 3)}/${word(random)}`,
  regex: (random) => `^${word(random)}$`,
  byte: (random) => btoa(word(random)),
  password: (random) => getFaker(random).string.alphanumeric(12),
  binary: word,
};

/** Shortest texts of a few formats, for small `maxLength`. */
const SHORT: Record<string, string> = {
  email: 'a@b.co',
  uri: 'a:b/',
  url: 'http://a.co',
  hostname: 'a.co',
  ipv4: '1.1.1.1',
};

/**
 * Texts of a format, usual ones first; some are short, and some have at least `min` characters. Empty for an
 * unknown format.
 */
export function generateFormatTexts(format: string, min: number, random: Random): string[] {
  if (!Object.hasOwn(GENERATORS, format)) return [];
  const usual = Array.from({ length: 5 }, () => GENERATORS[format]!(random));
  const missing = Math.max(0, min - usual[0]!.length);
  const longer = [usual[0]! + 'a'.repeat(missing), 'a.'.repeat(Math.ceil(missing / 2)) + usual[0]!];
  return [...usual, ...(Object.hasOwn(SHORT, format) ? [SHORT[format]!] : []), ...longer];
}
