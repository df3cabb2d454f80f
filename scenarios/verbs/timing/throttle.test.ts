import { afterEach, describe, expect, it } from 'vitest';
import { createMock } from '../../../index.js';
import { describeRule } from '../../format/network/rule.js';
import { parseNetworkSpec } from '../../format/network/shorthand.js';

type Mock = ReturnType<typeof createMock>;

const KEY = { headers: { apikey: 'k' } };
const USAGE = '/api/v1/usage';

const mocks: Mock[] = [];
afterEach(async () => {
  for (const mock of mocks.splice(0)) await mock.close();
});

function start(network: string, options: { clock?: 'real' } = {}): Mock {
  const mock = createMock({ clock: 'manual', network, ...options });
  mocks.push(mock);
  return mock;
}

/** What a reader of the body has so far. */
function read(response: Response) {
  const reader = response.body!.getReader();
  const seen = { bytes: 0, state: 'open' };
  const loop = async (): Promise<void> => {
    const { value, done } = await reader.read();
    if (done) seen.state = 'complete';
    else {
      seen.bytes += value.length;
      await loop();
    }
  };
  loop().catch((error: Error) => {
    seen.state = error.name;
  });
  return { seen, reader };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

function exchange(mock: Mock) {
  return mock.journal({ key: 'k' }).at(-1)!;
}

describe('throttle', () => {
  it('is read from its shorthand, described and refused as every verb is', async () => {
    const { rules } = parseNetworkSpec('throttle 500 of poll at_most 2s');
    expect(rules).toEqual([
      { network: 'throttle', bytes_per_second: 500, of: { poll: true }, at_most_ms: 2000 },
    ]);
    expect(describeRule(rules[0]!)).toBe('throttle to 500 bytes/s, at most 2s, of poll');
    expect(parseNetworkSpec('throttle 0').problems[0]?.message).toMatch(
      /bytes_per_second: expected a whole number, 1 or more/,
    );
    await expect(createMock({ network: [{ network: 'throttle' } as never] }).ready).rejects.toThrow(
      'network: expected the key "bytes_per_second"',
    );
  });

  it('sends the status at once and the body at its rate, on the clock of the mock', async () => {
    const mock = start('duplicate of listSops');
    const whole = await (await mock.fetch(USAGE, KEY)).text();
    await mock.network.set('throttle 50 of getUsage');
    const response = await mock.fetch(USAGE, KEY);
    expect(response.status).toBe(200);
    const { seen } = read(response);
    await settle();
    expect(seen).toEqual({ bytes: 0, state: 'open' });
    const time = (whole.length * 1000) / 50;
    await mock.clock.advance(time / 2, 'k');
    await settle();
    expect(seen.bytes).toBeGreaterThan(whole.length * 0.4);
    expect(seen.bytes).toBeLessThanOrEqual(whole.length * 0.5);
    expect(exchange(mock).response).toBeUndefined();
    await mock.clock.advance(Math.ceil(time / 2) + 1, 'k');
    await settle();
    expect(seen).toEqual({ bytes: whole.length, state: 'complete' });
    const { request, response: recorded, network } = exchange(mock);
    expect(recorded!.at - request.at).toBe(Math.ceil(time));
    expect(network).toEqual([{ verb: 'throttle', effect: 'delayed', note: 'response body at 50 bytes/s' }]);
  });

  it('takes no longer than it may', async () => {
    const mock = start('throttle 1 of getUsage at_most 3s');
    const { seen } = read(await mock.fetch(USAGE, KEY));
    await mock.clock.advance(2999, 'k');
    await settle();
    expect(seen.state).toBe('open');
    expect(seen.bytes).toBeLessThanOrEqual(3);
    await mock.clock.advance(1, 'k');
    await settle();
    expect(seen.state).toBe('complete');
  });

  it('ends when the client disconnects, aborts or stops reading, or when the rule is removed', async () => {
    const mock = start('throttle 10 of getUsage');
    const aborting = new AbortController();
    const first = read(await mock.fetch(USAGE, { ...KEY, signal: aborting.signal }));
    aborting.abort();
    await settle();
    expect(first.seen.state).toBe('AbortError');
    expect(exchange(mock).network?.at(-1)?.note).toBe('released: the client disconnected');
    expect(exchange(mock).response).toBeUndefined();

    const second = read(await mock.fetch(USAGE, KEY));
    await second.reader.cancel();
    await settle();
    expect(exchange(mock).network?.at(-1)?.effect).toBe('lost');

    const third = read(await mock.fetch(USAGE, KEY));
    mock.network.clear();
    await settle();
    expect(third.seen.state).toBe('complete');
    expect(exchange(mock).network?.at(-1)?.note).toBe('released: the rule was removed');
  });

  it('slows the part of the body that another rule does not cut off or lose', async () => {
    const mock = start('throttle 50 of getUsage; truncate 20 of getUsage');
    const cut = read(await mock.fetch(USAGE, KEY));
    await mock.clock.advance('1s', 'k');
    await settle();
    expect(cut.seen).toEqual({ bytes: 20, state: 'TypeError' });
    await mock.network.set('throttle 50 of getUsage; drop response of getUsage');
    await expect(mock.fetch(USAGE, KEY)).rejects.toThrow('closed');
  });

  it('is the same over HTTP', async () => {
    const mock = start('throttle 50 of getUsage');
    const { baseUrl } = await mock.listen();
    const response = await fetch(baseUrl + USAGE, KEY);
    expect(response.status).toBe(200);
    const length = Number(response.headers.get('content-length'));
    const { seen } = read(response);
    await mock.clock.advance('10s', 'k');
    await expect.poll(() => seen).toEqual({ bytes: length, state: 'complete' });

    const aborting = new AbortController();
    const left = read(await fetch(baseUrl + USAGE, { ...KEY, signal: aborting.signal }));
    aborting.abort();
    await expect.poll(() => exchange(mock).network?.at(-1)?.effect).toBe('lost');
    expect(left.seen.state).toBe('AbortError');
  });

  it('takes its time on virtual time', async () => {
    const mock = start('throttle 100 of getUsage', { clock: 'real' });
    const [length, took] = await mock.time.run(async () => {
      const begin = Date.now();
      const text = await (await mock.fetch(USAGE, KEY)).text();
      return [text.length, Date.now() - begin];
    });
    expect(took).toBe(length * 10);
  });
});
