import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { real } from '../clock/real.js';
import { Mock } from '../mock.js';

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let mock: Mock;
beforeEach(() => {
  mock = new Mock({ clock: 'manual' });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await mock.close();
});

const raceWithTimer = (sendRequest: () => Promise<unknown>) =>
  mock.time.run(() => Promise.race([wait(1).then(() => 'timer'), sendRequest()]));

describe('a request to another server', () => {
  const large = 'x'.repeat(4_000_000);
  const elsewhere = createServer((request, response) => {
    if (request.url === '/large') response.end(large);
    else if (request.url === '/busy') {
      // The machine gives the process no time before the rest of the response arrives.
      response.write('tea');
      const now = real.performanceNow;
      setTimeout(() => vi.spyOn(real, 'performanceNow').mockImplementation(() => now() + 60_000), 20);
      setTimeout(() => response.end(), 40);
    } else if (request.url === '/pieces') {
      // Together longer than the limit for a response without any data.
      let left = 7;
      const timer = setInterval(() => {
        response.write('tea ');
        if (--left > 0) return;
        clearInterval(timer);
        response.end();
      }, 100);
    } else setTimeout(() => response.end('tea'), 40);
  });
  let address: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    elsewhere.closeAllConnections();
    elsewhere.close();
  });

  const overHttp = (url: string) =>
    new Promise<string>((resolve) => {
      get(url, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve(text));
      });
    });
  const overFetch = async (url: string) => (await fetch(url)).text();

  it.each([
    ['fetch', overFetch],
    ['node:http', overHttp],
  ])('is waited for in real time: %s', async (_, sendRequest) => {
    expect(await raceWithTimer(() => sendRequest(address))).toBe('tea');
  });

  it.each([
    ['fetch', overFetch],
    ['node:http', overHttp],
  ])('is waited for until the end of a response in parts: %s', async (_, sendRequest) => {
    expect(await raceWithTimer(() => sendRequest(`${address}/pieces`))).toBe('tea '.repeat(7));
  });

  it('is waited for also where the process gets no processor for long', async () => {
    expect(await raceWithTimer(() => overFetch(`${address}/busy`))).toBe('tea');
  });

  it('with a large body takes no virtual time, read at once or in parts', async () => {
    const { sizes, passed } = await mock.time.run(async () => {
      const began = Date.now();
      const timer = setInterval(() => {}, 1);
      const whole = (await (await fetch(`${address}/large`)).text()).length;
      let pieces = 0;
      for await (const piece of (await fetch(`${address}/large`))
        .body as unknown as AsyncIterable<Uint8Array>)
        pieces += piece.length;
      clearInterval(timer);
      return { sizes: [whole, pieces], passed: Date.now() - began };
    });
    expect(sizes).toEqual([large.length, large.length]);
    expect(passed).toBe(0);
  });

  it('with a large body that is not read does not delay the run for long', async () => {
    await mock.time.run(async () => {
      await fetch(`${address}/large`);
      await wait(60_000);
    });
  });
});
