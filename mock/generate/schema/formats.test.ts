import { describe, expect, it } from 'vitest';
import { isOfFormat } from './formats.js';

/** Valid and invalid texts of each format. */
const TEXTS: Record<string, [fitting: string[], others: string[]]> = {
  date: [
    ['2024-02-29', '0001-12-31'],
    ['2026-02-29', '2026-13-01', '2026-1-1', ''],
  ],
  time: [
    ['12:00:00Z', '23:59:59.5+01:00', '00:00:00z'],
    ['12:00:00', '24:00:00Z', '12:60:00Z', '12:00Z'],
  ],
  'date-time': [
    ['2026-01-02T03:04:05Z', '2026-01-02t03:04:05-07:00'],
    ['2026-01-02', '2026-02-30T00:00:00Z'],
  ],
  duration: [
    ['P1D', 'PT1H30M', 'P2W', 'P1Y2M3DT4H'],
    ['P', 'PT', '1D', 'P1H'],
  ],
  uri: [
    ['https://example.com/a?b#c', 'urn:isbn:1', 'a:b/', 'mailto:a@b.co'],
    ['/a', 'example.com', 'http://a b', 'http://[::', 'http://é'],
  ],
  'uri-reference': [
    ['/a/b?c', '', '#d', 'https://example.com'],
    ['a b', '"', '%x1'],
  ],
  url: [
    ['https://example.com', 'ftp://a/b'],
    ['example.com', 'urn:a', 'https://'],
  ],
  email: [
    ['a@b.co', "o'neil.x+y@mail.example.com"],
    ['a@b', '@b.co', 'a b@c.co', 'a@-b.co', 'a@b..co', 'a.@b.co'],
  ],
  hostname: [
    ['example.com', 'a', 'x-1.acme.com.'],
    ['-a.com', 'a..b', `${'a'.repeat(64)}.com`, 'a_b'],
  ],
  ipv4: [
    ['192.0.2.1', '0.0.0.0', '255.255.255.255'],
    ['256.1.1.1', '1.2.3', '1.2.3.4.5', '1.2.3.4.', '01.2.3.4'],
  ],
  ipv6: [
    ['2001:db8::1', '::', '::ffff:192.0.2.1'],
    ['1::2::3', ':::', '12345::', '192.0.2.1', ']'],
  ],
  regex: [
    ['^a+$', '(?=a)'],
    ['(', 'a\\Z'],
  ],
  uuid: [['123e4567-e89b-12d3-a456-426614174000'], ['123e4567', '123e4567e89b12d3a456426614174000']],
  'json-pointer': [
    ['', '/a~1b/0'],
    ['a', '/a~2'],
  ],
  byte: [
    ['YWJj', 'YQ==', ''],
    ['YQ', 'Y===a', 'é==='],
  ],
};

describe.each(Object.entries(TEXTS))('format %s', (name, [fitting, others]) => {
  it.each(fitting)('accepts %j', (text) => expect(isOfFormat(text, name)).toBe(true));
  it.each(others)('refuses %j', (text) => expect(isOfFormat(text, name)).toBe(false));
});

it('formats of numbers', () => {
  expect(isOfFormat(2 ** 31 - 1, 'int32')).toBe(true);
  expect(isOfFormat(2 ** 31, 'int32')).toBe(false);
  expect(isOfFormat(0.5, 'int64')).toBe(false);
  expect(isOfFormat(0.5, 'float')).toBe(true);
});
