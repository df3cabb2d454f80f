import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type DecodedBody, decodeBody } from './body.js';

const TEXT = '{"r":"Tee für Käthe"}';
const UTF8 = Buffer.from(TEXT);
const LATIN1 = Buffer.from(TEXT, 'latin1');
const UTF16 = Buffer.from(`\ufeff${TEXT}`, 'utf16le');
const IMAGE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]);
const JSON_TYPE = 'application/json';

const BODIES: readonly [
  name: string,
  bytes: Buffer,
  type: string,
  coding: string | undefined,
  read: DecodedBody,
][] = [
  ['a text', UTF8, JSON_TYPE, undefined, { body: TEXT }],
  ['nothing', Buffer.alloc(0), JSON_TYPE, 'gzip', { body: '' }],
  ['a byte order mark', Buffer.from(`\ufeff${TEXT}`), JSON_TYPE, undefined, { body: `\ufeff${TEXT}` }],
  ['gzip', gzipSync(UTF8), JSON_TYPE, 'gzip', { body: TEXT }],
  ['gzip under another name', gzipSync(UTF8), JSON_TYPE, ' X-GZIP', { body: TEXT }],
  ['brotli', brotliCompressSync(UTF8), JSON_TYPE, 'br', { body: TEXT }],
  ['deflate', deflateSync(UTF8), JSON_TYPE, 'deflate', { body: TEXT }],
  ['deflate without the header of zlib', deflateRawSync(UTF8), JSON_TYPE, 'deflate', { body: TEXT }],
  ['two codings', gzipSync(deflateSync(UTF8)), JSON_TYPE, 'deflate, gzip', { body: TEXT }],
  ['identity', UTF8, JSON_TYPE, 'identity', { body: TEXT }],
  [
    'a coding that it does not have',
    UTF8,
    JSON_TYPE,
    'gzip',
    { body: TEXT, encoding_fault: 'content-encoding' },
  ],
  [
    'a coding that nothing knows',
    UTF8,
    JSON_TYPE,
    'snappy',
    { body: TEXT, encoding_fault: 'content-encoding' },
  ],
  [
    'gzip without the header',
    gzipSync(UTF8),
    JSON_TYPE,
    undefined,
    { body: TEXT, encoding_fault: 'content-encoding' },
  ],
  ['an archive in gzip', gzipSync(UTF8), 'application/gzip', undefined, { body: gzipSync(UTF8) }],
  [
    'latin1 that the header names',
    LATIN1,
    `${JSON_TYPE}; charset=ISO-8859-1`,
    undefined,
    { body: TEXT, encoding_fault: 'charset' },
  ],
  ['latin1 that no header names', LATIN1, JSON_TYPE, undefined, { body: TEXT, encoding_fault: 'charset' }],
  [
    'a charset that nothing knows',
    LATIN1,
    `${JSON_TYPE}; charset="x-none"`,
    undefined,
    { body: TEXT, encoding_fault: 'charset' },
  ],
  [
    'UTF-8 under another charset, which JSON does not have',
    UTF8,
    `${JSON_TYPE}; charset=latin1`,
    undefined,
    { body: TEXT },
  ],
  ['UTF-16', UTF16, JSON_TYPE, undefined, { body: TEXT, encoding_fault: 'charset' }],
  ['an image', IMAGE, 'image/png', undefined, { body: IMAGE }],
  ['a bomb', gzipSync(Buffer.alloc(10_000)), JSON_TYPE, 'gzip', { body: gzipSync(Buffer.alloc(10_000)) }],
];

describe('a body', () => {
  it.each(BODIES)('with %s', (_, bytes, type, coding, read) => {
    const decoded = decodeBody(bytes, { 'content-type': type, 'content-encoding': coding }, 5000);
    expect({
      ...decoded,
      body: typeof decoded.body === 'string' ? decoded.body : Buffer.from(decoded.body),
    }).toEqual({ ...read, body: typeof read.body === 'string' ? read.body : Buffer.from(read.body) });
  });
});
