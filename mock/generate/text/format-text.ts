import type { Random } from '../random.js';
import { isOfFormat } from '../schema/formats.js';
import { fakerFor } from './faker.js';
import { dateTime, ipv4, webAddress } from './names.js';
import { wordFrom as word } from './pattern-text.js';

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

/** A text of a format and a length, or undefined when the format is unknown here or has no text of that length. */
export function textForFormat(format: string, min: number, max: number, random: Random): string | undefined {
  if (!Object.hasOwn(WRITERS, format)) return undefined;
  const tries = Array.from({ length: 5 }, () => WRITERS[format]!(random));
  const short = Object.hasOwn(SHORT, format) ? [SHORT[format]!] : [];
  const missing = Math.max(0, min - tries[0]!.length);
  const longer = [tries[0]! + 'a'.repeat(missing), 'a.'.repeat(Math.ceil(missing / 2)) + tries[0]!];
  return [...tries, ...short, ...longer].find(
    (text) => text.length >= min && text.length <= max && isOfFormat(text, format),
  );
}
