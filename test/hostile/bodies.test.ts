import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { judgeBothSides } from '../../conformance/both-sides/both-sides.js';
import { conform } from '../../conformance/conform.js';
import type { ConformReport } from '../../conformance/service/runner/result.js';
import { createMock } from '../../index.js';
import { formatJournalLine } from '../../mock/exchange/journal-file.js';
import { JournalReader } from '../../mock/exchange/readers/journal-reader.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { closeAll, closeLater, send, startProxy } from '../support/proxy/servers.js';

afterEach(closeAll);

interface Encoding {
  coding?: string;
  type?: string;
  encode?(text: string): Uint8Array;
  /** What every judge says of a response; undefined for nothing. */
  says?: RegExp;
}

/** How a service encodes each of its responses in JSON. */
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  'a byte order mark': {
    encode: (text) => Buffer.from(`\ufeff${text}`),
    says: /begins with a byte order mark/,
  },
  gzip: { coding: 'gzip', encode: gzipSync },
  brotli: { coding: 'br', encode: brotliCompressSync },
  deflate: { coding: 'deflate', encode: deflateSync },
  'gzip in the header alone': {
    coding: 'gzip',
    says: /"content-encoding: gzip", and its body is not encoded so/,
  },
  'brotli in the header alone': { coding: 'br', says: /"content-encoding: br", and its body is not/ },
  'deflate in the header alone': {
    coding: 'deflate',
    says: /"content-encoding: deflate", and its body is not/,
  },
  'a coding that nothing knows': {
    coding: 'snappy',
    says: /"content-encoding: snappy", and its body is not/,
  },
  'gzip without the header': {
    encode: gzipSync,
    says: /is compressed, and has no header "content-encoding"/,
  },
  'latin1 that the header names': {
    type: 'application/json; charset=iso-8859-1',
    encode: (text) => Buffer.from(text, 'latin1'),
    says: /is not in UTF-8.*"content-type" names iso-8859-1/,
  },
  'UTF-16': { encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'), says: /is not in UTF-8/ },
};

/** A mock whose responses are encoded otherwise, on a port. */
async function startEncoded({ coding, type = 'application/json', encode = Buffer.from }: Encoding) {
  const mock = createMock();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', headers } = request;
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
    const came = await mock.fetch(url, { method, headers: headers as Record<string, string>, body });
    const text = (await came.text()).replace('"r":', '"ä":"ü","r":');
    const others = Object.fromEntries(came.headers);
    response.writeHead(came.status, {
      ...others,
      'content-type': type,
      ...(coding !== undefined && { 'content-encoding': coding }),
    });
    response.end(encode(text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await mock.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Failures of a report, without those that a judge of one side has of the other. */
const failuresOf = ({ checks }: Pick<ConformReport, 'checks'>) =>
  checks.filter(({ outcome }) => outcome === 'failed').map(({ message }) => message);

/** A verdict on these exchanges that says what it has to, and nothing else. */
function expectVerdict(failures: readonly string[], { says }: Encoding): void {
  if (says) expect(failures).toEqual([expect.stringMatching(says)]);
  else expect(failures).toEqual([]);
}

describe('a service whose responses are encoded as', () => {
  it.each(Object.entries(ENCODINGS))(
    '%s has one verdict from the proxy and from its recording',
    async (_, encoding) => {
      const target = await startEncoded(encoding);
      const recorded: Exchange[] = [];
      const { proxy, url } = await startProxy(target, { onExchange: (each) => recorded.push(each) });
      const headers = { apikey: 'k', 'content-type': 'application/json' };
      const sent = await send(`${url}/api/v1/usage`, { headers });
      expect(sent.status).toBe(200);
      await send(`${url}/api/v1/task`, { method: 'POST', headers, body: '{"task":"x"}' });
      expectVerdict(failuresOf(proxy.report()), encoding);
      const reader = new JournalReader('x.jsonl');
      for (const each of recorded) reader.push(Buffer.from(formatJournalLine(each)));
      reader.end();
      const run = { baseUrl: target, started: new Date(0), duration_ms: 1 };
      expectVerdict(failuresOf(judgeBothSides(reader.exchanges).createReport(run)), encoding);
    },
  );

  it.each(Object.entries(ENCODINGS))('%s is judged by conform, which goes on', async (_, encoding) => {
    const target = await startEncoded(encoding);
    const report = await conform({ baseUrl: target, apiKey: 'k', only: ['auth/getUsage', 'account/usage*'] });
    const messages = failuresOf(report);
    expect(messages.filter((each) => !encoding.says?.test(each))).toEqual([]);
    expect(messages.length > 0).toBe(encoding.says !== undefined);
    expect(report.summary.passed).toBeGreaterThan(0);
  });
});

describe('a request whose body is encoded as', () => {
  it.each([
    ['gzip', 'gzip', gzipSync('{"task":"x"}'), 415, /content-encoding: gzip.* is not read/],
    ['gzip in the header alone', 'gzip', Buffer.from('{"task":"x"}'), 415, /Send it as it is/],
    ['identity', 'identity', Buffer.from('{"task":"x"}'), 200, /"id"/],
    ['a byte order mark', undefined, Buffer.from('\ufeff{"task":"x"}'), 200, /"id"/],
    ['latin1', undefined, Buffer.from('{"task":"ü"}', 'latin1'), 422, /not valid UTF-8/],
  ])('%s', async (_, coding, body, status, says) => {
    const mock = createMock();
    closeLater(() => mock.close());
    const headers = {
      apikey: 'k',
      'content-type': 'application/json',
      ...(coding !== undefined && { 'content-encoding': coding }),
    };
    const response = await mock.fetch('/api/v1/task', { method: 'POST', headers, body });
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(says)]);
  });
});
