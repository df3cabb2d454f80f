import { get, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createMock } from '../../../index.js';

const mock = createMock({ clock: 'manual', network: 'compress of getUsage' });
afterAll(() => mock.close());

async function usageOver(port: number, headers: Record<string, string>) {
  const url = `http://127.0.0.1:${port}/api/v1/usage`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { apikey: 'k', ...headers }, agent: false }, resolve).on('error', reject);
  });
  const parts: Uint8Array[] = [];
  for await (const part of response) parts.push(part);
  return { headers: response.headers, body: Buffer.concat(parts) };
}

describe('compress', () => {
  it('compresses the body for clients that accept gzip, and for no others', async () => {
    const { port } = await mock.listen({ port: 0 });
    const plain = await usageOver(port, {});
    expect(plain.headers['content-encoding']).toBeUndefined();
    const usage: unknown = JSON.parse(plain.body.toString());
    for (const accepted of ['gzip, deflate, br', 'br;q=1, GZIP;q=0.5', '*']) {
      const { headers, body } = await usageOver(port, { 'accept-encoding': accepted });
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(body.length) });
      expect(JSON.parse(gunzipSync(body).toString())).toEqual(usage);
    }
    for (const refused of ['identity', 'gzip;q=0', 'br']) {
      const { headers } = await usageOver(port, { 'accept-encoding': refused });
      expect(headers['content-encoding'], refused).toBeUndefined();
    }
    const shown = await mock.fetch('/api/v1/usage', { headers: { apikey: 'k' } });
    expect(shown.headers.get('content-encoding')).toBe('gzip');
    expect(await shown.json()).toEqual(usage);
    expect(mock.journal({ key: 'k' }).at(-1)!.network).toEqual([
      {
        verb: 'compress',
        effect: 'changed',
        note: 'response body compressed with gzip if the client accepts it',
      },
    ]);
  });
});
