import { afterEach, describe, expect, it } from 'vitest';
import { readExchange } from '../../mock/exchange/journal-file.js';
import { HarReader } from '../../mock/exchange/readers/har-reader.js';
import { toHar } from '../../mock/exchange/readers/har-writer.js';
import { replayMock } from '../../mock/replay/replay-mock.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { exchangeBytes, startRawService } from '../support/proxy/raw.js';
import { closeAll, closeLater, startProxy } from '../support/proxy/servers.js';

afterEach(closeAll);

const JSON_HEAD = 'Content-Type: application/json\r\n';
const usage = (line: string, headers = '', body = '{"r":{}}') =>
  Buffer.from(`${line}\r\n${JSON_HEAD}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
const latin1 = (line: string) => Buffer.from(usage(line).toString().replace(/^.*/, line), 'latin1');

/** What a service sends, byte for byte, and what its client gets: the first line of the response. */
const RESPONSES: readonly [name: string, bytes: Buffer, firstLine: RegExp][] = [
  ['a reason phrase in UTF-8', usage('HTTP/1.1 200 成功'), /^HTTP\/1\.1 200 æ/],
  ['a reason phrase in latin1', latin1('HTTP/1.1 200 Für dich'), /^HTTP\/1\.1 200 Für dich\r/],
  ['a control character in the reason phrase', usage('HTTP/1.1 200 O\x07K'), /^HTTP\/1\.1 (200 O K|502)/],
  ['an escape sequence in the reason phrase', usage('HTTP/1.1 200 \x1b[2J'), /^HTTP\/1\.1 (200|502)/],
  ['no reason phrase', usage('HTTP/1.1 200'), /^HTTP\/1\.1 200/],
  ['a reason phrase of 4 kB', usage(`HTTP/1.1 200 ${'x'.repeat(4000)}`), /^HTTP\/1\.1 200 xxx/],
  ['status 600', usage('HTTP/1.1 600 Six'), /^HTTP\/1\.1 600 Six/],
  ['status 999', usage('HTTP/1.1 999 Denied'), /^HTTP\/1\.1 999 Denied/],
  ['status 99', usage('HTTP/1.1 99 Low'), /^HTTP\/1\.1 502/],
  ['status 0', usage('HTTP/1.1 000 Zero'), /^HTTP\/1\.1 502/],
  ['status 1000', usage('HTTP/1.1 1000 High'), /^HTTP\/1\.1 502/],
  [
    'a 100 that nothing asked for',
    Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), usage('HTTP/1.1 200 OK')]),
    /^HTTP\/1\.1 200 OK/,
  ],
  [
    '102 and 103 before the response',
    Buffer.concat([
      Buffer.from('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'),
      usage('HTTP/1.1 200 OK'),
    ]),
    /^HTTP\/1\.1 200 OK/,
  ],
  [
    '101 for no upgrade',
    Buffer.from('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    /^HTTP\/1\.1 502/,
  ],
  ['a header value in UTF-8', usage('HTTP/1.1 200 OK', 'X-Name: 成功\r\n'), /^HTTP\/1\.1 200 OK/],
  [
    'a control character in a header value',
    usage('HTTP/1.1 200 OK', 'X-Name: a\x01b\r\n'),
    /^HTTP\/1\.1 (200|502)/,
  ],
  ['a header without a name', usage('HTTP/1.1 200 OK', ': x\r\n'), /^HTTP\/1\.1 (200|502)/],
  ['a header name with a space', usage('HTTP/1.1 200 OK', 'X Name: x\r\n'), /^HTTP\/1\.1 (200|502)/],
  [
    'the header __proto__',
    usage('HTTP/1.1 200 OK', '__proto__: x\r\nconstructor: y\r\n'),
    /^HTTP\/1\.1 200 OK/,
  ],
  ['a folded header', usage('HTTP/1.1 200 OK', 'X-Name: a\r\n b\r\n'), /^HTTP\/1\.1 (200|502)/],
  ['headers of 100 kB', usage('HTTP/1.1 200 OK', `X-Name: ${'x'.repeat(100_000)}\r\n`), /^HTTP\/1\.1 502/],
  ['two lengths', usage('HTTP/1.1 200 OK', 'Content-Length: 3\r\n'), /^HTTP\/1\.1 502/],
  [
    'a length and chunks',
    usage('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked\r\n'),
    /^HTTP\/1\.1 (200|502)/,
  ],
  [
    'trailers',
    Buffer.from(
      `HTTP/1.1 200 OK\r\n${JSON_HEAD}Transfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\n{}\r\n0\r\nX-T: \x01成\r\n\r\n`,
    ),
    /^HTTP\/1\.1 (200|502)/,
  ],
  [
    'chunks with extensions',
    Buffer.from(
      `HTTP/1.1 200 OK\r\n${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n2;a="b\x07"\r\n{}\r\n0\r\n\r\n`,
    ),
    /^HTTP\/1\.1 (200|502)/,
  ],
  ['no HTTP', Buffer.from('220 smtp ready\r\n'), /^HTTP\/1\.1 502/],
  ['nothing', Buffer.alloc(0), /^HTTP\/1\.1 502/],
  ['HTTP/0.9', Buffer.from('{"r":{}}'), /^HTTP\/1\.1 502/],
  ['HTTP/2.0 in the first line', usage('HTTP/2.0 200 OK'), /^HTTP\/1\.1 (200|502)/],
  ['gzip that is none', usage('HTTP/1.1 200 OK', 'Content-Encoding: gzip\r\n'), /^HTTP\/1\.1 200 OK/],
  [
    'an unknown coding',
    usage('HTTP/1.1 200 OK', 'Content-Encoding: nonsense, \x7f\r\n'),
    /^HTTP\/1\.1 (200|502)/,
  ],
  ['a redirect to nowhere', usage('HTTP/1.1 302 Found', 'Location: http://[\r\n'), /^HTTP\/1\.1 502/],
  [
    'a text with escape sequences',
    usage('HTTP/1.1 400 Bad', '', '{"detail":"\x1b]0;x\x07"}'),
    /^HTTP\/1\.1 400 Bad/,
  ],
  ['JSON of 20,000 brackets', usage('HTTP/1.1 200 OK', '', '['.repeat(20_000)), /^HTTP\/1\.1 200 OK/],
  [
    'JSON of 20,000 levels',
    usage('HTTP/1.1 200 OK', '', `${'['.repeat(20_000)}${']'.repeat(20_000)}`),
    /^HTTP\/1\.1 200 OK/,
  ],
  [
    '__proto__ in JSON',
    usage('HTTP/1.1 200 OK', '', '{"r":{"__proto__":{"x":1},"constructor":null}}'),
    /^HTTP\/1\.1 200 OK/,
  ],
];

const GET = 'GET /api/v1/usage HTTP/1.1\r\nhost: x\r\napikey: k\r\nconnection: close\r\n\r\n';
const FINE = usage('HTTP/1.1 200 OK');

describe('a proxy whose target sends', () => {
  it.each(RESPONSES)(
    '%s gives its client a response, goes on, and records both',
    async (_, bytes, firstLine) => {
      let count = 0;
      const target = await startRawService((socket) => socket.end(count++ === 0 ? bytes : FINE));
      const recorded: Exchange[] = [];
      const { proxy, port } = await startProxy(target, { onExchange: (each) => recorded.push(each) });
      expect(await exchangeBytes(port, GET)).toMatch(firstLine);
      expect(await exchangeBytes(port, GET)).toMatch(/^HTTP\/1\.1 200 OK/);
      // What is recorded can be read again from a journal and from a HAR, and judged.
      const har = new HarReader();
      har.push(Buffer.from(JSON.stringify(toHar(recorded, { base_url: target }))));
      expect(har.end(false).exchanges).toHaveLength(2);
      expect(recorded.map((each) => readExchange(JSON.parse(JSON.stringify(each)), '').seq)).toEqual([1, 2]);
      expect(proxy.report().exchanges).toHaveLength(2);
      // Text of a library, which may have several lines, is one line for people.
      for (const { network } of recorded) expect(JSON.stringify(network ?? '')).not.toMatch(/\\n/);
    },
  );
});

describe('a mock that replays', () => {
  const recorded = (response: Partial<NonNullable<Exchange['response']>>): Exchange => ({
    seq: 1,
    kind: 'getUsage',
    operation: 'getUsage',
    organisation: 'org-1',
    key: 1,
    request: { method: 'GET', url: '/api/v1/usage', headers: { apikey: '<redacted>' }, at: 0 },
    response: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{}',
      at: 1,
      ...response,
    },
  });

  it.each([
    ['status 999', { status: 999 }, /^HTTP\/1\.1 999 /],
    ['status 100', { status: 100 }, /^HTTP\/1\.1 502 /],
    [
      'a header value with a line end',
      { headers: { 'x-name': 'a\r\nset-cookie: b' } },
      /^HTTP\/1\.1 200 (?!.*^set-cookie)/ms,
    ],
    ['a header value of other characters', { headers: { 'x-name': '成功' } }, /^HTTP\/1\.1 200 /],
    [
      'a header name with a line end',
      { headers: { 'x\r\nset-cookie': 'b' } },
      /^HTTP\/1\.1 200 (?!.*^set-cookie)/ms,
    ],
    [
      'two lengths',
      { headers: { 'content-length': '1', 'transfer-encoding': 'chunked' } },
      /^HTTP\/1\.1 200 /,
    ],
  ])('%s responds and goes on', async (_, response, firstLine) => {
    const replay = replayMock([recorded(response)]);
    closeLater(() => replay.close());
    const { port } = await replay.listen();
    expect(await exchangeBytes(port, GET)).toMatch(firstLine);
    expect(await exchangeBytes(port, GET)).toMatch(/^HTTP\/1\.1 \d{3} /);
  });
});
