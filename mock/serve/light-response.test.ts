import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { WireResponse } from '../exchange/wire.js';
import { createFetch } from './fetch.js';
import { isLight } from './light-response.js';

const JSON_ANSWER = {
  status: 200,
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
  body: '{"r":{"id":"zürich"}}',
};

const CUT_OFF: WireResponse = { ...JSON_ANSWER, fault: { kind: 'truncate', bytes: 3 } };

/** The same response as a light response and as a platform response. */
async function both(source: WireResponse): Promise<[light: Response, platform: Response]> {
  const responses = [true, false].map((isQuick) =>
    createFetch(
      () => source,
      () => 1000,
      isQuick,
    )('http://mock.test/api/v1/task'),
  );
  return (await Promise.all(responses)) as [Response, Response];
}

/** The result or the error of a call. */
async function outcome(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

const READS: Record<string, (response: Response) => unknown> = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  arrayBuffer: async (response) => [...new Uint8Array(await response.arrayBuffer())],
  bytes: async (response) => [...(await (response as unknown as { bytes(): Promise<Uint8Array> }).bytes())],
  blob: async (response) => {
    const blob = await response.blob();
    return [blob.type, await blob.text()];
  },
  formData: (response) => response.formData(),
  body: async (response) => {
    const parts: Uint8Array[] = [];
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) parts.push(part);
    return Buffer.concat(parts).toString();
  },
  clone: async (response) => {
    const copy = response.clone();
    return [copy instanceof Response, await copy.text(), await response.text()];
  },
  'new Response': (response) => new Response(response.body, response).json(),
  'clone without a copy': async (response) => response.clone().body?.locked,
};

describe('a light response', () => {
  it.each([200, 201, 299, 400, 404, 429, 500, 503])('equals the platform’s: %i', async (status) => {
    const [light, platform] = await both({ ...JSON_ANSWER, status });
    expect(light).toBeInstanceOf(Response);
    expect(light.constructor).toBe(Response);
    expect(String(light)).toBe(String(platform));
    expect(Object.keys(light)).toEqual(Object.keys(platform));
    expect(JSON.stringify(light)).toBe(JSON.stringify(platform));
    const all = (response: Response) => {
      const names: string[] = [];
      for (const name in response) names.push(name);
      return names.sort();
    };
    expect(all(light)).toEqual(all(platform));
    for (const name of ['status', 'ok', 'statusText', 'url', 'type', 'redirected', 'bodyUsed'] as const)
      expect(light[name], name).toBe(platform[name]);
    expect([...light.headers]).toEqual([...platform.headers]);
    expect(light.headers).toBe(light.headers);
    expect(light.headers.get('Retry-After')).toBe('1');
    expect(inspect(light)).toBe(inspect(platform));
  });

  it('has only properties that the platform’s response has', async () => {
    const [light] = await both(JSON_ANSWER);
    expect(() => {
      (light as { status: number }).status = 500;
    }).toThrow(TypeError);
    expect(light.status).toBe(200);
  });

  describe.each(
    Object.entries(READS).flatMap(([name, read]) => [
      { name, of: 'a complete response', source: JSON_ANSWER, read },
      { name, of: 'one that is cut off', source: CUT_OFF, read },
    ]),
  )('$name of $of', ({ source, read }) => {
    it('returns the same as the platform’s', async () => {
      const [light, platform] = await both(source);
      const given = await outcome(() => read(light));
      expect(given).toEqual(await outcome(() => read(platform)));
      expect(light.bodyUsed).toBe(platform.bodyUsed);
    });

    it.each(Object.entries(READS))('fails like the platform’s after %s', async (_second, before) => {
      const [light, platform] = await both(source);
      for (const response of [light, platform]) await outcome(() => before(response));
      expect(light.bodyUsed).toBe(platform.bodyUsed);
      expect(await outcome(() => read(light))).toEqual(await outcome(() => read(platform)));
    });
  });

  it('is used as soon as a read has begun', async () => {
    const [light] = await both(JSON_ANSWER);
    const text = light.text();
    expect(light.bodyUsed).toBe(true);
    await expect(light.json()).rejects.toThrow(TypeError);
    expect(light.body!.locked).toBe(true);
    expect(await text).toBe(JSON_ANSWER.body);
  });

  it('refuses invalid JSON with the platform’s message', async () => {
    const [light, platform] = await both({ ...JSON_ANSWER, body: '<html>' });
    const failure = await outcome(() => light.json());
    expect(failure).toBe(await outcome(() => platform.json()));
    expect(failure).toContain('SyntaxError');
  });

  it('keeps changed headers, also in a clone', async () => {
    const [light] = await both(JSON_ANSWER);
    light.headers.set('x-seen', 'yes');
    expect(light.clone().headers.get('x-seen')).toBe('yes');
    expect(light.headers.get('x-seen')).toBe('yes');
  });

  it('works through a Proxy object', async () => {
    const [light] = await both(JSON_ANSWER);
    const wrapped = new Proxy(light, {});
    expect(wrapped.status).toBe(200);
    expect(await wrapped.json()).toEqual({ r: { id: 'zürich' } });
  });

  it.each<[string, Partial<WireResponse>]>([
    ['bytes', { body: new Uint8Array([1]) }],
    ['no body', { status: 204, body: '' }],
    ['half a character', { body: '"\ud83d"' }],
    ['a byte order mark', { body: '\ufeff{}' }],
    ['no content type', { headers: {} }],
  ])('is not for %s', async (_, part) => {
    const source = { ...JSON_ANSWER, ...part } as WireResponse;
    expect(isLight(source)).toBe(false);
    const [response, platform] = await both(source);
    expect(Object.keys(Object.getOwnPropertyDescriptors(response))).toEqual(
      Object.keys(Object.getOwnPropertyDescriptors(platform)),
    );
    expect(await outcome(() => response.text())).toEqual(await outcome(() => platform.text()));
  });
});
