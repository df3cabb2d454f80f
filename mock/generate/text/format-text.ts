import type { Random } from '../random.js';
import { fakerFor } from './faker.js';
import { dateTime, ipv4, webAddress, wordFrom as word } from './names.js';

type Write = (random: Random) => string;

const email: Write = (random) => `${word(random)}.${word(random)}@example.com`;
const uri: Write = (random) => webAddress(fakerFor(random));
const reference: Write = (random) => `/${word(random)}/${word(random)}`;
const host: Write = (random) => `${word(random)}.example.com`;
const time: Write = (random) => dateTime(random).slice(11);

const WRITERS: Record<string, Write> = {
  date: (random) => dateTime(random).slice(0, 10),
  time,
  'date-time': dateTime,
  'iso-time': time,
  'iso-date-time': dateTime,
  duration: (random) =>
    random.pick([`PT${random.int(1, 59)}M`, `PT${random.int(1, 23)}H`, `P${random.int(1, 28)}D`]),
  email,
  'idn-email': email,
  hostname: host,
  'idn-hostname': host,
  ipv4,
  ipv6: (random) => `2001:db8::${random.int(1, 0xffff).toString(16)}`,
  uri,
  url: uri,
  iri: uri,
  'uri-reference': reference,
  'iri-reference': reference,
  'uri-template': (random) => `/${word(random)}/{id}`,
  uuid: (random) => random.uuid(),
  'json-pointer': reference,
  'json-pointer-uri-fragment': (random) => `#/${word(random)}`,
  'relative-json-pointer': (random) => `${random.int(0, 3)}/${word(random)}`,
  regex: (random) => `^${word(random)}$`,
  byte: (random) => btoa(word(random)),
  password: (random) => fakerFor(random).string.alphanumeric(12),
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

/** Texts of a format, usual ones first; some are short, and some have at least `min` characters. None if it is unknown here. */
export function textsOfFormat(format: string, min: number, random: Random): string[] {
  if (!Object.hasOwn(WRITERS, format)) return [];
  const usual = Array.from({ length: 5 }, () => WRITERS[format]!(random));
  const missing = Math.max(0, min - usual[0]!.length);
  const longer = [usual[0]! + 'a'.repeat(missing), 'a.'.repeat(Math.ceil(missing / 2)) + usual[0]!];
  return [...usual, ...(Object.hasOwn(SHORT, format) ? [SHORT[format]!] : []), ...longer];
}
